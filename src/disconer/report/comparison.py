"""Which systems differ on a corpus, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from disconer.report.evaluation import Evaluation
from disconer.scoring import SCOPES, Counts
from disconer.scoring.significance import LEVEL, Interval, PairedBootstrap, wilcoxon

_DIGITS = 12
"""Of a difference between two F1: what follows is rounding, and would part differences that are equal."""


@dataclass(frozen=True)
class Difference:
    """Two systems in one scope."""

    interval: Interval
    """By how much the first one's F1 is higher."""
    p: float
    """Of Wilcoxon's test on the F1 of every sentence."""

    @property
    def marks(self) -> str:
        """A star when Wilcoxon's test finds a difference, a dagger when the bootstrap interval is on one side of 0."""
        return ("*" if self.p < LEVEL else "") + ("†" if self.interval.excludes_zero else "")

    def as_json(self) -> dict[str, float]:
        return {
            "difference": self.interval.difference,
            "low": self.interval.low,
            "high": self.interval.high,
            "p": self.p,
        }


class Comparison:
    """All pairs of systems on a corpus, in every scope, by what speaks for each."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.systems = list(evaluation.results)
        self.pairs = list(combinations(self.systems, 2))
        self._differences: dict[tuple[str, str, str], Difference] = {}
        for scope in SCOPES if self.pairs else ():
            counts = [evaluation.sentence_counts[system][scope] for system in self.systems]
            bootstrap = PairedBootstrap(counts)
            for one, other in combinations(range(len(self.systems)), 2):
                place = scope, self.systems[one], self.systems[other]
                p = wilcoxon(f1_differences(counts[one], counts[other]))
                self._differences[place] = Difference(bootstrap.interval(one, other), p)

    def difference(self, scope: str, one: str, other: str) -> Difference:
        """Give what is known of two systems, of which the first is listed first."""
        return self._differences[scope, one, other]

    def marks(self, scope: str, base: str, system: str) -> str:
        """Give the marks of a system in a table that compares with a base."""
        place = scope, base, system
        return self._differences[place].marks if place in self._differences else ""


def f1_differences(one: Sequence[Counts], other: Sequence[Counts]) -> list[float]:
    """Give by how much F1 is higher in the first, sentence by sentence; equal differences are equal numbers."""
    return [round(first.f1 - second.f1, _DIGITS) for first, second in zip(one, other, strict=True)]
