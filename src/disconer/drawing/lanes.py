"""Overlapping spans, laid out: in lanes under the text, and as slices that nest as elements of a tree do."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from disconer.foundation.spans import Span


def assign_lanes(extents: Sequence[Span]) -> list[int]:
    """Assign lanes so that no two overlapping extents share one, with as few lanes as possible.

    Lanes are numbered from the text downwards. Of extents that begin together the first is nearest to the text.

    >>> assign_lanes([(0, 42), (0, 12), (14, 22), (50, 60)])
    [0, 1, 1, 0]
    """
    lanes = [0] * len(extents)
    busy: list[tuple[int, int]] = []  # where each lane ends, and the lane
    free: list[int] = []
    for index in sorted(range(len(extents)), key=lambda index: extents[index][0]):
        start, end = extents[index]
        while busy and busy[0][0] <= start:
            heappush(free, heappop(busy)[1])
        lanes[index] = heappop(free) if free else len(busy)
        heappush(busy, (end, lanes[index]))
    return lanes


@dataclass(slots=True)
class Slice:
    """A span, or the part of it between two cuts: the index of the span, and where the part begins and ends."""

    index: int
    start: int
    end: int


def cut_where_crossing(spans: Sequence[Span]) -> list[Slice]:
    """Cut spans where they cross others, so that all slices nest; the slices come in the order in which they open.

    Of spans that overlap, the one with the last end is the outer one; of equals, the first.

    >>> [(part.index, part.start, part.end) for part in cut_where_crossing([(0, 5), (3, 8)])]
    [(0, 0, 5), (1, 3, 5), (1, 5, 8)]
    """
    starting: dict[int, list[int]] = {}
    for index, (start, _) in enumerate(spans):
        starting.setdefault(start, []).append(index)
    slices: list[Slice] = []
    opened: list[Slice] = []
    for offset in sorted({offset for span in spans for offset in span}):
        ending = next((depth for depth, part in enumerate(opened) if spans[part.index][1] == offset), len(opened))
        for part in opened[ending:]:
            part.end = offset
        cut = [part.index for part in opened[ending:] if spans[part.index][1] > offset]
        opening = sorted(cut + starting.get(offset, []), key=lambda index: (-spans[index][1], index))
        opened[ending:] = [Slice(index, offset, offset) for index in opening]
        slices += opened[ending:]
    return slices
