from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from disconer.drawing.lanes import assign_lanes
from disconer.spans import Span

EXTENTS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], sum(pair))), max_size=20
)


@given(EXTENTS)
def test_what_overlaps_never_shares_a_lane(extents: list[Span]) -> None:
    lanes = assign_lanes(extents)
    assert len(lanes) == len(extents)
    for (one, one_lane), (other, other_lane) in combinations(zip(extents, lanes, strict=True), 2):
        if max(one[0], other[0]) < min(one[1], other[1]):
            assert one_lane != other_lane


@given(EXTENTS)
def test_there_are_no_more_lanes_than_extents_over_the_busiest_place(extents: list[Span]) -> None:
    busiest = max((sum(start <= offset < end for start, end in extents) for offset in range(50)), default=0)
    assert sorted(set(assign_lanes(extents))) == list(range(busiest))


def test_of_those_that_begin_together_the_first_is_nearest_to_the_text() -> None:
    assert assign_lanes([(0, 9), (0, 3), (0, 5)]) == [0, 1, 2]
