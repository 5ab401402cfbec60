from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from disconer.drawing.lanes import assign_lanes, cut_where_crossing
from disconer.foundation.spans import Span

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


SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9)).map(lambda pair: (pair[0], sum(pair))), max_size=12)


@given(SPANS)
def test_the_slices_of_a_span_are_the_span(spans: list[Span]) -> None:
    offsets: list[list[int]] = [[] for _ in spans]
    for part in cut_where_crossing(spans):
        offsets[part.index] += range(part.start, part.end)
    assert offsets == [list(range(*span)) for span in spans]


@given(SPANS)
def test_slices_nest_and_come_in_the_order_in_which_they_open(spans: list[Span]) -> None:
    for one, other in combinations(cut_where_crossing(spans), 2):
        assert one.start <= other.start
        assert other.start >= one.end or other.end <= one.end


@given(SPANS)
def test_what_nests_is_not_cut(spans: list[Span]) -> None:
    crossing = any(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(spans, 2))
    assert crossing or len(cut_where_crossing(spans)) == len(spans)
