"""Which lane under the text a mention is drawn in."""

from collections.abc import Sequence
from heapq import heappop, heappush

from disconer.spans import Span


def assign_lanes(extents: Sequence[Span]) -> list[int]:
    """Give each extent a lane that it shares with none it overlaps, with as few lanes as there can be.

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
