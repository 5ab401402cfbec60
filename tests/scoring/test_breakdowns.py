from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from disconer import Document, read
from disconer.scoring.breakdowns import BREAKDOWNS, INTERVAL_BINS, OVERLAP_BINS, SPAN_BINS, discontinuous_bins
from disconer.tokenize import Layout
from tests.strategies import documents

# a b c d e f g h i j k l, each letter a word
ALPHABET = "a b c d e f g h i j k l"


def words(*indices: int) -> list[tuple[int, int]]:
    return [(2 * index, 2 * index + 1) for index in indices]


def bins(*mentions: tuple[str, list[tuple[int, int]]]) -> list[tuple[str, str, str]]:
    return [tuple(found) for _, found in discontinuous_bins(Document(ALPHABET, mentions))]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("other", "pattern"),
    [
        (words(6), "no"),
        (words(1), "no"),  # a word of the gap
        (words(0), "left"),
        (words(0, 1, 2), "left"),
        (words(4), "right"),
        (words(0, 4), "multi"),
        (words(2), "inner"),
    ],
)
def test_overlap_looks_at_the_first_and_the_last_word(other: list[tuple[int, int]], pattern: str) -> None:
    overlaps = {key: found.overlap for key, found in (
        (mention.label, found) for mention, found in discontinuous_bins(
            Document(ALPHABET, [("X", words(0, 2, 4)), ("Y", other)])
        )
    )}  # fmt: skip
    assert overlaps["X"] == pattern


def test_overlap_counts_mentions_of_any_label_but_not_repetitions() -> None:
    assert bins(("X", words(0, 2)), ("X", words(0, 2)))[0][0] == "no"
    assert bins(("X", words(0, 2)), ("Y", words(0, 2)))[0][0] == "multi"


def test_two_mentions_may_share_the_word_from_both_sides() -> None:
    assert [found[0] for found in bins(("X", words(0, 2)), ("X", words(2, 4)))] == ["right", "left"]


@pytest.mark.parametrize(
    ("indices", "interval", "span"),
    [
        ((0, 2), "1", "3"),
        ((0, 2, 4), "2", "5"),
        ((0, 3), "2", "4"),
        ((0, 7), "6", "8"),
        ((0, 8), "7+", "9+"),
        ((0, 1, 2, 11), "7+", "9+"),
    ],
)
def test_lengths_count_words(indices: tuple[int, ...], interval: str, span: str) -> None:
    assert bins(("X", words(*indices)))[0][1:] == (interval, span)


def test_the_papers_example_has_interval_five_and_span_eight() -> None:
    document = Document("Sever joint, shoulder and upper body pain.", [("ADE", [(0, 5), (13, 21), (37, 41)])])
    ((_, found),) = discontinuous_bins(document)
    assert (found.interval, found.span) == ("5", "8")


def test_fragments_inside_one_word_count_as_the_least() -> None:
    document = Document(Layout("abcdef", ((0, 6),)), [("X", [(0, 1), (3, 4)])])
    ((_, found),) = discontinuous_bins(document)
    assert found == ("no", "1", "3")


@given(documents())
def test_every_breakdown_is_a_partition(document: Document) -> None:
    found = dict(discontinuous_bins(document))
    assert set(found) == {mention for mention in document.unique_mentions if mention.is_discontinuous}
    for each in found.values():
        assert each.overlap in OVERLAP_BINS
        assert each.interval in INTERVAL_BINS
        assert each.span in SPAN_BINS


def test_three_of_four_real_discontinuous_mentions_overlap(corpora: Path) -> None:
    """CORPORA.md: 74-91% of discontinuous mentions share a word with another mention."""
    for corpus in ("tac2017_adr", "chia", "craft"):
        patterns = Counter(
            found.overlap
            for document in read(corpora / corpus / "train.jsonl")
            for _, found in discontinuous_bins(document)
        )
        assert 0.74 <= 1 - patterns["no"] / patterns.total() <= 0.92
    assert set(BREAKDOWNS) == {"overlap", "interval", "span"}
