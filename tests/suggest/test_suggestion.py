"""Suggestions: sentences cut out of their documents, or documents, with what a model finds in them."""

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import log1p
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import disconer
from disconer import Document
from disconer.cli import main
from disconer.exceptions import InputError
from disconer.recognizer import Recognizer, as_document
from disconer.suggest.suggestion import Candidate, rank_candidates, suggest_documents
from disconer.tokenize import Layout
from tests.cli.calls import assert_one_line

NOTES = [
    "Severe joint pain after Zoloric 🙂.  Renal and hepatic failure were seen!\nNo rash.",
    "  \n",
    "Nausea.",
    "Severe joint pain after Zoloric 🙂.",
]


@pytest.fixture(scope="module")
def recognizer(model_folder: Path) -> Recognizer:
    return disconer.load(model_folder)


@pytest.fixture
def documents() -> list[Document]:
    return [Document(as_document(text).layout, id=f"note-{number}") for number, text in enumerate(NOTES)]


def test_every_sentence_is_suggested_once_where_it_stands(recognizer: Recognizer, documents: list[Document]) -> None:
    found = list(suggest_documents(recognizer, documents))
    assert sorted(str(one.id) for one in found) == ["note-0.1", "note-0.2", "note-0.3", "note-2.1", "note-3.1"]
    by_id = {document.id: document for document in documents}
    for rank, one in enumerate(found, start=1):
        about = one.extras["suggestion"]
        source = by_id[about["document"]]
        assert source.text[about["start"] :].startswith(one.text)
        assert about["rank"] == rank
        assert set(about["bits"]) == {"nodes", "edges", "cliques"}


def test_the_mentions_are_those_of_the_whole_document(recognizer: Recognizer, documents: list[Document]) -> None:
    answers = {one.id: one for one in recognizer.pipe(documents)}
    for one in suggest_documents(recognizer, documents):
        start = one.extras["suggestion"]["start"]
        expected = {
            (mention.label, tuple((begin - start, end - start) for begin, end in mention.fragments))
            for mention in answers[one.extras["suggestion"]["document"]]
            if start <= mention.start and mention.end <= start + len(one.text)
        }
        assert {(mention.label, tuple(map(tuple, mention.fragments))) for mention in one} == expected


def test_a_text_that_was_suggested_already_comes_later(recognizer: Recognizer, documents: list[Document]) -> None:
    order = [str(one.id) for one in suggest_documents(recognizer, documents)]
    once = [name for name in order if name != "note-3.1"]
    assert once.index("note-0.1") <= order.index("note-0.1")
    assert order.index("note-3.1") > order.index("note-0.1")
    gains = {str(one.id): one.extras["suggestion"]["gain"] for one in suggest_documents(recognizer, documents)}
    assert gains["note-3.1"] < gains["note-0.1"]


def test_whole_documents_are_ranked_as_they_are(recognizer: Recognizer, documents: list[Document]) -> None:
    found = list(suggest_documents(recognizer, documents, whole=True))
    assert sorted(str(one.id) for one in found) == ["note-0", "note-2", "note-3"]  # one has nothing to annotate
    assert {one.text for one in found} <= set(NOTES)
    assert [one.layout for one in found if one.id == "note-0"] == [documents[0].layout]


def test_documents_without_an_id_are_numbered(recognizer: Recognizer) -> None:
    (one,) = suggest_documents(recognizer, [as_document(" "), as_document("Bad rash.")], 5)
    assert one.id == "2.1"
    assert one.extras["suggestion"]["document"] == 2


def test_sentences_of_documents_that_share_an_id_are_told_apart(recognizer: Recognizer, tmp_path: Path) -> None:
    """Lines of a file may all bear the id of their document, and an id may be another's number."""
    shared = [
        Document("Bad rash.", id=2),
        Document("No pain."),
        Document("Legs felt weak.", id="2"),
        Document("x", id=""),
    ]
    found = list(suggest_documents(recognizer, shared))
    assert sorted(str(one.id) for one in found) == ["2.1", "2.1-2", "2.1-3", "4.1"]
    disconer.write(found, tmp_path / "brat")
    assert {one.text for one in disconer.read(tmp_path / "brat")} == {one.text for one in shared}
    whole = suggest_documents(recognizer, shared, whole=True)
    assert {one.id for one in whole} == {2, None, "2", ""}  # as they came


def test_a_long_document_is_not_read_again_for_each_of_its_sentences(
    recognizer: Recognizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = as_document(" ".join(f"Pain {number}." for number in range(40)))
    read: list[int] = []

    def counted(documents: Iterable[Document]) -> Iterator[Document]:
        for one in documents:
            read.append(len(one.sentences))
            yield one

    monkeypatch.setattr(recognizer, "pipe", lambda documents: iter(list(counted(documents))))
    assert len(list(suggest_documents(recognizer, [document], 10))) == len(read)
    assert read == [1] * 10


def test_words_and_sentences_that_are_given_are_kept(recognizer: Recognizer) -> None:
    layout = Layout("  .  Nausea/rash, then\npain", ((5, 11), (12, 16), (18, 22), (23, 27)), ((0, 2), (2, 4), (4, 27)))
    (one,) = suggest_documents(recognizer, [Document(layout, id="d")])
    assert (one.id, one.text) == ("d.3", " Nausea/rash, then\npain")
    assert [one.text[start:end] for start, end in one.layout.words] == ["Nausea", "rash", "then", "pain"]
    assert one.layout.sentences == ((0, len(one.text)),)
    (whole,) = suggest_documents(recognizer, [Document(layout, id="d")], whole=True)
    assert whole.layout == layout


def test_as_many_as_are_wanted(recognizer: Recognizer, documents: list[Document]) -> None:
    assert len(list(suggest_documents(recognizer, documents, 2))) == 2
    assert list(suggest_documents(recognizer, [], 2)) == []
    with pytest.raises(InputError, match="at 1 or above"):
        list(suggest_documents(recognizer, documents, 0))


def test_the_command_writes_what_can_be_corrected(model_folder: Path, tmp_path: Path) -> None:
    notes, chosen = tmp_path / "notes", tmp_path / "chosen"
    notes.mkdir()
    for number, text in enumerate(NOTES):
        (notes / f"note-{number}.txt").write_text(text, encoding="utf-8")
    assert (
        main(["suggest", str(model_folder), str(notes), "-n", "3", "-o", str(chosen), "--to", "brat", "--quiet"]) == 0
    )
    assert len(list(chosen.glob("*.ann"))) == 3
    corrected = list(disconer.read(chosen))
    assert all(document.text in " ".join(NOTES) for document in corrected)


def test_the_command_prints_jsonl_and_drawings(
    model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(NOTES[0], encoding="utf-8")
    assert main(["suggest", str(model_folder), str(path), "-n", "2"]) == 0
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert [line["suggestion"]["rank"] for line in lines] == [1, 2]
    assert printed.err == "2 suggestions of 1 document with 3 sentences\n"
    assert main(["suggest", str(model_folder), str(path), "-n", "1", "--draw", "--quiet"]) == 0
    assert "╰" in capsys.readouterr().out


def test_a_wrong_call_is_a_line(model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", str(model_folder), str(tmp_path / "none.txt")]) == 2
    assert_one_line(capsys.readouterr().err)
    (tmp_path / "a.txt").write_text("Pain.", encoding="utf-8")
    assert main(["suggest", str(model_folder), str(tmp_path / "a.txt"), "--draw", "-o", "-"]) == 2
    assert "name a file for the rest" in capsys.readouterr().err


CANDIDATES = st.lists(
    st.builds(
        Candidate,
        st.dictionaries(st.sampled_from(["joint", "pain", "rash", "liver"]), st.floats(0, 8, allow_subnormal=False)),
        st.floats(1, 50),
    ),
    max_size=9,
)


def value(candidates: list[Candidate]) -> float:
    """Say what candidates are worth together, by the definition."""
    words = {word for candidate in candidates for word in candidate.bits}
    return sum(log1p(sum(candidate.bits.get(word, 0.0) for candidate in candidates)) for word in words)


@given(CANDIDATES)
def test_each_adds_the_most_for_its_cost(candidates: list[Candidate]) -> None:
    taken: list[Candidate] = []
    left = dict(enumerate(candidates))
    for number, gain in rank_candidates(candidates):
        gains = {other: (value([*taken, one]) - value(taken)) / one.cost for other, one in left.items()}
        assert gain == pytest.approx(gains[number], abs=1e-9)
        assert gain >= max(gains.values()) - 1e-9
        taken.append(left.pop(number))
    assert not left


@given(CANDIDATES)
def test_gains_never_rise(candidates: list[Candidate]) -> None:
    gains = [gain for _, gain in rank_candidates(candidates)]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(gains))


def test_the_same_again_comes_last() -> None:
    same = Candidate({"jaundice": 4.0}, 10)
    others = [Candidate({word: 1.5}, 10) for word in ("rash", "nausea")]
    assert [number for number, _ in rank_candidates([same, same, *others])] == [0, 2, 3, 1]


def test_of_equals_the_first_is_taken() -> None:
    assert [number for number, _ in rank_candidates([Candidate({}, 1)] * 4)] == [0, 1, 2, 3]
