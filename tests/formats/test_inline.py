from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, InputError, read, write
from disconer.exceptions import CannotHoldError
from disconer.formats.inline import looks_like
from disconer.tokenize import Layout
from tests.strategies import CHARACTERS, word_mentions

EXAMPLE = """\
Severe joint , shoulder and upper body pain .
0,1,7,7 ADR|0,0,3,3,7,7 ADR|5,6 Body part

No mentions here .


"""
WORDS = st.text(CHARACTERS.filter(lambda character: character not in " \t\n\r"), min_size=1, max_size=4)


@st.composite
def sentences(draw: st.DrawFn) -> Document:
    words = draw(st.lists(WORDS, min_size=1, max_size=8))
    text = " ".join(words)
    ends = [len(" ".join(words[: index + 1])) for index in range(len(words))]
    spans = tuple((end - len(word), end) for word, end in zip(words, ends, strict=True))
    layout = Layout(text, spans, ((0, len(text)),))
    found = draw(st.lists(word_mentions(len(words), ["ADR", "Body part", "x,1"]), max_size=4, unique=True))
    shell = Document(layout).sentences[0]
    return Document(layout, {(mention := shell.mention(drawn)).key: mention for drawn in found}.values())


def test_reads_the_three_lines(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text(EXAMPLE, encoding="utf-8")
    first, second = read(path)
    assert [(mention.label, mention.text) for mention in first] == [
        ("ADR", "Severe joint pain"),
        ("ADR", "Severe shoulder pain"),
        ("Body part", "upper body"),
    ]
    assert len(first.layout.words) == 9
    assert first.layout.given_sentences == ((0, len(first.text)),)
    assert second.mentions == ()


def test_writes_what_it_reads(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text(EXAMPLE, encoding="utf-8")
    losses = write(read(path), tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text(encoding="utf-8") == EXAMPLE
    assert losses.lines() == []


@given(documents=st.lists(sentences(), max_size=3))
def test_sentences_survive_a_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("inline") / "sentences.inline"
    losses = write(documents, path)
    assert list(read(path)) == documents
    assert losses.lines() == []


def test_windows_line_ends_a_byte_order_mark_and_a_missing_last_line_will_do(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").rstrip().encode())
    assert [document.text.split()[0] for document in read(path)] == ["Severe", "No"]


def test_what_it_cannot_hold_is_counted(tmp_path: Path) -> None:
    text = "Bad  joint-pains.\nAnd nausea"
    mentions = [("A", [(5, 14)]), ("A", [(5, 15)]), ("A", [(0, 3), (22, 28)]), ("A", [(0, 3)]), ("A", [(0, 3)])]
    document = Document(text, mentions, "d1", {"k": 1})
    with pytest.raises(CannotHoldError, match=r"1 that lie in no single sentence\): add --lossy"):
        write([document], tmp_path / "out.inline")
    assert not list(tmp_path.iterdir())
    losses = write([document, Document(" ")], tmp_path / "out.inline", lossy=True)
    assert losses.lines()[0] == "mentions that lie in no single sentence (1)"
    assert set(losses.lines()[1:]) == {
        "ids (1)",
        "values of the key 'k' (1)",
        "mentions that say the same as another (2)",
        "documents without a word (1)",
        "documents cut into sentences (1)",
        "texts whose spacing is replaced by single spaces (2)",
        "mentions widened to whole words (2)",
    }
    assert (tmp_path / "out.inline").read_text() == "Bad joint - pains .\n1,3 A|0,0 A\n\nAnd nausea\n\n\n"


def test_a_gap_without_a_word_and_text_outside_sentences_are_counted(tmp_path: Path) -> None:
    invisible = Document("joint \u200b pain", [("X", [(0, 5), (8, 12)])])
    outside = Document(Layout("aa bb cc", given_sentences=((0, 5),)))
    losses = write([invisible, outside], tmp_path / "out.inline")
    assert losses.noted["mentions whose gap holds no word, closed"] == 1
    assert losses.noted["texts that are partly outside their sentences"] == 1


@pytest.mark.parametrize("value", [{}, {"tags": []}, {"tags": ["p", "q"]}, None, 3])
def test_every_unknown_key_is_counted_once(tmp_path: Path, value: object) -> None:
    assert write([Document("a", extras={"meta": value})], tmp_path / "o.inline").lines() == [
        "values of the key 'meta' (1)"
    ]


@pytest.mark.parametrize(
    ("lines", "line", "complaint"),
    [
        ("a b\n0,0 X\nc d\n", 3, "expected an empty line"),
        ("a b\n0 X\n\n", 2, "mention 1 is not pairs"),
        ("a b\n0,0\n\n", 2, "mention 1 is not pairs"),
        ("a b\n0,0,1 X\n\n", 2, "mention 1 is not pairs"),
        ("a b\n0,2 X\n\n", 2, "the word index 2 is too large"),
        ("a b\n1,0 X\n\n", 2, "reversed"),
        ("a b c\n0,1,1,2 X\n\n", 2, "overlap"),
        ("a\n0,0 X\n\nb\n5,5 X\n\n", 5, "too large"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, lines: str, line: int, complaint: str) -> None:
    path = tmp_path / "bad.inline"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(path))
    assert (caught.value.path, caught.value.line) == (path, line)


@pytest.mark.parametrize(
    "document",
    [
        Document("a b", [("X|Y", [(0, 1)])]),
        Document("a b", [(" X", [(0, 1)])]),
        Document("a b", [("X\nY", [(0, 1)])]),
        Document(Layout("a b", ((0, 3),))),
    ],
)
def test_what_it_has_no_way_to_write_is_an_error(tmp_path: Path, document: Document) -> None:
    with pytest.raises(CannotHoldError, match=r"^document 2: the (label|word) "):
        write([Document("fine"), document], tmp_path / "out.inline")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "expected"),
    [(EXAMPLE, True), ("a b\n\n\n", True), ("a b", True), ("Dear all,\nit hurts.\nBye", False), ("", True)],
)
def test_recognises_itself(tmp_path: Path, text: str, expected: bool) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    assert looks_like(path) is expected
