from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from disconer import Document, InputError, Mention, read, write
from disconer.corpora import NAMES, find_corpus
from disconer.corpora.building import FigureDifference, build
from disconer.corpora.corpus import ALL, Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.corpora.sentences import cut
from disconer.tokenize import Layout, Split
from tests.corpora.downloads import folder_of
from tests.strategies import documents

TEXT = "Severe joint and hip pain.\nNo rash. "


def corpus(published: dict[str, Figures], split: str | None = None) -> PublicCorpus:
    """Make a corpus whose texts all say the same: a word that is cut, a mention with a gap and one of another type."""

    def read_articles(download: Download, _request: Request, ledger: Ledger) -> Iterator[Article]:
        for name in sorted(download.files):
            layout = Layout(download.text(name), split=Split.ALWAYS)
            found = [
                ledger.make_mention(label, spans, layout, name)
                for label, spans in (("ADR", [(0, 12), (21, 25)]), ("Drug", [(30, 34)]), ("ADR", [(21, 34)]),
                                     ("ADR", [(30, 34), (28, 32)]), ("ADR", [(30, 99)]), ("ADR", [(4, 4)]))
            ]  # fmt: skip
            yield Article(Document(layout, [mention for mention in found if mention], name), name, split)

    return PublicCorpus(
        name="invented", title="", licence="", source="", files="", wanted=r"\.txt", read=read_articles, split="",
        default_types=("ADR",), published=published, published_in="nowhere",
    )  # fmt: skip


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "raw", {f"{number}.txt": TEXT for number in range(20)})


def test_sentences_types_and_everything_that_was_not_taken_over(raw: Path) -> None:
    built = build(corpus({}), raw, Request())
    assert built.documents == {"train": 14, "dev": 3, "test": 3}
    assert {name: len(found) for name, found in built.splits.items()} == {"train": 28, "dev": 6, "test": 6}
    first, second = built.splits["dev"][:2]
    name = str(first.id).partition(":")[0]
    assert [first.id, second.id] == [f"{name}:0-26", f"{name}:27-35"]
    assert [(mention.text, mention.is_discontinuous) for mention in first] == [("Severe joint pain", True)]
    assert [mention.text for mention in second] == ["o rash"]
    assert built.other_types == {"Drug": 20}
    assert built.ledger.counts() == {
        "skipped": {"out of range": 20, "empty or reversed offsets": 20, "cross-sentence": 20},
        "changed": {"fragments that overlap, joined": 20},
    }
    figures = built.as_json()
    assert figures["splits"]["dev"]["documents"] == 3
    assert figures["splits"]["dev"]["discontinuous"] == 3
    assert figures["skipped"]["out of range"] == 20


def test_documents_may_stay_whole_and_then_nothing_crosses_a_sentence(raw: Path) -> None:
    built = build(corpus({}), raw, Request(whole_documents=True, types=(ALL,)))
    assert {name: len(found) for name, found in built.splits.items()} == {"train": 14, "dev": 3, "test": 3}
    assert all(len(document) == 4 for document in built.splits["train"])
    assert "cross-sentence" not in built.ledger.counts()["skipped"]


def test_figures_are_compared_as_far_as_the_splits_are_others_too(raw: Path) -> None:
    published = {name: Figures(documents=10, mentions=20) for name in ("train", "dev", "test")}
    assert build(corpus(published), raw, Request()).comparison == [
        FigureDifference(ALL, "documents", 30, 20),
        FigureDifference(ALL, "mentions", 60, 40),
    ]
    assert build(corpus(published, "train"), raw, Request()).comparison == [
        FigureDifference("train + dev", "documents", 20, 20),
        FigureDifference("train + dev", "mentions", 40, 40),
        FigureDifference(ALL, "documents", 30, 20),
        FigureDifference(ALL, "mentions", 60, 40),
    ]
    as_a_whole = corpus({ALL: Figures(sentences=40)})
    assert build(as_a_whole, raw, Request()).comparison == [FigureDifference(ALL, "sentences", 40, 40)]
    assert build(as_a_whole, raw, Request(types=("Drug",))).comparison == []


def test_a_type_that_is_not_there_is_an_error_that_lists_the_others(raw: Path) -> None:
    with pytest.raises(InputError, match="no mentions of the type Disease here, only ADR, Drug"):
        build(corpus({}), raw, Request(types=("ADR", "Disease")))


@settings(max_examples=50)
@given(documents())
def test_cutting_keeps_every_mention_or_tells(tmp_path_factory: pytest.TempPathFactory, document: Document) -> None:
    ledger = Ledger()
    sentences = list(cut(document, ledger))
    kept = sum(map(len, sentences))
    assert kept + len(ledger.skipped) == len(document)
    for sentence in sentences:
        start, end = map(int, str(sentence.id).rpartition(":")[2].split("-"))
        assert document.text[start:end] == sentence.text
        assert len(sentence.layout.sentences) == 1
    whole = {mention.key for mention in document}
    trimmed = 0
    for sentence in sentences:
        start = int(str(sentence.id).rpartition(":")[2].split("-")[0])
        for mention in sentence:
            moved = [(first + start, last + start) for first, last in mention.fragments]
            trimmed += Mention(mention.label, moved, document.layout).key not in whole
    assert trimmed <= len(ledger.changed)
    path = tmp_path_factory.mktemp("cut") / "sentences.jsonl"
    write(sentences, path)
    assert list(read(path)) == sentences
    assert all(len(sentence.layout.sentences) == 1 for sentence in read(path))


@pytest.mark.parametrize("name", NAMES)
def test_every_corpus_says_where_it_comes_from(name: str) -> None:
    found = find_corpus(name)
    assert found.name == name
    assert all((found.title, found.licence, found.source, found.files, found.split))
    assert bool(found.published) == bool(found.published_in)
