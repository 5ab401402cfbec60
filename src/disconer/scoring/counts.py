"""Counts of mentions, and precision, recall and F1 from them."""

from collections.abc import Iterable, Set
from dataclasses import dataclass

from disconer.document import Mention


@dataclass(frozen=True, slots=True)
class Counts:
    """How many mentions are in gold, were predicted, and are the same in both."""

    gold: int = 0
    predicted: int = 0
    correct: int = 0

    @classmethod
    def of(cls, gold: Set[object], predicted: Set[object]) -> "Counts":
        """Count two sets of keys, such as `mention_keys` collects.

        >>> Counts.of({1, 2, 3}, {3, 4}).as_json()["f1"]
        0.4
        """
        return cls(len(gold), len(predicted), len(gold & predicted))

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.gold + other.gold, self.predicted + other.predicted, self.correct + other.correct)

    @property
    def precision(self) -> float:
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.correct / (self.gold + self.predicted) if self.gold + self.predicted else 0.0

    def as_json(self) -> dict[str, float]:
        """Collect fractions and counts under documented keys."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "gold": self.gold,
            "predicted": self.predicted,
            "correct": self.correct,
        }


def mixed_f1(everything: Counts, discontinuous: Counts, share: float) -> float:
    """F1 over all mentions, and a share of F1 over discontinuous ones where there are any to be found.

    >>> round(mixed_f1(Counts(10, 8, 6), Counts(4, 1, 1), 0.5), 3)  # of 0.667 and 0.4
    0.533
    >>> mixed_f1(Counts(10, 8, 6), Counts(0, 1, 0), 0.5) == Counts(10, 8, 6).f1
    True
    """
    return (1 - share) * everything.f1 + share * discontinuous.f1 if discontinuous.gold else everything.f1


def mention_keys(mentions: Iterable[Mention], only_discontinuous: bool = False) -> set[object]:
    """Collect the keys of mentions, which are equal exactly when the mentions are the same."""
    return {mention.key for mention in mentions if mention.is_discontinuous or not only_discontinuous}


def count_mentions(gold: Iterable[Mention], predicted: Iterable[Mention], only_discontinuous: bool = False) -> Counts:
    """Compare two sets of mentions; copies count once."""
    return Counts.of(mention_keys(gold, only_discontinuous), mention_keys(predicted, only_discontinuous))
