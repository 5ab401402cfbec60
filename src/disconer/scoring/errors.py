"""What goes wrong: every false positive and every miss has exactly one kind.

A false positive is compared with the misses, a miss with the false positives; mentions that were found are no partner
for an error. The first kind that applies is the one:

1. wrong type: a partner has the same fragments, and another label;
2. missing fragment: the fragments of the false positive are some, not all, of those of the miss, labels being equal;
3. wrong combination: it has several fragments, and each is one of a mention of the other side with that label, found
   or not: the parts are right and were put together wrongly;
4. wrong boundary: a partner with the same label shares a character with it;
5. spurious (a false positive) or missed (a miss): none of these.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from disconer.document import Document, Fragment, Mention
from disconer.scoring.breakdowns import discontinuous_bins
from disconer.scoring.keys import mention_keys

CONTINUOUS = "continuous"
"""In place of an overlap pattern, which only mentions with gaps have."""


class ErrorKind(StrEnum):
    """What is wrong with a mention."""

    TYPE = "wrong type"
    FRAGMENT = "missing fragment"
    COMBINATION = "wrong combination"
    BOUNDARY = "wrong boundary"
    SPURIOUS = "spurious"
    MISSED = "missed"


class ErrorSide(StrEnum):
    """On which side a mention stands that the other side does not have."""

    FALSE_POSITIVE = "false positive"
    MISS = "miss"


ERROR_SIDES = {kind: tuple(ErrorSide) for kind in ErrorKind} | {
    ErrorKind.SPURIOUS: (ErrorSide.FALSE_POSITIVE,),
    ErrorKind.MISSED: (ErrorSide.MISS,),
}
"""The sides on which each kind can stand."""


@dataclass(frozen=True)
class Error:
    """A mention that is on one side only, and what is wrong with it."""

    mention: Mention
    side: ErrorSide
    kind: ErrorKind
    overlap: str
    """The overlap pattern among the mentions of its own side, or `continuous`."""


def errors(gold: Document, predicted: Document) -> list[Error]:
    """Give every false positive and every miss of a document, in the order of the text."""
    gold_keys, predicted_keys = mention_keys(gold), mention_keys(predicted)
    false_positives = [mention for mention in predicted.unique_mentions if mention.key not in gold_keys]
    misses = [mention for mention in gold.unique_mentions if mention.key not in predicted_keys]
    if not false_positives and not misses:
        return []
    found = [
        *_of_side(ErrorSide.FALSE_POSITIVE, false_positives, predicted, _Others(misses, gold)),
        *_of_side(ErrorSide.MISS, misses, gold, _Others(false_positives, predicted)),
    ]
    return sorted(found, key=lambda error: (error.mention.fragments, error.side, error.mention.label))


def count_errors(found: Iterable[Error]) -> dict[str, dict[str, int]]:
    """Count the errors of each kind, on each side where it can stand."""
    counted = Counter((error.kind, error.side) for error in found)
    return {str(kind): {str(side): counted[kind, side] for side in sides} for kind, sides in ERROR_SIDES.items()}


def _of_side(side: ErrorSide, wrong: list[Mention], own: Document, others: "_Others") -> list[Error]:
    patterns = {mention.key: bins.overlap for mention, bins in discontinuous_bins(own)} if wrong else {}
    return [
        Error(mention, side, others.kind(mention, side), patterns.get(mention.key, CONTINUOUS)) for mention in wrong
    ]


class _Others:
    """The other side of a document: what an error is compared with."""

    def __init__(self, partners: list[Mention], document: Document) -> None:
        self.partners = partners
        self.labels_at: dict[tuple[Fragment, ...], set[str]] = defaultdict(set)
        for mention in partners:
            self.labels_at[mention.fragments].add(mention.label)
        self.parts = {(mention.label, fragment) for mention in document for fragment in mention.fragments}

    def kind(self, mention: Mention, side: ErrorSide) -> ErrorKind:
        same_label = [partner for partner in self.partners if partner.label == mention.label]
        if self.labels_at.get(mention.fragments):  # its own label cannot be among them, or it would be right
            return ErrorKind.TYPE
        if any(_lacks_a_fragment(mention, partner, side) for partner in same_label):
            return ErrorKind.FRAGMENT
        parts = {(mention.label, fragment) for fragment in mention.fragments}
        if mention.is_discontinuous and parts <= self.parts:
            return ErrorKind.COMBINATION
        if any(_share_a_character(mention, partner) for partner in same_label):
            return ErrorKind.BOUNDARY
        return ErrorKind.SPURIOUS if side is ErrorSide.FALSE_POSITIVE else ErrorKind.MISSED


def _lacks_a_fragment(mention: Mention, partner: Mention, side: ErrorSide) -> bool:
    predicted, gold = (mention, partner) if side is ErrorSide.FALSE_POSITIVE else (partner, mention)
    return set(predicted.fragments) < set(gold.fragments)


def _share_a_character(one: Mention, other: Mention) -> bool:
    return any(
        first.start < second.end and second.start < first.end for first in one.fragments for second in other.fragments
    )
