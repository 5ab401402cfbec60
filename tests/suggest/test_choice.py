"""The greedy choice: against the plain way of doing it, and by what it is for."""

from itertools import pairwise
from math import log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer.suggest.choice import Candidate, chosen

CANDIDATES = st.lists(
    st.builds(
        Candidate,
        st.dictionaries(st.sampled_from(["joint", "pain", "rash", "liver"]), st.floats(0, 8, allow_subnormal=False)),
        st.floats(1, 50),
    ),
    max_size=9,
)


def value(candidates: list[Candidate]) -> float:
    """Say what candidates are worth together, by the definition."""
    words = {word for candidate in candidates for word in candidate.bits}
    return sum(log1p(sum(candidate.bits.get(word, 0.0) for candidate in candidates)) for word in words)


@given(CANDIDATES)
def test_each_adds_the_most_for_its_cost(candidates: list[Candidate]) -> None:
    taken: list[Candidate] = []
    left = dict(enumerate(candidates))
    for number, gain in chosen(candidates):
        gains = {other: (value([*taken, one]) - value(taken)) / one.cost for other, one in left.items()}
        assert gain == pytest.approx(gains[number], abs=1e-9)
        assert gain >= max(gains.values()) - 1e-9
        taken.append(left.pop(number))
    assert not left


@given(CANDIDATES)
def test_gains_never_rise(candidates: list[Candidate]) -> None:
    gains = [gain for _, gain in chosen(candidates)]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(gains))


def test_the_same_again_comes_last() -> None:
    same = Candidate({"jaundice": 4.0}, 10)
    others = [Candidate({word: 1.5}, 10) for word in ("rash", "nausea")]
    assert [number for number, _ in chosen([same, same, *others])] == [0, 2, 3, 1]


def test_of_equals_the_first_is_taken() -> None:
    assert [number for number, _ in chosen([Candidate({}, 1)] * 4)] == [0, 1, 2, 3]
