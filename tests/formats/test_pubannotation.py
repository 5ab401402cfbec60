import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, read, write
from disconer.exceptions import CannotHoldError
from disconer.formats import detect_input
from disconer.tokenize import Layout
from tests.strategies import JSON, documents

TEXT = "Severe joint and shoulder pain."
EXAMPLE: dict[str, Any] = {
    "text": TEXT,
    "sourceid": "123",
    "denotations": [
        {"id": "T1", "span": [{"begin": 0, "end": 12}, {"begin": 26, "end": 30}], "obj": "ADR"},
        {"id": "T2", "span": [{"begin": 0, "end": 6}, {"begin": 17, "end": 30}], "obj": "ADR", "by": {"me": 1}},
        {"id": "E1", "span": {"begin": 7, "end": 12}, "obj": "body part"},
    ],
    "sourcedb": "PubMed",
    "project": "pains",
    "namespaces": [{"prefix": "_base", "uri": "http://example.org/"}],
    "blocks": [{"id": "B1", "span": {"begin": 0, "end": 31}, "obj": "sentence"}],
    "relations": [
        {"id": "R1", "subj": "E1", "pred": "partOf", "obj": "T1"},
        {"id": "R2", "subj": "T1", "pred": "in", "obj": "B1"},
    ],
    "attributes": [
        {"id": "A2", "subj": "T2", "pred": "score", "obj": 0.25},
        {"id": "A1", "subj": "T1", "pred": "negated", "obj": True},
        {"id": "A3", "subj": "R1", "pred": "sure", "obj": "no"},
    ],
    "modifications": [{"id": "M1", "pred": "Negation", "obj": "R1"}],
}
CHAINED: list[dict[str, Any]] = [
    {"id": "T1-0", "span": {"begin": 0, "end": 6}, "obj": "_FRAGMENT"},
    {"id": "T1-1", "span": {"begin": 7, "end": 12}, "obj": "_FRAGMENT"},
    {"id": "T1-2", "span": {"begin": 26, "end": 30}, "obj": "ADR"},
    {"id": "T2-1", "span": {"begin": 17, "end": 30}, "obj": "ADR"},
]


def written(path: Path, *values: object) -> Path:
    path.write_text("\n".join(json.dumps(value) for value in values), encoding="utf-8")
    return path


def record(*denotations: object, **others: object) -> dict[str, object]:
    return {"text": TEXT, "denotations": denotations, **others}


def one(tmp_path: Path, value: object) -> Document:
    (document,) = read(written(tmp_path / "one.json", value), "pubannotation")
    return document


def link(subject: str, object: str) -> dict[str, str]:
    return {"pred": "_lexicallyChainedTo", "subj": subject, "obj": object}


def without_ids(document: Document) -> Document:
    """Leave out the ids of mentions, which are given to those that have none, and name the sentences."""
    layout = Layout(document.text, document.layout.given_words, document.layout.sentences)
    document = Document(layout, document, document.id, document.extras)
    extras = [{key: value for key, value in mention.extras.items() if key != "id"} for mention in document]
    return document.with_mentions(
        Mention(mention.label, mention.fragments, document.layout, mention.score, left)
        for mention, left in zip(document, extras, strict=True)
    )


@settings(max_examples=60)
@given(drawn=st.lists(documents(), max_size=2))
def test_everything_survives_a_round_trip(tmp_path_factory: pytest.TempPathFactory, drawn: list[Document]) -> None:
    path = tmp_path_factory.mktemp("pubannotation") / "documents.pubannotation.json"
    losses = write(drawn, path)
    assert [without_ids(document) for document in read(path, "pubannotation")] == [*map(without_ids, drawn)]
    assert losses.lines() == []


def test_sentences_that_a_reader_would_split_are_written(tmp_path: Path) -> None:
    write([Document(" Severe. Joint pain. ")], tmp_path / "a.pubannotation.json")
    assert [document.layout.sentences for document in read(tmp_path / "a.pubannotation.json")] == [((1, 20),)]


RESERVED = st.dictionaries(st.sampled_from(["text", "entities", "sentences", "words", "id"]), JSON, max_size=2)
RESERVED_OF_MENTIONS = st.dictionaries(st.sampled_from(["label", "spans", "score"]), JSON, max_size=2)
OWN = st.dictionaries(
    st.sampled_from(["disconer", "denotations", "relations", "span", "obj", "sourceid", "tracks"]), JSON, max_size=2
)


@settings(max_examples=50)
@given(document=documents(), own=OWN, reserved=RESERVED, of_mentions=RESERVED_OF_MENTIONS)
def test_keys_of_any_name_survive_but_for_those_of_jsonl(
    tmp_path_factory: pytest.TempPathFactory,
    document: Document,
    own: dict[str, object],
    reserved: dict[str, object],
    of_mentions: dict[str, object],
) -> None:
    def named(of_document: dict[str, object], of_mention: dict[str, object]) -> Document:
        layout = document.layout
        mentions = (
            Mention(one.label, one.fragments, layout, one.score, {**one.extras, **own, **of_mention})
            for one in document
        )
        return Document(layout, mentions, document.id, {**document.extras, **own, **of_document})

    path = tmp_path_factory.mktemp("pubannotation") / "documents.pubannotation.json"
    losses = write([named(reserved, of_mentions)], path)
    assert [*map(without_ids, read(path))] == [without_ids(named({}, {}))]
    count = len(document)
    assert set(losses.lines()) == {
        *(f"values of the key {key!r} (1)" for key in reserved),
        *(f"values of the mentions' key {key!r} ({count})" for key in of_mentions if count),
    }


def test_keys_that_are_nested_too_deeply_are_an_error(tmp_path: Path) -> None:
    value: list[object] = []
    for _ in range(3000):
        value = [value]
    with pytest.raises(CannotHoldError, match=r"^document 'd': .* nested too deeply"):
        write([Document("x", id="d", extras={"k": value})], tmp_path / "a.pubannotation.json")
    assert not list(tmp_path.iterdir())


def test_reads_what_is_published(tmp_path: Path) -> None:
    document = one(tmp_path, EXAMPLE)
    assert document.id == "123"
    assert [(mention.label, mention.text, mention.score) for mention in document] == [
        ("ADR", "Severe joint pain", None),
        ("ADR", "Severe shoulder pain", 0.25),
        ("body part", "joint", None),
    ]
    assert [mention.extras["id"] for mention in document] == ["T1", "T2", "E1"]
    assert document.mentions[1].extras["pubannotation"] == {"by": {"me": 1}}
    assert document.extras["pubannotation"]["sourcedb"] == "PubMed"


@pytest.mark.parametrize("through", [(), ("jsonl",), ("bioc",), ("bioc-json", "jsonl")])
def test_everything_is_kept_from_pubannotation_to_pubannotation(tmp_path: Path, through: tuple[str, ...]) -> None:
    path, format = written(tmp_path / "a.json", EXAMPLE), "pubannotation"
    for number, following in enumerate((*through, "pubannotation")):
        target = tmp_path / str(number)
        assert write(read(path, format), target, following).lines() == []
        path, format = target, following
    assert json.loads(path.read_text()) == EXAMPLE


def test_a_document_is_written_on_a_line(tmp_path: Path) -> None:
    layout = Layout("Übel 🙂!", given_sentences=((0, 6),), given_words=((0, 4),))
    mention = Mention("ADR", [(0, 2), (5, 6)], layout, 0.5, {"cui": "C1"})
    path = tmp_path / "a.pubannotation.json"
    write([Document(layout, [mention], 7, {"lang": "de"}), Document("x")], path)
    assert path.read_text(encoding="utf-8") == (
        '{"text": "Übel 🙂!", "sourceid": 7, "denotations": [{"id": "T1", "span": [{"begin": 0, "end": 2}, '
        '{"begin": 5, "end": 6}], "obj": "ADR", "disconer": {"cui": "C1"}}], '
        '"attributes": [{"id": "A1", "subj": "T1", "pred": "score", "obj": 0.5}], '
        '"disconer": {"words": [[0, 4]], "lang": "de", "sentences": [[0, 6]]}}\n'
        '{"text": "x", "denotations": []}\n'
    )


@pytest.mark.parametrize("values", [[EXAMPLE, {"text": "x"}], [[EXAMPLE, {"text": "x"}]]])
def test_an_array_and_an_object_a_line_will_do(tmp_path: Path, values: list[object]) -> None:
    path = written(tmp_path / "a.json", *values)
    assert [document.text for document in read(path, "pubannotation")] == [TEXT, "x"]
    assert detect_input(path).name == "pubannotation"


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([link("T1-1", "T1-0"), link("T1-2", "T1-1")], ["Severe joint pain", "shoulder pain"]),
        ([link("T1-2", "T1-1"), link("T1-1", "T1-0")], ["Severe joint pain", "shoulder pain"]),
        ([link("T1-2", "T1-0"), link("T2-1", "T1-0")], ["joint", "Severe pain", "Severe shoulder pain"]),
        ([link("T1-2", "T1-0"), link("T1-2", "T1-1")], ["Severe joint pain", "shoulder pain"]),
        ([link("T1-2", "gone")], ["Severe", "joint", "pain", "shoulder pain"]),
    ],
)
def test_chained_denotations_are_one_mention(tmp_path: Path, links: list[object], expected: list[str]) -> None:
    document = one(tmp_path, record(*CHAINED, relations=links))
    assert [mention.text for mention in document] == expected
    assert {mention.label for mention in document if mention.is_discontinuous} <= {"ADR"}


def test_chains_become_lists_of_spans(tmp_path: Path) -> None:
    links = [link("T1-1", "T1-0"), link("T1-2", "T1-1"), {"subj": "T1-2", "pred": "p", "obj": "T2-1"}]
    document = one(tmp_path, record(*CHAINED, relations=links))
    write([document], tmp_path / "again.pubannotation.json")
    back = json.loads((tmp_path / "again.pubannotation.json").read_text())
    assert back["denotations"][0] == {
        "id": "T1-2",
        "span": [{"begin": 0, "end": 12}, {"begin": 26, "end": 30}],
        "obj": "ADR",
    }
    assert back["relations"] == links[2:]


def test_a_chain_that_bites_its_tail_is_an_error(tmp_path: Path) -> None:
    links = [link("T1-0", "T1-1"), link("T1-1", "T1-0")]
    with pytest.raises(InputError, match="the chain of the denotation 'T1-0' leads back to itself"):
        one(tmp_path, record(*CHAINED, relations=links))


def test_long_chains_are_followed(tmp_path: Path) -> None:
    text = "x y " * 5000
    denotations = [{"id": f"T{at}", "span": {"begin": 4 * at, "end": 4 * at + 1}, "obj": "X"} for at in range(5000)]
    links = [link(f"T{at + 1}", f"T{at}") for at in range(4999)]
    document = one(tmp_path, {"text": text, "denotations": denotations, "relations": links})
    assert [len(mention.fragments) for mention in document] == [5000]


@pytest.mark.parametrize(
    ("attributes", "score", "others"),
    [
        ([{"subj": "T1", "pred": "score", "obj": 1}], 1, 0),
        ([{"subj": "T1", "pred": "score", "obj": "0.5"}], 0.5, 0),
        ([{"subj": "T1", "pred": "score", "obj": 0.5}, {"subj": "T1", "pred": "score", "obj": 0.7}], 0.5, 1),
        ([{"subj": "T1", "pred": "score", "obj": 7}], None, 1),
        ([{"subj": "T1", "pred": "score", "obj": True}], None, 1),
        ([{"subj": "T1", "pred": "score", "obj": None}], None, 1),
        ([{"subj": ["T1"], "pred": "score", "obj": 0.5}], None, 1),
        ([{"subj": "T9", "pred": "score", "obj": 0.5}], None, 1),
        (["odd"], None, 1),
    ],
)
def test_the_attribute_score_is_the_score(
    tmp_path: Path, attributes: list[object], score: float | None, others: int
) -> None:
    document = one(tmp_path, record({"id": "T1", "span": {"begin": 0, "end": 6}, "obj": "X"}, attributes=attributes))
    assert [mention.score for mention in document] == [score]
    assert len(document.extras.get("pubannotation", {}).get("attributes", [])) == others


def test_what_is_about_mentions_that_are_gone_goes_too(tmp_path: Path) -> None:
    document = one(tmp_path, EXAMPLE)
    new = Mention("X", [(0, 6)], document.layout, 0.5)
    losses = write([document.with_mentions([document.mentions[0], new])], tmp_path / "again.pubannotation.json")
    back = json.loads((tmp_path / "again.pubannotation.json").read_text())
    assert [one["id"] for one in back["denotations"]] == ["T1", "T2"]
    assert [one["id"] for one in back["relations"]] == ["R2"]
    assert [(one["id"], one["subj"]) for one in back["attributes"]] == [("A2", "T2"), ("A1", "T1")]
    assert back["modifications"] == []
    assert losses.lines() == [
        "PubAnnotation relations that refer to something that is not there (1)",
        "PubAnnotation attributes that refer to something that is not there (1)",
        "PubAnnotation modifications that refer to something that is not there (1)",
    ]


def test_ids_are_used_once_and_new_ones_are_free(tmp_path: Path) -> None:
    layout = Layout(TEXT)
    ids: list[dict[str, object]] = [{"id": "T1"}, {"id": "T1"}, {}, {"id": 5}, {"id": ""}]
    relations = {"relations": [{"subj": "T1", "pred": "p", "obj": "T2"}]}
    mentions = [Mention("X", [(0, 6)], layout, extras=extras) for extras in ids]
    document = Document(layout, mentions, extras={"pubannotation": relations})
    write([document], tmp_path / "a.pubannotation.json")
    back = json.loads((tmp_path / "a.pubannotation.json").read_text())
    assert [one["id"] for one in back["denotations"]] == ["T1", "T3", "T4", "T5", "T6"]
    (read_back,) = read(tmp_path / "a.pubannotation.json")
    assert [mention.extras["id"] for mention in read_back] == ["T1", "T1", "T4", 5, ""]


def test_parts_of_a_document_are_told_apart(tmp_path: Path) -> None:
    parts = [{**EXAMPLE, "sourcedb": "PMC", "divid": number} for number in (0, 1)]
    path = written(tmp_path / "a.json", parts)
    assert [document.id for document in read(path)] == ["123-0", "123-1"]
    write(read(path), tmp_path / "b.jsonl")
    write(read(tmp_path / "b.jsonl"), tmp_path / "c.pubannotation.json")
    lines = (tmp_path / "c.pubannotation.json").read_text().splitlines()
    assert [json.loads(line) for line in lines] == parts


@pytest.mark.parametrize(
    "value",
    [None, 5, "x", [1], {}, {"text": "x"}, {"denotations": []}, {"relations": 5}, {"disconer": {}}, {"tracks": [{}]},
     {"divid": 3},
     {"sourceid": "other"}, {"relations": [link("T1", "T2")]}],
)  # fmt: skip
def test_a_key_that_is_only_called_pubannotation_is_an_unknown_key(tmp_path: Path, value: object) -> None:
    layout = Layout(TEXT)
    mentions = [Mention("X", [(0, 6)], layout, extras={"id": name, "pubannotation": 7}) for name in ("T1", "T2")]
    document = Document(layout, mentions, "d", {"pubannotation": value})
    assert write([document], tmp_path / "a.pubannotation.json").lines() == []
    assert list(read(tmp_path / "a.pubannotation.json")) == [document]


GOOD = {"begin": 0, "end": 6}


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({"denotations": []}, "the key 'text' is missing"),
        ({"text": 5}, "the text must be a string"),
        ({"text": "x", "denotations": {}}, "'denotations' must hold a list"),
        ({"text": "x", "relations": {}}, "'relations' must hold a list"),
        ({"text": "x", "attributes": "x"}, "'attributes' must hold a list"),
        ({"text": "x", "tracks": [{"denotations": []}]}, "of several projects"),
        ({"text": "x", "sourceid": []}, "an id must be"),
        ({"text": "x", "sourceid": [], "divid": 1}, "an id must be"),
        ({"text": "x", "disconer": 5}, "what stands under 'disconer'"),
        ({"text": "x", "disconer": {"entities": []}}, "what stands under 'disconer'"),
        ({"text": "x", "disconer": {"words": 5}}, "'words' must hold a list"),
        (record(5), "a denotation must be an object"),
        (record({"id": "T1", "obj": "X"}), "denotation 'T1': a fragment must be a pair of whole numbers"),
        (record({"id": "T1", "obj": "X", "span": None}), "denotation 'T1': a denotation needs a span"),
        (record({"id": "T1", "obj": "X", "span": [[0, 6]]}), "denotation 'T1': a denotation needs a span"),
        (record({"id": "T1", "obj": "X", "span": []}), "denotation 'T1': a mention needs at least one fragment"),
        (record({"obj": "X", "span": {"begin": "0", "end": 6}}), "pair of whole numbers"),
        (
            record({"id": "T1", "obj": "X", "span": {"begin": 0, "end": 99}}),
            "denotation 'T1': .* lies outside the text",
        ),
        (record({"id": "T1", "obj": "X", "span": {"begin": 6, "end": 0}}), "denotation 'T1': .* empty or reversed"),
        (record({"id": "T1", "obj": "X", "span": [GOOD, {"begin": 3, "end": 9}]}), "denotation 'T1': .* overlap"),
        (record({"id": "T1", "span": GOOD}), "denotation 'T1': a mention needs a label"),
        (record({"id": "T1", "span": GOOD, "obj": None}), "denotation 'T1': a label must be a string"),
        (record({"id": "T1", "span": GOOD, "obj": "X", "disconer": {"label": 1}}), "denotation 'T1': what stands"),
        ([5], "a record must be one JSON object"),
    ],
)
def test_bad_documents_are_named(tmp_path: Path, value: object, complaint: str) -> None:
    path = written(tmp_path / "bad.json", EXAMPLE, value)
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(path, "pubannotation"))
    assert (caught.value.path, caught.value.line) == (path, 2)


def test_the_older_places_of_offsets_and_odd_annotations_will_do(tmp_path: Path) -> None:
    odd = ["x", {"pred": 5}, {"subj": [], "obj": {}}, {"id": [], "subj": "T1", "pred": "p", "obj": "T1"}]
    value = record(
        {"id": "T1", "begin": 0, "end": 6, "obj": "X"}, relations=odd, attributes=odd, blocks=5, modifications=odd
    )
    document = one(tmp_path, value)
    assert [mention.text for mention in document] == ["Severe"]
    write([document], tmp_path / "again.pubannotation.json")
    assert list(read(tmp_path / "again.pubannotation.json")) == [document]


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", EXAMPLE, EXAMPLE, 5)
    documents = read(path, "pubannotation")
    assert [next(documents).id for _ in range(2)] == ["123", "123"]
