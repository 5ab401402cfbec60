import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, Split, read, write
from disconer.formats import detect_input
from disconer.tokenize import Layout
from tests.strategies import JSON, documents

EXAMPLE = {
    "id": "train_0",
    "text": "Severe joint and shoulder pain .",
    "word_list": ["Severe", "joint", "and", "shoulder", "pain", "."],
    "word2char_span": [[0, 6], [7, 12], [13, 16], [17, 25], [26, 30], [31, 32]],
    "entity_list": [
        {"text": "Severe joint pain", "type": "ADR", "char_span": [0, 12, 26, 30], "tok_span": [0, 2, 4, 5]},
        {"text": "Severe shoulder pain", "type": "ADR", "char_span": [0, 6, 17, 30], "score": 0.25},
    ],
    "relation_list": [{"predicate": "after"}],
}
# Unknown keys that bear a known name have tests of their own.
DOCUMENTS = documents().filter(
    lambda document: not any(one.extras.keys() & {"text", "type", "mac"} for one in (document, *document))
)


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def read_one(tmp_path: Path, record: object) -> Document:
    (document,) = read(written(tmp_path / "one.json", [record]), "mac")
    return document


def test_reads_flat_lists_of_fragments(tmp_path: Path) -> None:
    path = written(tmp_path / "train_data.json", [EXAMPLE])
    assert detect_input(path).name == "mac"
    (document,) = read(path)
    assert document.id == "train_0"
    assert [mention.text for mention in document] == ["Severe joint pain", "Severe shoulder pain"]
    assert document.layout.given_words == ((0, 6), (7, 12), (13, 16), (17, 25), (26, 30), (31, 32))
    assert document.extras == {"relation_list": [{"predicate": "after"}]}
    assert [mention.score for mention in document] == [None, 0.25]
    assert dict(document.mentions[0].extras) == {"tok_span": [0, 2, 4, 5]}


def test_writes_what_it_reads(tmp_path: Path) -> None:
    losses = write(read(written(tmp_path / "train_data.json", [EXAMPLE])), tmp_path / "again.mac.json")
    assert json.loads((tmp_path / "again.mac.json").read_text(encoding="utf-8")) == [EXAMPLE]
    assert losses.lines() == []


@settings(max_examples=50)
@given(documents=st.lists(DOCUMENTS, max_size=3))
def test_everything_survives_a_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("mac") / "documents.mac.json"
    losses = write(documents, path)
    back = list(read(path, "mac"))
    assert back == documents
    assert [document.layout.sentences for document in back] == [document.layout.sentences for document in documents]
    assert losses.lines() == []


def test_a_record_a_line_or_a_single_one_will_do(tmp_path: Path) -> None:
    lines = tmp_path / "lines.json"
    lines.write_text('{"text": "a", "entity_list": []}\n{"text": "b"}\n', encoding="utf-8")
    assert [document.text for document in read(lines)] == ["a", "b"]
    single = tmp_path / "single.json"
    single.write_text(json.dumps(EXAMPLE, indent=4), encoding="utf-8")
    assert [len(document) for document in read(single)] == [2]


def test_words_without_offsets_are_those_of_the_text(tmp_path: Path) -> None:
    document = read_one(tmp_path, {"text": "joint-pain now", "word_list": ["joint-pain", "now"]})
    assert document.layout.given_words == ((0, 10), (11, 14))
    assert document.extras == {}


@pytest.mark.parametrize(
    "contradictory",
    [
        {"word_list": ["joint", "pain"]},
        {"word_list": [1]},
        {"word_list": "joint pain"},
        {"word2char_span": [[0, 99]]},
        {"word2char_span": [["0", 5]]},
        {"word2char_span": None, "word_list": ["joint-pain"]},
        {"word_list": ["joint"], "word2char_span": [[0, 4]]},
    ],
)
def test_words_that_contradict_the_text_are_kept_and_not_believed(
    tmp_path: Path, contradictory: dict[str, object]
) -> None:
    document = read_one(tmp_path, {"text": "joint-pain", **contradictory})
    assert (document.layout.given_words, document.layout.given_sentences) == (None, None)
    assert document.extras == contradictory
    write([document], tmp_path / "again.json", "mac")
    assert json.loads((tmp_path / "again.json").read_text())[0].items() >= contradictory.items()


def test_sentences_that_are_something_else_are_kept_and_not_believed(tmp_path: Path) -> None:
    document = read_one(tmp_path, {"text": "joint-pain", "sentences": ["joint-pain"]})
    assert document.layout.given_sentences is None
    assert document.extras == {"mac": {"sentences": ["joint-pain"]}}


@settings(max_examples=50)
@given(
    of_text=st.dictionaries(st.sampled_from(("entities", "words", "sentences", "mac", "x")), JSON),
    of_mention=st.dictionaries(st.sampled_from(("label", "spans", "mac", "x")), JSON),
)
def test_keys_with_names_of_others_survive_through_jsonl(
    tmp_path_factory: pytest.TempPathFactory, of_text: dict[str, object], of_mention: dict[str, object]
) -> None:
    folder = tmp_path_factory.mktemp("mac")
    entity = {"text": "a", "type": "X", "char_span": [0, 1], **of_mention}
    record = {"text": "a b", "entity_list": [entity], **of_text}
    losses = [
        write(read(written(folder / "a.mac.json", [record])), folder / "a.jsonl"),
        write(read(folder / "a.jsonl"), folder / "b.mac.json"),
    ]
    assert json.loads((folder / "b.mac.json").read_text(encoding="utf-8")) == [record]
    assert [one.lines() for one in losses] == [[], []]


def test_a_text_that_is_not_at_the_offsets_is_kept_and_counted(tmp_path: Path) -> None:
    record = {"text": "joint pain", "entity_list": [{"text": "pain", "type": "X", "char_span": [0, 5]}]}
    document = read_one(tmp_path, record)
    assert dict(document.mentions[0].extras) == {"text": "pain"}
    losses = write([document], tmp_path / "again.json", "mac")
    assert losses.lines() == ["values of the mentions' key 'text' (1)"]


def test_a_text_of_another_spacing_is_the_same(tmp_path: Path) -> None:
    record = {"text": "关节 痛 肩", "entity_list": [{"text": "关节痛", "type": "X", "char_span": [0, 2, 3, 4]}]}
    assert dict(read_one(tmp_path, record).mentions[0].extras) == {}


def test_unknown_keys_that_bear_a_known_name_are_counted(tmp_path: Path) -> None:
    mention = Mention("X", [(0, 1)], "a", extras={"type": "Y"})
    losses = write([Document("a", [mention], extras={"entity_list": 3})], tmp_path / "a.json", "mac")
    assert set(losses.lines()) == {"values of the key 'entity_list' (1)", "values of the mentions' key 'type' (1)"}


def test_sentences_are_found_as_asked(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", [{"text": "One. Two.", "entity_list": []}])
    assert [len(next(read(path, split=split)).sentences) for split in (Split.AUTO, Split.ALWAYS)] == [1, 2]
    write([Document(Layout("One. Two.", given_sentences=((0, 4), (5, 9))))], path, "mac")
    assert len(next(read(path)).sentences) == 2


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ("text", "one JSON object"),
        ({}, "the key 'text' must be a string"),
        ({"text": ["a"]}, "the key 'text' must be a string"),
        ({"text": "\ud83d"}, "surrogate"),
        ({"text": "abc", "entity_list": {}}, "'entity_list' must hold a list"),
        ({"text": "abc", "entity_list": [[0, 1]]}, "'type' and 'char_span'"),
        ({"text": "abc", "entity_list": [{"type": "X", "text": "abc"}]}, "'type' and 'char_span'"),
        ({"text": "abc", "entity_list": [{"char_span": [0, 1]}]}, "'type' and 'char_span'"),
        ({"text": "abc", "entity_list": [{"type": "X", "char_span": [0, 1, 2]}]}, "one after the other"),
        ({"text": "abc", "entity_list": [{"type": "X", "char_span": []}]}, "at least one fragment"),
        ({"text": "abc", "entity_list": [{"type": "X", "char_span": [[0, 1], [2, 3]]}]}, "pair of whole numbers"),
        ({"text": "abc", "entity_list": [{"type": "X", "char_span": [0, 1.0]}]}, "pair of whole numbers"),
        ({"text": "abc", "entity_list": [{"type": "X", "char_span": [0, 10**30]}]}, "outside the text"),
        ({"text": "abc", "entity_list": [{"type": "X", "char_span": [0, 2, 1, 3]}]}, "overlap"),
        ({"text": "abc", "entity_list": [{"type": ["X"], "char_span": [0, 1]}]}, "a label must be a string"),
        ({"text": "abc", "entity_list": [{"type": "X", "char_span": [0, 1], "score": 7}]}, "score"),
        ({"text": "abc", "id": ["d"]}, "an id must be"),
        ({"text": "abc", "word2char_span": [[0, 3]], "sentences": [[0, 1]]}, "reaches over the end of a sentence"),
    ],
)
def test_bad_records_are_named(tmp_path: Path, record: object, complaint: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(f'[{{"text": "fine"}},\n{json.dumps(record)}]', encoding="utf-8")
    found = read(path, "mac")
    assert next(found).text == "fine"
    with pytest.raises(InputError, match=complaint) as caught:
        next(found)
    assert (caught.value.path, caught.value.line) == (path, 2)


def test_sentences_that_were_found_in_another_way_are_kept(tmp_path: Path) -> None:
    write([Document(Layout("One. Two.", split=Split.ALWAYS)), Document(Layout("One. Two."))], tmp_path / "a.mac.json")
    assert [len(document.sentences) for document in read(tmp_path / "a.mac.json")] == [2, 1]
