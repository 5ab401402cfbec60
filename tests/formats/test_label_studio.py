import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, Split, read, write
from disconer.exceptions import CannotHoldError
from disconer.formats import detect_input
from disconer.tokenize import Layout
from tests.strategies import JSON, documents

TEXT = "Severe joint and shoulder pain."


def region(name: str, start: int, end: int, *labels: str, text: str = TEXT, **others: Any) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text[start:end], "labels": list(labels)}
    return {"id": name, "from_name": "label", "to_name": "text", "type": "labels", "value": value, **others}


def relation(one: str, other: str, *labels: str) -> dict[str, Any]:
    return {"from_id": one, "to_id": other, "type": "relation", "direction": "right", "labels": list(labels)}


def task(*results: Any, text: str = TEXT, **others: Any) -> dict[str, Any]:
    return {"data": {"text": text}, "annotations": [{"result": list(results)}], **others}


EXPORT = {
    "id": 7,
    "data": {"text": TEXT, "source": "forum"},
    "meta": {"batch": 3},
    "created_at": "2024-01-01T00:00:00Z",
    "annotations": [
        {"id": 1, "was_cancelled": True, "result": [region("z", 0, 6, "Wrong")]},
        {
            "id": 2,
            "completed_by": {"id": 5},
            "was_cancelled": False,
            "result": [
                region("a", 0, 12, "ADR", origin="manual"),
                region("b", 26, 30, "ADR", origin="manual", meta={"text": ["unsure"]}),
                region("c", 7, 12, "Site", "Joint", meta={"text": ["twice"]}),
                relation("a", "b"),
                relation("c", "a", "part of"),
                {
                    "id": "c",
                    "from_name": "side",
                    "type": "choices",
                    "value": {"start": 7, "end": 12, "choices": ["left"]},
                },
                {"id": "q", "from_name": "quality", "type": "choices", "value": {"choices": ["good"]}},
            ],
        },
        {"id": 3, "result": [region("y", 0, 6, "Other")]},
    ],
    "predictions": [{"id": 4, "model_version": "x", "result": [region("x", 0, 6, "Guess", score=0.5)]}],
}


# A text that is not the one at the offsets has tests of its own.
DOCUMENTS = documents().filter(lambda document: not any("text" in mention.extras for mention in document))
DATA_KEYS = st.sampled_from(("id", "entities", "sentences", "words", "label-studio", "text_key", "source"))
META_KEYS = st.sampled_from(("label", "spans", "score", "text", "label-studio", "note"))


def seen(document: Document) -> tuple[Any, ...]:
    layout = document.layout
    return document.text, layout.words, layout.sentences, document.mentions, document.id, document.extras


def written(tmp_path: Path, *tasks: Any) -> Path:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def read_one(tmp_path: Path, content: Any) -> Document:
    (document,) = read(written(tmp_path, content), "label-studio")
    return document


def again(tmp_path: Path, *documents: Document) -> tuple[list[Any], list[str]]:
    """Write documents, and give the tasks and what was lost."""
    losses = write(documents, tmp_path / "again.label-studio.json")
    return json.loads((tmp_path / "again.label-studio.json").read_text(encoding="utf-8")), losses.lines()


def found(document: Document) -> list[tuple[str, str]]:
    return [(mention.label, mention.text) for mention in document]


def test_regions_of_a_label_that_are_joined_are_a_mention(tmp_path: Path) -> None:
    assert detect_input(written(tmp_path, EXPORT)).name == "label-studio"
    document = read_one(tmp_path, EXPORT)
    assert (document.id, document.text) == (7, TEXT)
    assert found(document) == [("ADR", "Severe joint pain"), ("Site", "joint"), ("Joint", "joint")]
    assert document.extras["source"] == "forum"
    assert document.mentions[1].extras["label-studio"][0]["meta"] == {"text": ["twice"]}


def test_everything_else_survives(tmp_path: Path) -> None:
    (back,), lost = again(tmp_path, read_one(tmp_path, EXPORT))
    assert back == EXPORT
    assert lost == []


def test_everything_else_survives_through_jsonl(tmp_path: Path) -> None:
    write(read(written(tmp_path, EXPORT)), tmp_path / "a.jsonl")
    (through,), _ = again(tmp_path, *read(tmp_path / "a.jsonl"))
    (directly,), _ = again(tmp_path, read_one(tmp_path, EXPORT))
    assert through == directly


@settings(max_examples=50)
@given(documents=st.lists(DOCUMENTS, max_size=3))
def test_documents_survive_a_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("label-studio") / "tasks.label-studio.json"
    losses = write(documents, path)
    assert [seen(document) for document in read(path, "label-studio")] == [seen(document) for document in documents]
    assert losses.lines() == []


@settings(max_examples=50)
@given(
    data=st.dictionaries(DATA_KEYS, JSON.filter(lambda value: not isinstance(value, str)), max_size=4),
    meta=st.dictionaries(META_KEYS, JSON, max_size=4),
    of_task=st.dictionaries(st.sampled_from(("text_key", "label-studio", "meta", "mentions")), JSON, max_size=2),
)
def test_keys_with_names_of_others_survive_through_jsonl(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, Any], meta: dict[str, Any], of_task: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("label-studio")
    original = task(region("a", 0, 6, "X", meta=meta), **of_task)
    original["data"] |= data
    losses = write(read(written(folder, original)), folder / "a.jsonl")
    assert losses.lines() == []
    assert again(folder, *read(folder / "a.jsonl", split=Split.ALWAYS)) == ([original], [])


def test_sentences_that_a_reader_would_not_find_are_kept(tmp_path: Path) -> None:
    text = "One. Two."
    layouts = [Layout(text), Layout(text, split=Split.ALWAYS), Layout(text, given_sentences=((0, 4),))]
    (whole, split, given), lost = again(tmp_path, *map(Document, layouts))
    assert [one.get("meta") for one in (whole, split, given)] == [
        {"disconer": {"sentences": [[0, 9]]}},
        None,
        {"disconer": {"sentences": [[0, 4]]}},
    ]
    assert [one.layout.sentences for one in read(tmp_path / "again.label-studio.json")] == [
        layout.sentences for layout in layouts
    ]
    assert lost == []


@pytest.mark.parametrize("meta", ["note", {"disconer": 3, "batch": 1}])
def test_meta_that_makes_way_is_counted(tmp_path: Path, meta: Any) -> None:
    document = read_one(tmp_path, {"data": {"text": "a"}, "meta": meta})
    assert again(tmp_path, document) == ([{"data": {"text": "a"}, "meta": meta}], [])
    given = Document(Layout("a", given_words=((0, 1),)), extras=document.extras)
    assert again(tmp_path, given)[1] == ["values of the tasks' key 'meta' (1)"]


def test_writes_a_chain_of_regions(tmp_path: Path) -> None:
    layout = Layout("a b c d e")
    mention = Mention("X", [(0, 1), (4, 5), (8, 9)], layout, extras={"note": 1})
    (back,), lost = again(tmp_path, Document(layout, [mention], "d1", {"source": "forum"}))
    assert back == {
        "data": {"text": "a b c d e", "id": "d1", "source": "forum"},
        "annotations": [
            {
                "result": [
                    region("disconer-1", 0, 1, "X", text=layout.text, meta={"note": 1}),
                    region("disconer-2", 4, 5, "X", text=layout.text),
                    region("disconer-3", 8, 9, "X", text=layout.text),
                    relation("disconer-1", "disconer-2", "fragment"),
                    relation("disconer-2", "disconer-3", "fragment"),
                ]
            }
        ],
    }
    assert lost == []


def test_scored_mentions_are_a_prediction(tmp_path: Path) -> None:
    (back,), _ = again(tmp_path, Document("a b c", [Mention("X", [(0, 1), (4, 5)], "a b c", 0.5)]))
    (prediction,) = back["predictions"]
    assert prediction["model_version"] == "disconer"
    assert [result.get("score") for result in prediction["result"]] == [0.5, 0.5, None]
    assert "annotations" not in back


def test_mentions_with_and_without_scores_are_an_annotation(tmp_path: Path) -> None:
    (back,), _ = again(tmp_path, Document("a b", [Mention("X", [(0, 1)], "a b", 0.5), Mention("X", [(2, 3)], "a b")]))
    assert [result.get("score") for result in back["annotations"][0]["result"]] == [0.5, None]
    assert "predictions" not in back


def test_a_text_without_mentions_waits_for_an_annotation(tmp_path: Path) -> None:
    assert again(tmp_path, Document("a"))[0] == [{"data": {"text": "a"}}]


def test_an_empty_annotation_stays_one(tmp_path: Path) -> None:
    assert again(tmp_path, read_one(tmp_path, task()))[0] == [task()]


def test_new_predictions_take_the_place_of_annotations(tmp_path: Path) -> None:
    document = read_one(tmp_path, EXPORT)
    predicted = document.with_mentions([Mention("ADR", [(7, 12)], document.layout, 0.75)])
    (back,), lost = again(tmp_path, predicted)
    assert [annotation["id"] for annotation in back["annotations"]] == [1]
    assert [prediction["model_version"] for prediction in back["predictions"]] == ["disconer", "x"]
    assert lost == ["annotations that predictions take the place of (2)"]
    assert found(read_one(tmp_path, back)) == [("ADR", "joint")]


def test_results_about_regions_that_are_gone_go_too(tmp_path: Path) -> None:
    document = read_one(tmp_path, EXPORT)
    (back,), lost = again(tmp_path, document.with_mentions([Mention("ADR", [(7, 12)], document.layout)]))
    assert [result["id"] for result in back["annotations"][1]["result"]] == ["disconer-1", "q"]
    assert lost == ["relations and choices about regions that are not there (2)"]


def test_predictions_are_read_where_there_is_no_annotation(tmp_path: Path) -> None:
    predicted = {"data": {"text": TEXT}, "annotations": [], "predictions": [13, EXPORT["predictions"][0]]}  # type: ignore[index]
    document = read_one(tmp_path, predicted)
    assert found(document) == [("Guess", "Severe")]
    assert document.mentions[0].score == 0.5
    assert again(tmp_path, document)[0] == [predicted]


def test_accepted_predictions_stay_an_annotation(tmp_path: Path) -> None:
    accepted = task(region("a", 0, 6, "X", origin="prediction", score=0.5))
    assert again(tmp_path, read_one(tmp_path, accepted))[0] == [accepted]


def test_our_predictions_come_back_with_what_label_studio_added(tmp_path: Path) -> None:
    (back,), _ = again(tmp_path, Document(TEXT, [Mention("X", [(0, 6)], TEXT, 0.5)]))
    back["id"] = 3
    back["predictions"][0]["created_ago"] = "1 hour"
    assert again(tmp_path, read_one(tmp_path, back)) == ([back], [])


def test_relations_to_our_regions_survive(tmp_path: Path) -> None:
    (back,), _ = again(tmp_path, Document(TEXT, [("X", [(0, 6)]), ("Y", [(7, 12)])]))
    back["annotations"][0]["result"].append(relation("disconer-2", "disconer-1", "causes"))
    document = read_one(tmp_path, back)
    reordered = document.with_mentions([Mention("Z", [(13, 16)], document.layout), *document.mentions])
    (edited,), lost = again(tmp_path, reordered)
    results = edited["annotations"][0]["result"]
    assert [result["value"]["text"] for result in results[:3] if result["id"] == "disconer-2"] == ["joint"]
    assert [result["id"] for result in results[:3]] == ["disconer-3", "disconer-1", "disconer-2"]
    assert results[3] == relation("disconer-2", "disconer-1", "causes")
    assert lost == []


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([region("a", 0, 6, "X"), region("b", 26, 30, "X")], ["Severe", "pain"]),
        ([region("a", 0, 6, "X"), region("b", 26, 30, "X"), relation("b", "a", "fragment")], ["Severe pain"]),
        ([region("a", 0, 6, "X"), region("b", 26, 30, "X"), relation("a", "b", "same")], ["Severe", "pain"]),
        ([region("a", 0, 6, "X"), region("b", 26, 30, "Y"), relation("a", "b")], ["Severe", "pain"]),
        ([region("a", 0, 6, "X"), relation("a", "a")], ["Severe"]),
        ([region("a", 0, 6, "X"), relation("a", "gone")], ["Severe"]),
        ([region("a", 0, 6, "X"), region("b", 7, 12, "X"), relation("a", "b")], ["Severe joint"]),
        ([region("a", 26, 30, "X"), region("b", 0, 6, "Y"), region("c", 7, 12, "X"), relation("a", "c")],
         ["joint pain", "Severe"]),
        ([region("a", 0, 6, "X"), region("b", 13, 16, "X"), region("c", 26, 30, "X"),
          relation("a", "b"), relation("c", "b"), relation("a", "c")], ["Severe and pain"]),
        ([region("a", 0, 6, "X", "Y"), region("b", 26, 30, "Y", "X"), relation("a", "b")],
         ["Severe pain", "Severe pain"]),
        ([region("a", 0, 6), {**region("a", 0, 6, "X"), "type": ["labels"]}], []),
        ([{"type": "relation", "from_id": None, "to_id": ["a"]}, {"type": "labels", "value": {"start": 0}}], []),
    ],
)  # fmt: skip
def test_what_joins_and_what_does_not(tmp_path: Path, results: list[Any], expected: list[str]) -> None:
    document = read_one(tmp_path, task(*results))
    assert [mention.text for mention in document] == expected
    back, _ = again(tmp_path, document)
    assert [mention.text for mention in read_one(tmp_path, back[0])] == expected


@pytest.mark.parametrize(
    "relations",
    [
        [relation("a", "b"), relation("b", "c")],
        [{"from_id": "a", "to_id": "b", "type": "relation", "direction": "bi"}, relation("c", "a", "fragment")],
        [relation("a", "b"), relation("a", "b"), relation("b", "c", "fragment")],
        [relation("a", "b", "fragment"), relation("b", "c", "fragment"), relation("c", "a")],
    ],
)
@pytest.mark.parametrize("name", ["", "disconer-"])
def test_relations_that_join_stay_as_they_were(tmp_path: Path, relations: list[dict[str, Any]], name: str) -> None:
    regions = [region(f"{name}{one}", 2 * start, 2 * start + 1, "X", "Y") for start, one in enumerate("abc")]
    named = [{**one, "from_id": name + one["from_id"], "to_id": name + one["to_id"]} for one in relations]
    original = task(*regions, *named)
    write(read(written(tmp_path, original)), tmp_path / "a.jsonl")
    assert again(tmp_path, *read(tmp_path / "a.jsonl", split=Split.ALWAYS)) == ([original], [])


def test_relations_between_fragments_that_are_gone_are_replaced_and_counted(tmp_path: Path) -> None:
    results = [*(region(one, start, start + 1, "X") for one, start in (("a", 0), ("b", 3), ("c", 8)))]
    (mention,) = read_one(tmp_path, task(*results, relation("b", "a"), relation("c", "b")))
    shorter = Mention("X", mention.fragments[:2], TEXT, extras=mention.extras)
    (back,), lost = again(tmp_path, Document(TEXT, [shorter]))
    assert back["annotations"][0]["result"][2:] == [relation("a", "b", "fragment")]
    assert "relations between regions that are no longer the same (2)" in lost
    broken = Mention("X", [(0, 1), (3, 4)], TEXT, extras={"label-studio": [{"type": "relation", "labels": ["cause"]}]})
    (back,), lost = again(tmp_path, Document(TEXT, [broken]))
    assert back["annotations"][0]["result"][2:] == [relation("disconer-1", "disconer-2", "fragment")]
    assert lost == ["relations between regions that are no longer the same (1)"]


def test_a_relation_joins_all_regions_that_share_an_id(tmp_path: Path) -> None:
    apart = [region("x", start, start + 1, "X") for start in (0, 3, 8)]
    alone = region("y", 20, 21, "X")
    assert found(read_one(tmp_path, task(*apart, alone, relation("x", "x")))) == [("X", "S e o"), ("X", "u")]
    assert found(read_one(tmp_path, task(*apart, alone, relation("y", "x")))) == [("X", "S e o u")]
    assert len(read_one(tmp_path, task(*apart, alone, relation("y", "y")))) == 4


def test_many_regions_in_a_chain_are_a_mention(tmp_path: Path) -> None:
    text = "a b " * 500
    regions = [region(f"r{start}", start, start + 1, "X", text=text) for start in range(0, len(text), 4)]
    relations = [relation(f"r{start}", f"r{start - 4}") for start in range(4, len(text), 4)]
    (mention,) = read_one(tmp_path, task(*regions, *relations, text=text))
    assert len(mention.fragments) == 500


def test_regions_without_an_id_are_apart(tmp_path: Path) -> None:
    nameless = [{"type": "labels", "value": {"start": start, "end": start + 2, "labels": ["X"]}} for start in (0, 4)]
    document = read_one(tmp_path, task(*nameless, relation("a", "b")))
    assert [mention.text for mention in document] == ["Se", "re"]


def test_a_region_of_several_labels_is_written_as_one(tmp_path: Path) -> None:
    shared = task(region("a", 0, 6, "X", "Y"), region("b", 26, 30, "X", "Y"), relation("a", "b", "fragment"))
    assert again(tmp_path, read_one(tmp_path, shared)) == ([shared], [])


def test_regions_that_say_different_things_get_different_ids(tmp_path: Path) -> None:
    parts = {"label-studio": [{"id": "a"}]}
    mentions = [Mention("X", [(0, 6)], TEXT, extras=parts), Mention("X", [(7, 12)], TEXT, extras=parts)]
    (back,), lost = again(tmp_path, Document(TEXT, mentions))
    assert [result["id"] for result in back["annotations"][0]["result"]] == ["a", "disconer-1"]
    assert lost == ["ids of regions that another bears (1)"]


def test_regions_that_touch_become_one_and_are_counted(tmp_path: Path) -> None:
    document = read_one(tmp_path, task(region("a", 0, 6, "X"), region("b", 7, 12, "X"), relation("a", "b")))
    (back,), lost = again(tmp_path, document)
    assert back["annotations"][0]["result"] == [region("a", 0, 12, "X")]
    assert set(lost) == {
        "regions that are one with their neighbour (1)",
        "relations between regions that are no longer the same (1)",
    }


def test_offsets_are_code_points_unless_the_texts_say_otherwise(tmp_path: Path) -> None:
    text = "🙂🙂 pain, 🙂 pain"
    value = {"start": 9, "end": 13, "text": "pain", "labels": ["X"]}
    in_points, in_units = (
        {"type": "labels", "value": {**value, "start": start, "end": start + 4}} for start in (11, 14)
    )
    assert [read_one(tmp_path, task(one, text=text)).mentions[0].start for one in (in_points, in_units)] == [11, 11]
    unsaid = {"type": "labels", "value": {"start": 1, "end": 3, "labels": ["X"]}}
    assert tuple(read_one(tmp_path, task(unsaid, text=text)).mentions[0].fragments[0]) == (1, 3)
    (back,), _ = again(tmp_path, Document(text, [("X", [(11, 15)])]))
    assert back["annotations"][0]["result"][0]["value"] == {"start": 11, "end": 15, "text": "pain", "labels": ["X"]}


def test_a_text_that_is_not_at_the_offsets_is_kept(tmp_path: Path) -> None:
    wrong = task(region("a", 0, 6, "X"))
    wrong["annotations"][0]["result"][0]["value"]["text"] = "joint"
    document = read_one(tmp_path, wrong)
    assert document.mentions[0].extras["text"] == "joint"
    assert again(tmp_path, document) == ([wrong], [])


def test_texts_of_several_regions_are_one_text(tmp_path: Path) -> None:
    wrong = task(region("a", 0, 6, "X"), region("b", 26, 30, "X"), relation("a", "b", "fragment"))
    wrong["annotations"][0]["result"][1]["value"]["text"] = "ache"
    document = read_one(tmp_path, wrong)
    assert document.mentions[0].extras["text"] == "Severe ache"
    assert again(tmp_path, document) == ([wrong], [])


def test_a_text_that_did_not_come_from_a_region_is_counted(tmp_path: Path) -> None:
    mention = Mention("X", [(0, 6)], TEXT, extras={"text": "joint"})
    assert again(tmp_path, Document(TEXT, [mention]))[1] == ["values of the mentions' key 'text' (1)"]


def test_line_breaks_may_count_as_one_character(tmp_path: Path) -> None:
    text = "line one\r\nline two\r\nJoint pain here"
    value = {"start": 18, "end": 28, "text": "Joint pain", "labels": ["X"]}
    (mention,) = read_one(tmp_path, task({"type": "labels", "value": value}, text=text))
    assert ([tuple(fragment) for fragment in mention.fragments], dict(mention.extras)) == ([(20, 30)], {})
    (mention,) = read_one(tmp_path, task(region("a", 20, 30, "X", text=text), text=text))
    assert mention.start == 20
    unsaid = {"type": "labels", "value": {"start": 18, "end": 28, "labels": ["X"]}}
    assert read_one(tmp_path, task(unsaid, text=text)).mentions[0].start == 18


def test_line_breaks_as_one_character_and_code_units_add_up(tmp_path: Path) -> None:
    text = "🙂\r\n🙂 pain\r\nache\r\n"
    values = [
        {"start": start, "end": end, "text": found, "labels": ["X"]}
        for start, end, found in ((6, 10, "pain"), (11, 15, "ache"), (11, 16, "ache\n"))
    ]
    document = read_one(tmp_path, task(*({"type": "labels", "value": value} for value in values), text=text))
    assert [(mention.start, mention.end) for mention in document] == [(5, 9), (11, 15), (11, 17)]


def test_offsets_behind_the_text_stay_there_however_they_count(tmp_path: Path) -> None:
    values = [{"start": 5, "end": 9, "text": "pain", "labels": ["X"]}, {"start": 9, "end": 10, "labels": ["X"]}]
    with pytest.raises(InputError, match="outside the text"):
        read_one(
            tmp_path, task(*({"type": "labels", "value": value} for value in values), text="a\r\n\r\n\r\n\r\npain")
        )


def test_line_breaks_in_the_text_of_a_region_do_not_matter(tmp_path: Path) -> None:
    broken = {"type": "labels", "value": {"start": 0, "end": 3, "text": "a\\nb", "labels": ["X"]}}
    assert dict(read_one(tmp_path, task(broken, text="a\nb")).mentions[0].extras) == {}


def test_scores_that_are_no_probabilities_are_kept(tmp_path: Path) -> None:
    scored = task(region("a", 0, 6, "X", score=97))
    document = read_one(tmp_path, scored)
    assert document.mentions[0].score is None
    assert again(tmp_path, document)[0] == [scored]


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        ({"body": "joint", "n": 1}, "text", "joint"),
        ({"text": "joint", "title": "t"}, "text", "joint"),
        ({"body": "joint", "title": "t"}, "body", "joint"),
        ({"body": "joint", "id": "d1"}, "text", "joint"),
    ],
)
def test_the_text_is_found_whatever_it_is_called(
    tmp_path: Path, data: dict[str, Any], name: str, expected: str
) -> None:
    other = {"data": data, "annotations": [{"result": [region("a", 0, 5, "X", text="joint", to_name=name)]}]}
    document = read_one(tmp_path, other)
    assert (document.text, document.mentions[0].text) == (expected, "joint")
    assert again(tmp_path, document)[0] == [other]


def test_old_and_short_exports_are_read(tmp_path: Path) -> None:
    old = {"data": {"text": TEXT}, "completions": [{"result": [region("a", 0, 6, "X")]}]}
    assert found(read_one(tmp_path, old)) == [("X", "Severe")]
    value = region("a", 0, 6, "X")["value"]
    short = {"id": 5, "text": TEXT, "tag": [value], "annotator": 1, "created_at": "2024", "lead_time": 1.5, "tags": []}
    document = read_one(tmp_path, short)
    assert (document.id, found(document)) == (5, [("X", "Severe")])
    assert document.extras["tags"] == []
    assert read_one(tmp_path, {"text": "a"}) == Document("a")


def test_ids_that_label_studio_did_not_give_are_data(tmp_path: Path) -> None:
    both = {"id": 7, "data": {"text": "a", "id": "d1"}}
    document = read_one(tmp_path, both)
    assert document.id == "d1"
    assert again(tmp_path, document)[0] == [both]


def test_unknown_keys_with_no_place_are_counted(tmp_path: Path) -> None:
    mention = Mention("X", [(0, 1)], "a", extras={"label-studio": 3})
    _, lost = again(tmp_path, Document("a", [mention], extras={"text": 1, "label-studio": "x"}))
    assert set(lost) == {
        "values of the key 'text' (1)",
        "values of the key 'label-studio' (1)",
        "values of the mentions' key 'label-studio' (1)",
    }


def test_unknown_keys_of_a_mention_without_room_are_counted(tmp_path: Path) -> None:
    parts = [{"meta": "note"}]
    mention = Mention("X", [(0, 1)], "a", extras={"by": 1, "label-studio": parts})
    (back,), lost = again(tmp_path, Document("a", [mention]))
    assert (back["annotations"][0]["result"][0]["meta"], lost) == ("note", ["values of the mentions' key 'by' (1)"])


@pytest.mark.parametrize(
    "kept", [{"data": 3}, {"data": {"text_key": 3}}, {"data": {"text_key": "id"}}, {"data": {"a": 1}}]
)
def test_what_is_kept_and_was_not_read_here_is_counted(tmp_path: Path, kept: Any) -> None:
    document = Document("a", id="d1", extras={"label-studio": kept})
    assert again(tmp_path, document) == (
        [{"data": {"text": "a", "id": "d1"}}],
        ["values of the key 'label-studio' (1)"],
    )


def test_keys_that_are_nested_too_deeply_are_an_error(tmp_path: Path) -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(CannotHoldError, match="document 'd1': an unknown key is nested too deeply"):
        write([Document("a", id="d1", extras={"deep": deep})], tmp_path / "a.label-studio.json")
    assert not list(tmp_path.iterdir())


def changed(**others: Any) -> dict[str, Any]:
    return task({**region("a", 0, 6, "X"), **others})


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (3, "one JSON object"),
        ({"data": []}, "'data' must hold an object"),
        ({"data": {}}, "cannot tell which key of 'data' holds the text"),
        ({"data": {"a": "1", "b": "2"}}, "cannot tell which key of 'data' holds the text"),
        ({"data": {"text": "\ud83d"}}, "surrogate"),
        ({"data": {"text": "a"}, "id": 1.5}, "an id must be"),
        ({"data": {"text": "a"}, "annotations": {}}, "'annotations' must hold a list"),
        ({"data": {"text": "a"}, "annotations": [{"result": {}}]}, "'result' must hold a list"),
        ({"data": {"text": "a"}, "meta": {"disconer": {"words": 3}}}, "'words' must hold a list"),
        ({"data": {"text": "a"}, "meta": {"disconer": {"words": [[0, 9]]}}}, "the word 0-9 lies outside"),
        (task("x"), "a result must be an object"),
        (changed(value=3), "a result must be an object"),
        (changed(type="hypertextlabels"), "not of plain text"),
        (changed(value={"labels": "X"}), "'labels' must hold a list"),
        (changed(value={"labels": ["X"]}), "'start' and 'end' of a region must be whole numbers"),
        (changed(value={"start": "/div[1]", "end": 1, "labels": ["X"]}), "must be whole numbers"),
        (changed(value={"start": 0, "end": 1.5, "labels": ["X"]}), "must be whole numbers"),
        (changed(value={"start": 0, "end": 10**30, "labels": ["X"]}), "outside the text"),
        (changed(value={"start": 3, "end": 2, "labels": ["X"]}), "reversed"),
        (changed(value={"start": 0, "end": 1, "labels": [["X"]]}), "labels of a region must be strings"),
        (changed(value={"start": 0, "end": 1, "labels": [""]}), "a mention needs a label"),
        (task(region("a", 0, 6, "X"), region("b", 3, 9, "X"), relation("a", "b")), "overlap"),
        (task(region("a", 0, 6, "X"), region("b", 7, 9, "X", to_name="title")), "regions of several texts"),
        (task({"type": "relation", "labels": "same"}), "'labels' must hold a list"),
    ],
)
def test_bad_tasks_are_named(tmp_path: Path, content: Any, complaint: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(f'[{{"data": {{"text": "fine"}}}},\n{json.dumps(content)}]', encoding="utf-8")
    tasks = read(path)
    assert next(tasks).text == "fine"
    with pytest.raises(InputError, match=complaint) as caught:
        next(tasks)
    assert (caught.value.path, caught.value.line) == (path, 2)
