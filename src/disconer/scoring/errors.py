"""What goes wrong: every false positive and every miss has exactly one kind.

A false positive is compared with the misses, a miss with the false positives; mentions that were found are no partner
for an error. The first kind that applies is the one:

1. wrong type: a partner has the same fragments, and another label;
2. missing fragment, of a false positive: a miss with its label has all of its fragments and more, and one of those was
   not predicted by anybody;
3. wrong combination: the parts are right and were put together wrongly. It has several fragments, and each is one of a
   mention of the other side with that label, found or not; or the false positive has all fragments of a miss with its
   label and more, which makes both a wrong combination; or it is a part of a miss all of whose parts were predicted;
4. missing fragment, of a miss: a false positive with its label has some of its fragments and no other;
5. wrong boundary: a partner with the same label shares a character with it;
6. spurious (a false positive) or missed (a miss): none of these.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from disconer.document import Document, Fragment, Mention
from disconer.scoring.breakdowns import discontinuous_bins
from disconer.scoring.counts import mention_keys

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


def classify_errors(gold: Document, predicted: Document) -> list[Error]:
    """Classify every false positive and every miss of a document, in the order of the text."""
    misses, false_positives = _Side(gold, mention_keys(predicted)), _Side(predicted, mention_keys(gold))
    found = [
        *(
            false_positives.error(one, ErrorSide.FALSE_POSITIVE, _kind_of_false_positive(one, misses, false_positives))
            for one in false_positives.wrong
        ),
        *(misses.error(one, ErrorSide.MISS, _kind_of_miss(one, false_positives)) for one in misses.wrong),
    ]
    return sorted(found, key=lambda error: (error.mention.fragments, error.side, error.mention.label))


def count_errors(found: Iterable[Error]) -> dict[str, dict[str, int]]:
    """Count the errors of each kind, on each side where it can stand."""
    counted = Counter((error.kind, error.side) for error in found)
    return {str(kind): {str(side): counted[kind, side] for side in sides} for kind, sides in ERROR_SIDES.items()}


def _kind_of_false_positive(mention: Mention, misses: "_Side", predictions: "_Side") -> ErrorKind:
    if misses.has_other_label(mention):
        return ErrorKind.TYPE
    wholes = list(misses.wrong_above(mention))
    if any(not predictions.has_all_parts(whole) for whole in wholes):
        return ErrorKind.FRAGMENT
    are_parts_right = mention.is_discontinuous and misses.has_all_parts(mention)
    if wholes or are_parts_right or misses.has_wrong_below(mention):
        return ErrorKind.COMBINATION
    return ErrorKind.BOUNDARY if misses.has_wrong_beside(mention) else ErrorKind.SPURIOUS


def _kind_of_miss(mention: Mention, predictions: "_Side") -> ErrorKind:
    if predictions.has_other_label(mention):
        return ErrorKind.TYPE
    are_parts_right = mention.is_discontinuous and predictions.has_all_parts(mention)
    if are_parts_right or any(predictions.wrong_above(mention)):
        return ErrorKind.COMBINATION
    if predictions.has_wrong_below(mention):
        return ErrorKind.FRAGMENT
    return ErrorKind.BOUNDARY if predictions.has_wrong_beside(mention) else ErrorKind.MISSED


class _Side:
    """One side of a document: its mentions, and which of them the other side does not have."""

    def __init__(self, document: Document, others: set[object]) -> None:
        self.document = document
        self.wrong = [mention for mention in document.unique_mentions if mention.key not in others]
        self.fragments = {(mention.label, fragment) for mention in document for fragment in mention.fragments}
        self.labels_at: dict[tuple[Fragment, ...], set[str]] = defaultdict(set)
        self.wrong_with: dict[tuple[str, Fragment], list[Mention]] = defaultdict(list)
        self.characters: dict[str, set[int]] = defaultdict(set)
        for mention in self.wrong:
            self.labels_at[mention.fragments].add(mention.label)
            for fragment in mention.fragments:
                self.wrong_with[mention.label, fragment].append(mention)
                self.characters[mention.label].update(range(fragment.start, fragment.end))
        self.patterns = {one.key: bins.overlap for one, bins in discontinuous_bins(document)} if self.wrong else {}

    def error(self, mention: Mention, side: ErrorSide, kind: ErrorKind) -> Error:
        return Error(mention, side, kind, self.patterns.get(mention.key, CONTINUOUS))

    def has_other_label(self, mention: Mention) -> bool:
        """Tell whether an error here has the same fragments; its label is another one, or neither were an error."""
        return mention.fragments in self.labels_at

    def has_all_parts(self, mention: Mention) -> bool:
        """Tell whether each fragment is one of a mention here with that label, right or wrong."""
        return all((mention.label, fragment) in self.fragments for fragment in mention.fragments)

    def wrong_above(self, mention: Mention) -> Iterator[Mention]:
        """Find the errors here with that label that have all its fragments and more."""
        candidates = self.wrong_with.get((mention.label, mention.fragments[0]), ())
        return (one for one in candidates if set(one.fragments) > set(mention.fragments))

    def has_wrong_below(self, mention: Mention) -> bool:
        """Tell whether an error here with that label has some of its fragments, not all, and no other."""
        candidates = (self.wrong_with.get((mention.label, fragment), ()) for fragment in mention.fragments)
        return any(set(one.fragments) < set(mention.fragments) for own in candidates for one in own)

    def has_wrong_beside(self, mention: Mention) -> bool:
        """Tell whether an error here with that label shares a character with it."""
        characters = self.characters.get(mention.label, set())
        return any(offset in characters for start, end in mention.fragments for offset in range(start, end))
