from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, read, write
from disconer.exceptions import CannotHoldError
from disconer.formats import detect_input
from disconer.formats.conll import looks_like
from disconer.formats.sentence_records import join_words
from disconer.passage import WordMention
from disconer.tokenize import Layout
from tests.strategies import CHARACTERS

EXAMPLE = "Severe\tB-ADR\npain\tI-ADR\nnausea\tB-ADR\n.\tO\n\n#\tO\nwell\tO\n\n"
WORDS = st.text(CHARACTERS.filter(lambda character: character not in " \t\n\r"), min_size=1, max_size=4).filter(
    lambda word: word != "-DOCSTART-"
)


@st.composite
def sentences(draw: st.DrawFn) -> Document:
    words = draw(st.lists(WORDS, min_size=1, max_size=8))
    layout = join_words(words)
    cuts = sorted(draw(st.sets(st.integers(0, len(words)), max_size=6)))
    runs = [(first, end - 1) for first, end in pairwise(cuts) if draw(st.booleans())]
    shell = Document(layout).sentences[0]
    return Document(layout, [shell.mention(WordMention(draw(st.sampled_from("AB")), (run,))) for run in runs])


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def found(path: Path) -> list[list[tuple[str, str]]]:
    return [[(mention.label, mention.text) for mention in document] for document in read(path, "conll")]


def test_reads_words_and_tags(tmp_path: Path) -> None:
    path = written(tmp_path / "train.txt", EXAMPLE)
    assert detect_input(path).name == "conll"
    first, second = read(path)
    assert [(mention.label, mention.text) for mention in first] == [("ADR", "Severe pain"), ("ADR", "nausea")]
    assert first.text == "Severe pain nausea ."
    assert first.layout.given_words == ((0, 6), (7, 11), (12, 18), (19, 20))
    assert first.layout.given_sentences == ((0, 20),)
    assert second.text == "# well"


def test_writes_what_it_reads(tmp_path: Path) -> None:
    losses = write(read(written(tmp_path / "train.conll", EXAMPLE)), tmp_path / "again.conll")
    assert (tmp_path / "again.conll").read_text(encoding="utf-8") == EXAMPLE
    assert losses.lines() == []


@settings(max_examples=50)
@given(documents=st.lists(sentences(), max_size=3))
def test_sentences_survive_a_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("conll") / "sentences.conll"
    losses = write(documents, path)
    assert list(read(path)) == documents
    assert losses.lines() == []


@pytest.mark.parametrize(
    "tags",
    ["B-X I-X B-X O B-Y B-X", "I-X I-X B-X O I-Y I-X", "B-X E-X S-X O S-Y S-X", "B-X L-X U-X O U-Y U-X",
     "B-X E-X S-X O B-Y B-X", "I-X E-X I-X O E-Y I-X"],
)  # fmt: skip
def test_every_scheme_is_understood(tmp_path: Path, tags: str) -> None:
    lines = "".join(f"{word} NN _ {tag}\n" for word, tag in zip("abcdef", tags.split(), strict=True))
    assert found(written(tmp_path / "a.conll", lines)) == [[("X", "a b"), ("X", "c"), ("Y", "e"), ("X", "f")]]


def test_tags_without_a_label_are_entities(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conll", "joint\tB\npain\tI\nrash\tB\n.\tO\nache\tI\n")
    assert found(path) == [[("entity", "joint pain"), ("entity", "rash"), ("entity", "ache")]]


def test_a_column_that_counts_is_not_the_word(tmp_path: Path) -> None:
    head = "# source\n1\tSo\tO\n\n"
    path = written(tmp_path / "a.conll", f"{head}1\tKnee\tB-X\n2\tpain\tI-X\n3\t1\tO\n\n1\tOuch\tO\n")
    assert [document.text for document in read(path)] == ["So", "Knee pain 1", "Ouch"]
    assert found(path)[1] == [("X", "Knee pain")]


def test_numbers_that_are_words_stay_words(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conll", "Take N O\n2 N O\n\n1 N O\n2 N O\n\n1 N O\n")
    assert [document.text for document in read(path)] == ["Take 2", "1 2", "1"]
    assert [document.text for document in read(written(path, "1 O\n2 O\n"))] == ["1 2"]


@pytest.mark.parametrize("line", ["2\tOuch\tO", "Ouch\tO", "1\t\tO"])
def test_a_sentence_that_does_not_count_like_those_before_is_named(tmp_path: Path, line: str) -> None:
    documents = read(written(tmp_path / "a.conll", f"1\ta\tO\n2\tb\tO\n\n{line}\n"))
    assert next(documents).text == "a b"
    with pytest.raises(InputError, match="counts the words of the sentences before") as caught:
        next(documents)
    assert caught.value.line == 4


def test_long_mentions_of_four_classes_are_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conll", "a B-X\nb M-X\nc E-X\nd B-X\ne I-X\nf L-X\n")
    assert found(path) == [[("X", "a b c"), ("X", "d e f")]]


def test_comments_document_marks_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    head = "# newdoc id = 1 O\n-DOCSTART- -X- -X- O\n\n\n"
    path = written(tmp_path / "a.conll", f"{head}# text = a\na N X B-X\n# N X O\n \nb N X O\n-DOCSTART- O\nc N X O")
    assert [document.text for document in read(path)] == ["a #", "b", "c"]


def test_windows_line_ends_and_a_byte_order_mark_will_do(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").encode())
    assert [document.text for document in read(path)] == ["Severe pain nausea .", "# well"]


def test_spacy_reads_what_is_written(tmp_path: Path) -> None:
    converters = pytest.importorskip("spacy.training.converters")
    text = "Severe pain nausea\nDizzy"
    mentions = [Mention("A", [(0, 11)], text), Mention("A", [(12, 18)], text), Mention("B", [(19, 24)], text)]
    write([Document(text, mentions)], tmp_path / "a.conll")
    (document,) = converters.conll_ner_to_docs((tmp_path / "a.conll").read_text(), no_print=True)
    assert [(entity.label_, entity.text) for entity in document.ents] == [
        ("A", "Severe pain"),
        ("A", "nausea"),
        ("B", "Dizzy"),
    ]


def test_gaps_and_overlaps_are_left_out_with_consent(tmp_path: Path) -> None:
    text = "severe joint and shoulder pain"
    mentions = [
        Mention("ADR", [(0, 12), (26, 30)], text),
        Mention("Site", [(7, 12)], text),
        Mention("ADR", [(0, 12)], text),
        Mention("B", [(17, 25)], text),
        Mention("A", [(17, 25)], text, 0.5),
        Mention("ADR", [(17, 30)], text, extras={"k": 1}),
        Mention("ADR", [(18, 30)], text),
    ]
    document = Document(text, mentions, "d")
    with pytest.raises(CannotHoldError, match=r"1 with gaps; 3 that overlap another\): add --lossy"):
        write([document], tmp_path / "a.conll")
    assert not list(tmp_path.iterdir())
    losses = write([document], tmp_path / "a.conll", lossy=True)
    lines = "severe\tB-ADR\njoint\tI-ADR\nand\tO\nshoulder\tB-ADR\npain\tI-ADR\n\n"
    assert (tmp_path / "a.conll").read_text() == lines
    assert losses.left_out == {"with gaps": 1, "that overlap another": 3}
    assert losses.noted == {
        "ids": 1,
        "scores": 1,
        "values of the mentions' key 'k'": 1,
        "mentions widened to whole words": 1,
        "mentions that say the same as another": 1,
    }


def test_of_two_that_are_as_long_the_first_is_kept(tmp_path: Path) -> None:
    document = Document("a b c", [("Late", [(2, 5)]), ("Early", [(0, 3)]), ("Same", [(0, 3)])])
    write([document], tmp_path / "a.conll", lossy=True)
    assert (tmp_path / "a.conll").read_text() == "a\tB-Early\nb\tI-Early\nc\tO\n\n"


def test_a_gap_without_a_word_is_closed(tmp_path: Path) -> None:
    losses = write([Document("joint \u200b pain", [("X", [(0, 5), (8, 12)])])], tmp_path / "a.conll")
    assert found(tmp_path / "a.conll") == [[("X", "joint pain")]]
    assert losses.noted["mentions whose gap holds no word, closed"] == 1


def test_documents_of_several_sentences_are_kept_apart(tmp_path: Path) -> None:
    documents = [Document("a"), Document("b\nc"), Document(" "), Document("d"), Document("e")]
    losses = write(documents, tmp_path / "a.conll")
    mark = "-DOCSTART-\tO\n\n"
    lines = f"a\tO\n\n{mark}b\tO\n\nc\tO\n\n{mark}d\tO\n\ne\tO\n\n"
    assert (tmp_path / "a.conll").read_text() == lines
    assert losses.noted["documents cut into sentences"] == 1
    assert losses.noted["documents without a word"] == 1
    assert [document.text for document in read(tmp_path / "a.conll")] == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    "document",
    [
        Document("a b", [("Body part", [(0, 1)])]),
        Document("a b", [("X\u00a0", [(0, 1)])]),
        Document(Layout("a b", ((0, 3),))),
        Document(Layout("-DOCSTART-", ((0, 10),))),
    ],
)
def test_what_it_has_no_way_to_write_is_an_error(tmp_path: Path, document: Document) -> None:
    with pytest.raises(CannotHoldError, match=r"^document 2: the (label|word) "):
        write([Document("fine"), document], tmp_path / "out.conll")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "line", ["alone", "\tO", "word tag", "word B-", "word E", "word Q-X", "word\tO\tNN", "word -X"]
)
def test_bad_lines_are_named(tmp_path: Path, line: str) -> None:
    path = written(tmp_path / "bad.conll", f"a O\n\n{line}\n")
    documents = read(path)
    assert next(documents).text == "a"
    with pytest.raises(InputError, match="expected a word and, in the last column, a tag") as caught:
        next(documents)
    assert (caught.value.path, caught.value.line) == (path, 3)


def test_text_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.conll"
    path.write_bytes("a O\n\ncafé O\n".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8") as caught:
        list(read(path))
    assert caught.value.line == 3


def test_an_empty_file_holds_no_sentences(tmp_path: Path) -> None:
    assert found(written(tmp_path / "a.conll", "")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EXAMPLE, True),
        ("-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\n", True),
        ("# comment\nword\tO\n", True),
        ("Dear all,\nit hurts.\n", False),
        ("Severe joint pain\n0,2 ADR\n\n", False),
        ("1|t|Title\n1|a|Abstract\n", False),
        ("1\tSchartau\tB-PER\n2\tsagte\tO\n", True),
        ("joint B\npain I\n. O\n", True),
        ("Have vitamin B\n", False),
        ("", False),
    ],
)
def test_recognises_itself(tmp_path: Path, text: str, expected: bool) -> None:
    assert looks_like(written(tmp_path / "a.txt", text)) is expected
