"""The two grids of a sentence, as the scheme fills them."""

from collections.abc import Callable, Iterator

from disconer.schemes import EdgeSet, GridScheme
from disconer.schemes.grid import EdgeTag, Grids, SegmentTag
from tools.pictures.canvas import MARGIN, Canvas, Point
from tools.pictures.example import Example

SCHEME = GridScheme(edges=EdgeSet.GAPS)
"""What `disconer train` uses unless it is told otherwise."""
_CELL = 42
_LEFT, _TOP = 108, 96
_SEGMENT_HUES = {SegmentTag.BEGIN: 0, SegmentTag.INSIDE: 2, SegmentTag.SINGLE: 3}
_EDGE_HUES = {EdgeTag.HEAD: 0, EdgeTag.TAIL: 2, EdgeTag.GAP: 3}
_EDGE_NAMES = {
    EdgeTag.HEAD: "H2H: first word to first word",
    EdgeTag.TAIL: "T2T: last word to last word",
    EdgeTag.GAP: "T2H: last word before a gap to first word behind it",
}


def segment_grid(example: Example, longest: int | None = None) -> str:
    """Draw the grid of first and last words, all of it or what a model with a longest segment looks at."""
    grids = SCHEME.encode(example.mentions)
    told = (f"{example.segment_text((first, last))} is {tag}" for _, tag, first, last in grids.segments)
    limit = "" if longest is None else f" Only segments of up to {longest} words are looked at."
    canvas = Canvas(
        "The segment grid", f"A row for each first word, a column for each last word: {'; '.join(told)}.{limit}"
    )
    reach = longest or len(example.sentence.words)
    _frame(canvas, example, "first word ↓   last word →", lambda row, column: 0 <= column - row < reach)
    for _, tag, first, last in grids.segments:
        with canvas.group(f"hue-{_SEGMENT_HUES[tag]}"):
            x, y = _corner(first, last)
            canvas.box((x + 3, y + 3), (_CELL - 6, _CELL - 6), shade=0.2)
            canvas.text((x + _CELL / 2, y + _CELL / 2 + 6), tag, size=18, anchor="middle", weight=700)
    return canvas.svg(_bottom(example) + MARGIN)


def edge_grid(example: Example) -> str:
    """Draw the grid of pairs of words, with a mark of its own for each tag."""
    grids = SCHEME.encode(example.mentions)
    words = example.sentence.words
    told = (f"{words[source]} to {words[target]} is {tag}" for _, tag, source, target in grids.edges)
    canvas = Canvas("The edge grid", f"A row and a column for each word: {'; '.join(told)}.")
    _frame(canvas, example, "from ↓   to →", lambda _row, _column: True)
    for _, tag, source, target in grids.edges:
        x, y = _corner(source, target)
        _mark(canvas, tag, (x + _CELL / 2, y + 9 + 12 * list(EdgeTag).index(tag)))
    bottom = _bottom(example)
    for number, tag in enumerate(EdgeTag):
        y = bottom + 24 + 22 * number
        _mark(canvas, tag, (_LEFT - 60, y - 4.5))
        canvas.text((_LEFT - 46, y), _EDGE_NAMES[tag], size=13)
    return canvas.svg(bottom + 24 + 22 * len(EdgeTag))


def small_grids(canvas: Canvas, grids: Grids, length: int, corner: Point, cell: float) -> None:
    """Draw both grids beside each other, so small that only the places of their tags can be seen."""
    x, y = corner
    side = length * cell
    of_segments = {(first, last) for _, _, first, last in grids.segments}
    of_edges = {(source, target) for _, _, source, target in grids.edges}
    for name, places in (("segments", of_segments), ("edges", of_edges)):
        with canvas.group("pale"):
            canvas.box((x, y), (side, side), radius=2)
            canvas.text((x + side / 2, y + side + 16), name, size=12, anchor="middle")
        with canvas.group("hue-0"):
            for row, column in sorted(places):
                canvas.bar(x + column * cell + 1, y + row * cell + 1, cell - 2, cell - 2)
        x += 1.4 * side


def _frame(canvas: Canvas, example: Example, axes: str, is_there: Callable[[int, int], bool]) -> None:
    words = example.sentence.words
    canvas.text((MARGIN, 28), axes, size=13)
    with canvas.group("pale"):
        for row, column in _places(len(words), is_there):
            canvas.box(_corner(row, column), (_CELL, _CELL), radius=0)
    for number, word in enumerate(words):
        x, y = _corner(number, number)
        canvas.text((_LEFT - 10, y + _CELL / 2 + 5), word, anchor="end")
        canvas.turn_text((x + _CELL / 2, _TOP - 10), word, degrees=45)


def _places(length: int, is_there: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    return ((row, column) for row in range(length) for column in range(length) if is_there(row, column))


def _mark(canvas: Canvas, tag: EdgeTag, middle: Point) -> None:
    """Draw a disc, a square or a triangle."""
    x, y = middle
    with canvas.group(f"hue-{_EDGE_HUES[tag]}"):
        if tag is EdgeTag.HEAD:
            canvas.bar(x - 5, y - 5, 10, 10)
        elif tag is EdgeTag.TAIL:
            canvas.shape(f"M{x - 4.5} {y - 4.5}h9v9h-9z")
        else:
            canvas.shape(f"M{x} {y - 5.5}l6 10.5h-12z")


def _corner(row: int, column: int) -> Point:
    return _LEFT + column * _CELL, _TOP + row * _CELL


def _bottom(example: Example) -> float:
    return _TOP + len(example.sentence.words) * _CELL
