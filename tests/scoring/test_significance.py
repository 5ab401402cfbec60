"""The tests of significance, against scipy and against the literal definition."""

from collections.abc import Sequence
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from disconer.scoring import Counts
from disconer.scoring.significance import PairedBootstrap, wilcoxon

SMALL = st.integers(-6, 6).map(float)


class TestWilcoxon:
    @given(st.lists(SMALL, max_size=10))
    def test_few_differences_are_counted_out(self, differences: list[float]) -> None:
        assert wilcoxon(differences) == pytest.approx(literal(differences), abs=1e-12)

    @given(st.lists(st.floats(-1, 1).filter(bool), min_size=1, max_size=50, unique_by=abs))
    def test_scipys_exact_distribution(self, differences: list[float]) -> None:
        expected = stats.wilcoxon(differences, method="exact").pvalue
        assert wilcoxon(differences) == pytest.approx(expected, abs=1e-12)

    @given(st.lists(st.sampled_from([-1.0, -0.5, -1 / 3, 0.0, 1 / 3, 0.5, 2 / 3, 1.0]), min_size=120, max_size=200))
    def test_scipys_approximation_with_ties_and_zeros(self, differences: list[float]) -> None:
        if sum(map(bool, differences)) > 50:
            expected = stats.wilcoxon(differences, zero_method="wilcox", correction=False, method="asymptotic").pvalue
            assert wilcoxon(differences) == pytest.approx(expected, rel=1e-9)

    def test_nothing_but_zeros_is_no_difference(self) -> None:
        assert wilcoxon([]) == wilcoxon([0.0, 0.0]) == 1.0

    @given(st.lists(SMALL, max_size=60))
    def test_the_order_and_the_direction_do_not_matter(self, differences: list[float]) -> None:
        p = wilcoxon(differences)
        assert 0 < p <= 1
        assert wilcoxon([-difference for difference in reversed(differences)]) == pytest.approx(p)


def literal(differences: Sequence[float]) -> float:
    """Try all signs: how often is the sum of ranks as far from its mean as it is here?"""
    left = [difference for difference in differences if difference]
    if not left:
        return 1.0
    ranks = stats.rankdata(np.abs(left))
    observed = abs(sum(rank * np.sign(one) for rank, one in zip(ranks, left, strict=True)))
    sums = [abs(sum(map(float.__mul__, ranks.tolist(), signs))) for signs in product((-1.0, 1.0), repeat=len(left))]
    return float(sum(one >= observed - 1e-9 for one in sums) / len(sums))


@st.composite
def counted(draw: st.DrawFn) -> Counts:
    gold, predicted = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    return Counts(gold, predicted, draw(st.integers(0, min(gold, predicted))))


class TestBootstrap:
    @given(st.lists(st.tuples(counted(), counted()), min_size=1, max_size=30))
    def test_the_difference_is_that_of_the_pooled_f1(self, pairs: list[tuple[Counts, Counts]]) -> None:
        one, other = zip(*pairs, strict=True)
        found = PairedBootstrap([one, other], resamples=200).interval(0, 1)
        assert found.difference == pytest.approx(sum(one, Counts()).f1 - sum(other, Counts()).f1)
        assert found.low <= found.high
        assert found.low >= -1
        assert found.high <= 1

    def test_a_system_does_not_differ_from_itself(self) -> None:
        counts = [Counts(2, 1, 1), Counts(0, 1, 0), Counts(3, 3, 2)]
        found = PairedBootstrap([counts, counts]).interval(0, 1)
        assert tuple(found) == (0, 0, 0)
        assert not found.excludes_zero

    def test_it_is_the_same_every_time(self) -> None:
        systems = [[Counts(2, 1, 1), Counts(1, 1, 0)], [Counts(2, 2, 2), Counts(1, 0, 0)]]
        assert PairedBootstrap(systems).interval(0, 1) == PairedBootstrap(systems).interval(0, 1)

    def test_no_sentence_at_all(self) -> None:
        assert PairedBootstrap([[], []]).interval(0, 1)[:] == (0, 0, 0)

    def test_scipys_interval(self) -> None:
        """The interval is that of scipy's paired bootstrap by percentiles, but for the luck of the draw."""
        random = Random(5)
        one = [Counts(2, 2, random.choice((0, 1, 2))) for _ in range(150)]
        other = [Counts(2, 2, random.choice((0, 0, 1, 2))) for _ in range(150)]
        ours = PairedBootstrap([one, other]).interval(0, 1)

        def difference(indices: NDArray[np.int64]) -> float:
            drawn = [[system[int(index)] for index in indices] for system in (one, other)]
            first, second = (sum(counts, Counts()).f1 for counts in drawn)
            return first - second

        theirs = stats.bootstrap(
            (np.arange(150),), difference, vectorized=False, method="percentile", n_resamples=2_000,
            rng=np.random.default_rng(1),
        ).confidence_interval  # fmt: skip
        assert ours.low == pytest.approx(theirs.low, abs=0.01)
        assert ours.high == pytest.approx(theirs.high, abs=0.01)
        assert ours.excludes_zero == (theirs.low > 0 or theirs.high < 0)
