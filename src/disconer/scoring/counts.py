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


def weighted_f1(everything: Counts, discontinuous: Counts, weight: float) -> float:
    """F1 over all mentions, of which the discontinuous ones count `weight` times.

    >>> weighted_f1(Counts(10, 8, 6), Counts(2, 1, 1), 1) == Counts(10, 8, 6).f1
    True
    >>> round(weighted_f1(Counts(10, 8, 6), Counts(2, 1, 1), 3), 3)  # 14, 10 and 8
    0.667
    """
    total = everything.gold + everything.predicted + (weight - 1) * (discontinuous.gold + discontinuous.predicted)
    return 2 * (everything.correct + (weight - 1) * discontinuous.correct) / total if total else 0.0


def mention_keys(mentions: Iterable[Mention], only_discontinuous: bool = False) -> set[object]:
    """Collect the keys of mentions, which are equal exactly when the mentions are the same."""
    return {mention.key for mention in mentions if mention.is_discontinuous or not only_discontinuous}


def count_mentions(gold: Iterable[Mention], predicted: Iterable[Mention], only_discontinuous: bool = False) -> Counts:
    """Compare two sets of mentions; copies count once."""
    return Counts.of(mention_keys(gold, only_discontinuous), mention_keys(predicted, only_discontinuous))
