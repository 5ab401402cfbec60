"""Whether one system is better than another, or was only lucky: tests over the sentences of the same data."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from math import erfc, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disconer.scoring.counts import Counts

RESAMPLES = 10_000
LEVEL = 0.05
"""What is less likely than this counts as no accident."""
_EXACT = 50
"""Up to this number of differences the distribution is exact; beyond, the normal approximation is as good."""
_CELLS = 4_000_000
"""Numbers that are drawn at once."""


def wilcoxon(differences: Sequence[float]) -> float:
    """Compute the two-sided p of Wilcoxon's signed-rank test: whether differences lie around zero.

    Zeros are dropped, and p is 1 if nothing remains. Few differences are counted out exactly, ties included; for many
    the normal approximation is taken, with the variance corrected for ties.

    >>> wilcoxon([1, 2, 3, 4, 5])
    0.0625
    """
    left = [difference for difference in differences if difference]
    if not left:
        return 1.0
    ranks = _doubled_ranks([abs(difference) for difference in left])
    positive = sum(rank for rank, difference in zip(ranks, left, strict=True) if difference > 0)
    smaller = min(positive, sum(ranks) - positive)
    return _exact(ranks, smaller) if len(left) <= _EXACT else _normal(ranks, smaller)


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Rank sizes from 1 on, equals sharing the mean of their ranks, and double that to keep whole numbers."""
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    ranks, before = [0] * len(sizes), 0
    for _, equals in groupby(order, key=sizes.__getitem__):
        indices = list(equals)
        for index in indices:
            ranks[index] = 2 * before + len(indices) + 1
        before += len(indices)
    return ranks


def _exact(ranks: Sequence[int], smaller: int) -> float:
    """Count the ways of giving signs to the ranks whose sum is as small as this, or smaller."""
    ways = Counter({0: 1})
    for rank in ranks:
        taken = Counter({total + rank: count for total, count in ways.items()})
        ways += taken
    tail = sum(count for total, count in ways.items() if total <= smaller)
    return min(1.0, float(2 * tail / 2 ** len(ranks)))


def _normal(ranks: Sequence[int], smaller: int) -> float:
    deviation = sqrt(sum(rank * rank for rank in ranks))
    return erfc(abs(2 * smaller - sum(ranks)) / deviation / sqrt(2))


class Interval(NamedTuple):
    """A difference and where it lies in 95 of 100 samples."""

    difference: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        return self.low > 0 or self.high < 0


class PairedBootstrap:
    """The F1 of several systems on the same sentences, drawn again and again with replacement.

    Every system is scored on the same draws. Sentences with the same counts are the same to all F1, so that a draw is
    how often each kind of sentence comes up.
    """

    def __init__(self, systems: Sequence[Sequence[Counts]], resamples: int = RESAMPLES, seed: int = 0) -> None:
        kinds = Counter(zip(*systems, strict=True))
        if not kinds:  # no sentence at all is as good as one with nothing in it
            kinds[tuple(Counts() for _ in systems)] = 1
        counts = np.array([[(one.correct, one.gold + one.predicted) for one in kind] for kind in kinds])
        often = np.array(list(kinds.values()))
        self.f1 = _f1(often[None] @ counts.transpose(1, 0, 2))[:, 0]
        """Of each system, on the sentences as they are."""
        random, drawn = np.random.default_rng(seed), []
        at_once = max(1, _CELLS // len(often))
        for start in range(0, resamples, at_once):
            draws = random.multinomial(often.sum(), often / often.sum(), min(at_once, resamples - start))
            drawn.append(_f1(draws @ counts.transpose(1, 0, 2)))
        self.samples = np.concatenate(drawn, axis=1)
        """Of each system on each draw."""

    def interval(self, one: int, other: int) -> Interval:
        """Compute by how much the first system's F1 is above the second's, with the 95% interval of percentiles."""
        low, high = np.percentile(self.samples[one] - self.samples[other], [2.5, 97.5])
        return Interval(float(self.f1[one] - self.f1[other]), float(low), float(high))


def _f1(sums: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute F1 from the last axis: correct mentions, and gold and predicted ones together; 0/0 is 0."""
    correct, both = sums[..., 0], sums[..., 1]
    f1: NDArray[Any] = np.divide(2 * correct, both, out=np.zeros(both.shape), where=both > 0)
    return f1
