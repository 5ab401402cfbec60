"""The paper's ways of telling discontinuous mentions apart: overlap pattern, interval length, span length.

Each is a partition, in words of the mention's own fragments; words in the gaps never count as the mention's.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from disconer.document import Document, Mention

OVERLAP_BINS = ("no", "left", "right", "multi", "inner")
INTERVAL_BINS = ("1", "2", "3", "4", "5", "6", "7+")
SPAN_BINS = ("3", "4", "5", "6", "7", "8", "9+")
BREAKDOWNS = {"overlap": OVERLAP_BINS, "interval": INTERVAL_BINS, "span": SPAN_BINS}


class Bins(NamedTuple):
    """Where a discontinuous mention belongs in each breakdown."""

    overlap: str
    interval: str
    span: str


def discontinuous_bins(document: Document) -> Iterator[tuple[Mention, Bins]]:
    """Sort every unique discontinuous mention into its bins, the document's other mentions being what it overlaps."""
    if not any(mention.is_discontinuous for mention in document):
        return
    covered = Counter(index for mention in document.unique_mentions for index in mention.word_indices)
    for mention in document.unique_mentions:
        if mention.is_discontinuous:
            yield mention, Bins(_overlap(mention, covered), _interval(mention), _span(mention))


def _overlap(mention: Mention, covered: Counter[int]) -> str:
    shared = [covered[index] > 1 for index in mention.word_indices]
    if not any(shared):
        return "no"
    if shared[0] and shared[-1]:
        return "multi"
    if shared[0]:
        return "left"
    return "right" if shared[-1] else "inner"


def _interval(mention: Mention) -> str:
    return _bin(_span_words(mention) - len(mention.word_indices), lowest=1, highest=7)


def _span(mention: Mention) -> str:
    return _bin(_span_words(mention), lowest=3, highest=9)


def _span_words(mention: Mention) -> int:
    words = mention.word_indices
    return words[-1] - words[0] + 1 if words else 0


def _bin(value: int, lowest: int, highest: int) -> str:
    return f"{highest}+" if value >= highest else str(max(value, lowest))
