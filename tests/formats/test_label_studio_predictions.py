"""Labelling interfaces, and what a model finds in the words of one."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, Mention, read
from disconer.exceptions import FormatError
from disconer.formats.label_studio.predictions import Choice, Text, make_prediction, read_interface
from disconer.tokenize import Layout

SENTENCE = "Severe hip, jaw and back pain after Zoloric."
JAW = ("ADR", [(0, 6), (12, 15), (25, 29)], 0.5)
HIP = ("ADR", [(0, 10), (25, 29)], 0.9)
DRUG = ("Drug", [(36, 43)], 1.0)
PLAIN = """
<View>
  <Header value="$title"/>
  <Labels name="label" toName="text"><Label value="ADR"/><Label value="Drug"/></Labels>
  <Text name="text" value="$note"/>
</View>
"""


def document(*found: tuple[str, list[tuple[int, int]], float], text: str = SENTENCE) -> Document:
    layout = Layout(text)
    return Document(layout, [Mention(label, spans, layout, score) for label, spans, score in found])


def predicted(interface: str, found: Document, marked: list[Any] | None = None) -> Any:
    (text,) = read_interface(interface)
    return make_prediction([(text, found)], marked)


def surfaces(results: list[dict[str, Any]]) -> list[str]:
    return [result["value"]["text"] for result in results if result["type"] == "labels"]


def region(start: int, end: int, name: str = "own", to_name: str = "text") -> dict[str, Any]:
    value = {"start": start, "end": end, "text": SENTENCE[start:end], "labels": ["ADR"]}
    return {"id": name, "from_name": "label", "to_name": to_name, "type": "labels", "value": value}


def test_an_interface_names_its_texts_and_their_labels() -> None:
    assert read_interface(PLAIN) == [
        Text("text", "note", {"ADR": Choice("label", "ADR"), "Drug": Choice("label", "Drug")}),
    ]  # fmt: skip


def test_labels_of_an_interface_have_several_names() -> None:
    interface = """
        <View><Text name="a" value="$a"/><Text name="b" value="$b"/>
        <Labels name="kinds" toName="a">
          <View><Label value="Reaction" predicted_values="ADR, AE,"/><Label value="Medicine" alias="drug"/></View>
        </Labels>
        <Labels name="more" toName="a"><Label value="Drug"/><Label value="ADR"/></Labels>
        </View>
    """
    reaction, drug = Choice("kinds", "Reaction"), Choice("kinds", "drug")
    assert read_interface(interface) == [
        Text(
            "a", "a",
            {"Reaction": reaction, "ADR": reaction, "AE": reaction, "drug": drug, "Medicine": drug,
             "Drug": Choice("more", "Drug")},
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    "interface",
    [
        "", "<View>", "<View/>", "not XML", "<View>&secret;</View>", '<?xml version="1.0" encoding="utf-16"?><View/>',
        '<!DOCTYPE View [<!ENTITY a "b">]><View>&a;</View>',
        PLAIN.replace("$note", "note"),
        PLAIN.replace('value="$note"', 'value="$note" valueType="url"'),
        PLAIN.replace('value="$note"', 'value="$note" encoding="base64"'),
        PLAIN.replace('toName="text"', 'toName="other"'),
        PLAIN.replace("Label value", "Choice value"),
        PLAIN.replace("<Text", "<HyperText"),
    ],
)  # fmt: skip
def test_an_interface_without_a_labelled_text_is_refused_in_our_words(interface: str) -> None:
    with pytest.raises(FormatError, match="the labelling interface") as caught:
        read_interface(interface)
    assert "secret" not in str(caught.value)


def test_a_mention_with_gaps_is_regions_that_are_joined() -> None:
    found = predicted(PLAIN, document(JAW, DRUG))
    assert surfaces(found.results) == ["Severe", "jaw", "pain", "Zoloric"]
    assert {(one["from_name"], one["to_name"]) for one in found.results if one["type"] == "labels"} == {
        ("label", "text")
    }
    identifiers = [one["id"] for one in found.results if one["type"] == "labels"]
    relations = [one for one in found.results if one["type"] == "relation"]
    assert [(one["from_id"], one["to_id"]) for one in relations] == [
        (identifiers[0], identifiers[1]), (identifiers[1], identifiers[2]),
    ]  # fmt: skip
    assert {(one["direction"], *one["labels"]) for one in relations} == {("right", "fragment")}
    assert found.score == 0.75
    assert found.left_out == ()


def test_no_two_predictions_share_an_id() -> None:
    both = [predicted(PLAIN, document(JAW, HIP)).results for _ in range(2)]
    identifiers = [one["id"] for results in both for one in results if one["type"] == "labels"]
    assert len(set(identifiers)) == len(identifiers) == 10


def test_labels_that_an_interface_has_not_are_left_out() -> None:
    found = predicted(PLAIN.replace("Drug", "Dose"), document(JAW, DRUG))
    assert [(mention.label, mention.text) for mention in found.left_out] == [("Drug", "Zoloric")]
    assert surfaces(found.results) == ["Severe", "jaw", "pain"]
    assert found.score == 0.5
    nothing = predicted(PLAIN, document())
    assert (nothing.results, nothing.score) == ([], None)


def test_two_labels_of_the_model_may_be_one() -> None:
    interface = PLAIN.replace('<Label value="ADR"/>', '<Label value="Event" predicted_values="ADR,AE"/>')
    found = predicted(interface, document(HIP, ("AE", HIP[1], 0.4)))
    assert surfaces(found.results) == ["Severe hip", "pain"]


def test_what_was_marked_last_is_completed() -> None:
    found = document(JAW, HIP, DRUG)
    jaw = predicted(PLAIN, found, [region(12, 15)]).results
    assert surfaces(jaw) == ["Severe", "jaw", "pain"]
    accepted = [one for one in jaw if one["type"] == "labels"]
    assert surfaces(predicted(PLAIN, found, [region(12, 15), *accepted, region(25, 29)]).results) == [
        "Severe hip", "pain",
    ]  # fmt: skip
    elsewhere = [region(12, 15, to_name="other")]
    no_question: list[list[Any]] = [[], elsewhere, [region(12, 15), *accepted], [region(30, 35)], [{}]]
    for marked in no_question:
        assert predicted(PLAIN, found, marked).results == []


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("ADR", "Drug")),
            st.sets(st.sampled_from(Layout(SENTENCE).words), min_size=1),
            st.floats(0, 1).map(lambda score: round(score, 4)),
        ),
        max_size=5,
        unique_by=lambda one: (one[0], frozenset(one[1])),
    )
)
def test_a_task_with_a_prediction_reads_as_the_mentions(
    tmp_path_factory: pytest.TempPathFactory, found: list[tuple[str, set[tuple[int, int]], float]]
) -> None:
    mentions = document(*((label, sorted(spans), score) for label, spans, score in found))
    results = predicted(PLAIN, mentions).results
    path: Path = tmp_path_factory.mktemp("tasks") / "tasks.json"
    path.write_text(json.dumps([{"data": {"note": SENTENCE}, "predictions": [{"result": results}]}]))
    (back,) = read(path, "label-studio")
    # Words side by side make one fragment, so that two may say the same: the last one counts.
    expected = {mention.key: mention.score for mention in mentions}
    assert [(mention.key, mention.score) for mention in back] == list(expected.items())
