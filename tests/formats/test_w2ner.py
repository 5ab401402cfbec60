import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, read, write
from disconer.exceptions import CannotHoldError
from disconer.formats import detect_input
from disconer.formats.jsonl import DOCUMENT_KEYS, MENTION_KEYS
from disconer.formats.sentence_records import join_words
from disconer.tokenize import Layout
from tests.strategies import CHARACTERS, JSON, extras, word_mentions

EXAMPLE = [
    {
        "sentence": ["Severe", "joint", ",", "shoulder", "and", "upper", "body", "pain", "."],
        "ner": [
            {"index": [0, 1, 7], "type": "ADR"},
            {"index": [0, 3, 7], "type": "ADR", "score": 0.5, "by": "me"},
            {"index": [5, 6], "type": "Body part"},
        ],
        "word": [[0, 1], [2]],
        "id": "s1",
    },
    {"sentence": ["No", "mentions"], "ner": []},
]
WORDS = st.text(CHARACTERS, min_size=1, max_size=4).filter(lambda word: not word.isspace())


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@st.composite
def sentences(draw: st.DrawFn) -> Document:
    words = draw(st.lists(WORDS, min_size=1, max_size=8))
    layout = join_words(words)
    shell = Document(layout).sentences[0]
    found = [shell.mention(drawn) for drawn in draw(st.lists(word_mentions(len(words)), max_size=4))]
    mentions = [
        Mention(
            one.label,
            one.fragments,
            layout,
            draw(st.none() | st.floats(0, 1)),
            draw(extras(("index", "type", "w2ner", *MENTION_KEYS))),
        )
        for one in {mention.key: mention for mention in found}.values()
    ]
    identifier = draw(st.none() | st.integers() | st.text(max_size=5))
    return Document(layout, mentions, identifier, draw(extras(("sentence", "ner", "w2ner", *DOCUMENT_KEYS))))


def test_reads_word_indices_with_gaps(tmp_path: Path) -> None:
    path = written(tmp_path / "train.json", EXAMPLE)
    assert detect_input(path).name == "w2ner"
    first, second = read(path)
    assert [(mention.label, mention.text) for mention in first] == [
        ("ADR", "Severe joint pain"),
        ("ADR", "Severe shoulder pain"),
        ("Body part", "upper body"),
    ]
    assert (first.id, dict(first.extras)) == ("s1", {"word": [[0, 1], [2]]})
    assert (first.mentions[1].score, dict(first.mentions[1].extras)) == (0.5, {"by": "me"})
    assert first.layout.given_sentences == ((0, len(first.text)),)
    assert len(first.layout.words) == 9
    assert second.text == "No mentions"


def test_writes_what_it_reads(tmp_path: Path) -> None:
    losses = write(read(written(tmp_path / "train.json", EXAMPLE)), tmp_path / "again.w2ner.json")
    back = json.loads((tmp_path / "again.w2ner.json").read_text(encoding="utf-8"))
    assert back == EXAMPLE
    assert list(back[1]) == ["sentence", "ner"]
    assert losses.lines() == []


@settings(max_examples=50)
@given(documents=st.lists(sentences(), max_size=3))
def test_sentences_survive_a_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("w2ner") / "sentences.w2ner.json"
    losses = write(documents, path)
    assert list(read(path, "w2ner")) == documents
    assert losses.lines() == []


@settings(max_examples=50)
@given(
    of_sentence=st.dictionaries(st.sampled_from(("text", "entities", "words", "sentences", "w2ner", "x")), JSON),
    of_mention=st.dictionaries(st.sampled_from(("label", "spans", "w2ner", "x")), JSON),
)
def test_keys_with_names_of_others_survive_through_jsonl(
    tmp_path_factory: pytest.TempPathFactory, of_sentence: dict[str, object], of_mention: dict[str, object]
) -> None:
    folder = tmp_path_factory.mktemp("w2ner")
    record = {"sentence": ["a", "b"], "ner": [{"index": [1], "type": "X", **of_mention}], **of_sentence}
    losses = [
        write(read(written(folder / "a.w2ner.json", [record])), folder / "a.jsonl"),
        write(read(folder / "a.jsonl"), folder / "b.w2ner.json"),
    ]
    assert json.loads((folder / "b.w2ner.json").read_text(encoding="utf-8")) == [record]
    assert [one.lines() for one in losses] == [[], []]


def test_what_is_set_apart_and_was_not_read_here_is_counted(tmp_path: Path) -> None:
    layout = join_words(["a"])
    mention = Mention("X", [(0, 1)], layout, extras={"w2ner": 3})
    document = Document(layout, [mention], "d1", {"w2ner": {"id": 4, "ner": []}})
    losses = write([document], tmp_path / "a.w2ner.json")
    assert set(losses.lines()) == {"values of the key 'w2ner' (1)", "values of the mentions' key 'w2ner' (1)"}
    losses = write([Document(layout, [], "d1", {"w2ner": {"id": 4}})], tmp_path / "a.w2ner.json")
    assert losses.lines() == ["values of the key 'id' (1)"]
    assert next(read(tmp_path / "a.w2ner.json")).id == "d1"


def test_a_blank_word_is_an_error(tmp_path: Path) -> None:
    layout = Layout("joint \u00a0 pain", ((0, 5), (6, 7), (8, 12)))
    with pytest.raises(CannotHoldError, match="document 1: the word 6-7 is blank"):
        write([Document(layout)], tmp_path / "a.w2ner.json")
    assert not list(tmp_path.iterdir())


def test_records_a_line_and_unsorted_indices_will_do(tmp_path: Path) -> None:
    path = tmp_path / "lines.json"
    record = {"sentence": ["a", "b", "c"], "ner": [{"index": [2, 0], "type": "X"}]}
    path.write_bytes(b"\xef\xbb\xbf" + f"{json.dumps(record)}\r\n{json.dumps({'sentence': []})}\r\n".encode())
    first, second = read(path, "w2ner")
    assert first.mentions[0].text == "a c"
    assert (second.text, second.layout.words, second.sentences) == ("", (), ())


def test_what_it_cannot_hold_is_counted(tmp_path: Path) -> None:
    text = "Bad  joint-pains.\nAnd nausea"
    mentions = [
        Mention("A", [(5, 14)], text, 0.5, {"k": 1}),
        Mention("A", [(5, 15)], text),
        Mention("A", [(0, 3)], text, extras={"type": 2}),
    ]
    crossing = ("A", [(0, 3), (22, 28)])
    document = Document(text, [*mentions, crossing], "d1", {"k": 1})
    with pytest.raises(CannotHoldError, match=r"1 that lie in no single sentence\): add --lossy"):
        write([document], tmp_path / "out.w2ner.json")
    assert not list(tmp_path.iterdir())
    losses = write([document], tmp_path / "out.w2ner.json", lossy=True)
    assert set(losses.lines()) == {
        "mentions that lie in no single sentence (1)",
        "ids (1)",
        "values of the key 'k' (1)",
        "values of the mentions' key 'type' (1)",
        "mentions that say the same as another (1)",
        "documents cut into sentences (1)",
        "texts whose spacing is replaced by single spaces (1)",
        "mentions widened to whole words (2)",
    }
    assert json.loads((tmp_path / "out.w2ner.json").read_text()) == [
        {
            "sentence": ["Bad", "joint", "-", "pains", "."],
            "ner": [{"index": [1, 2, 3], "type": "A", "score": 0.5, "k": 1}, {"index": [0], "type": "A"}],
        },
        {"sentence": ["And", "nausea"], "ner": []},
    ]


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ([], "one JSON object"),
        ({}, "'sentence' must hold a list of words"),
        ({"sentence": "a b"}, "'sentence' must hold a list of words"),
        ({"sentence": ["a", 1]}, "'sentence' must hold a list of words"),
        ({"sentence": ["a", ""]}, "none of them empty or blank"),
        ({"sentence": ["Joint", "\u00a0", "pain"], "ner": [{"index": [0, 2], "type": "X"}]}, "empty or blank"),
        ({"sentence": ["\ud83d"]}, "surrogate"),
        ({"sentence": ["a"], "ner": {}}, "'ner' must hold a list"),
        ({"sentence": ["a"], "ner": ["x"]}, "'index' and 'type'"),
        ({"sentence": ["a"], "ner": [{"index": [0]}]}, "'index' and 'type'"),
        ({"sentence": ["a"], "ner": [{"index": 0, "type": "X"}]}, "'index' and 'type'"),
        ({"sentence": ["a"], "ner": [{"index": [], "type": "X"}]}, "which are 0 to 0"),
        ({"sentence": ["a"], "ner": [{"index": [1], "type": "X"}]}, "which are 0 to 0"),
        ({"sentence": ["a"], "ner": [{"index": [-1], "type": "X"}]}, "which are 0 to 0"),
        ({"sentence": ["a"], "ner": [{"index": [True], "type": "X"}]}, "which are 0 to 0"),
        ({"sentence": ["a"], "ner": [{"index": [[0]], "type": "X"}]}, "which are 0 to 0"),
        ({"sentence": ["a"], "ner": [{"index": [0, 0], "type": "X"}]}, "overlap"),
        ({"sentence": ["a"], "ner": [{"index": [0], "type": None}]}, "a label must be a string"),
        ({"sentence": ["a"], "ner": [{"index": [0], "type": "X", "score": "high"}]}, "score"),
        ({"sentence": ["a"], "id": 1.5}, "an id must be"),
    ],
)
def test_bad_records_are_named(tmp_path: Path, record: object, complaint: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(f'[{{"sentence": ["fine"]}},\n{json.dumps(record)}]', encoding="utf-8")
    documents = read(path, "w2ner")
    assert next(documents).text == "fine"
    with pytest.raises(InputError, match=complaint) as caught:
        next(documents)
    assert (caught.value.path, caught.value.line) == (path, 2)
