"""Overlapping stretches of a text as elements of a tree, which may nest but not cross."""

from collections.abc import Sequence
from dataclasses import dataclass

from disconer.spans import Span


@dataclass(slots=True)
class Slice:
    """A stretch, or what lies between two places where others cut it: its index, and where it begins and ends."""

    index: int
    start: int
    end: int


def cut_where_crossing(spans: Sequence[Span]) -> list[Slice]:
    """Cut spans where they cross others, so that all slices nest, and give these in the order in which they open.

    Of spans that are open at once the one that ends last is outside, and of equals the first.

    >>> [(piece.index, piece.start, piece.end) for piece in cut_where_crossing([(0, 5), (3, 8)])]
    [(0, 0, 5), (1, 3, 5), (1, 5, 8)]
    """
    starting: dict[int, list[int]] = {}
    for index, (start, _) in enumerate(spans):
        starting.setdefault(start, []).append(index)
    slices: list[Slice] = []
    opened: list[Slice] = []
    for offset in sorted({offset for span in spans for offset in span}):
        ending = next((depth for depth, piece in enumerate(opened) if spans[piece.index][1] == offset), len(opened))
        for piece in opened[ending:]:
            piece.end = offset
        cut = [piece.index for piece in opened[ending:] if spans[piece.index][1] > offset]
        opening = sorted(cut + starting.get(offset, []), key=lambda index: (-spans[index][1], index))
        opened[ending:] = [Slice(index, offset, offset) for index in opening]
        slices += opened[ending:]
    return slices
