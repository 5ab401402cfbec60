from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from disconer.drawing.slices import cut_where_crossing
from disconer.spans import Span

SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9)).map(lambda pair: (pair[0], sum(pair))), max_size=12)


@given(SPANS)
def test_the_slices_of_a_span_are_the_span(spans: list[Span]) -> None:
    offsets: list[list[int]] = [[] for _ in spans]
    for piece in cut_where_crossing(spans):
        offsets[piece.index] += range(piece.start, piece.end)
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
