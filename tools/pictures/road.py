"""The road of a sentence, from its text to its mentions; training goes from mentions back to the grids."""

from collections.abc import Sequence
from textwrap import wrap

from tools.pictures.canvas import MARGIN, WIDTH, Canvas
from tools.pictures.example import Example
from tools.pictures.graphs import collect_edges
from tools.pictures.grids import SCHEME, small_grids

_RIGHT = WIDTH - 64
"""Where stations end: beside them, training goes back."""
_CELL = 11
_COLUMNS = 40
"""Of a line of a station, about."""
_STEP = 36
"""Between stations."""


def road(example: Example) -> str:
    """Draw every station with what it holds of the example."""
    grids = SCHEME.encode(example.mentions)
    found = SCHEME.decode(grids).mentions
    words = example.sentence.words
    canvas = Canvas(
        "The road of a sentence",
        "Prediction goes from text over words, vectors, two grids, a segment graph and its maximal cliques to "
        "mentions. Training goes from mentions back to the grids.",
    )
    y = _station(canvas, "text", [example.document.text], MARGIN)
    y = _station(canvas, "words", wrap(" · ".join(words), _COLUMNS), _arrow(canvas, "split", y))
    y = _station(canvas, "vectors", [f"{len(words)}, one a word"], _arrow(canvas, "encode", y))
    top = _arrow(canvas, "score segments and pairs of words", y)
    y = _station(canvas, "two grids", [""] * 6, top)
    small_grids(canvas, grids, len(words), (MARGIN + 110, top + 12), _CELL)
    edges = f"{len(grids.segments)} segments, {len(collect_edges(found))} edges between them"
    y = _station(canvas, "graph", [edges], _arrow(canvas, "take what passes the thresholds", y))
    y = _station(canvas, "cliques", [f"{len(found)} that are maximal"], _arrow(canvas, "search", y))
    told = [example.mention_text(mention) for mention in example.mentions]
    last = _arrow(canvas, "put fragments in order", y)
    y = _station(canvas, "mentions", told, last)
    _draw_training(canvas, (last + y) / 2, top + 40)
    return canvas.svg(y + MARGIN)


def _station(canvas: Canvas, name: str, lines: Sequence[str], y: float) -> float:
    """Draw a station, and give where it ends."""
    height = 14 + 19 * len(lines)
    with canvas.group("hue-0"):
        canvas.box((MARGIN, y), (_RIGHT - MARGIN, height), radius=8, shade=0.08)
    canvas.text((MARGIN + 12, y + 21), name, weight=700)
    for number, line in enumerate(lines):
        canvas.text((MARGIN + 96, y + 21 + 19 * number), line, size=13)
    return y + height


def _arrow(canvas: Canvas, verb: str, y: float) -> float:
    """Draw the way to the next station, and give where that begins."""
    with canvas.group("pale"):
        canvas.line((MARGIN + 40, y), (MARGIN + 40, y + _STEP - 1), arrow=True)
        canvas.text((MARGIN + 54, y + _STEP / 2 + 4), verb, size=12)
    return y + _STEP


def _draw_training(canvas: Canvas, start: float, end: float) -> None:
    aside = WIDTH - 40
    with canvas.group("hue-1"):
        canvas.line((_RIGHT, start), (aside, start), (aside, end), (_RIGHT + 1, end), dashed=True, arrow=True)
        canvas.turn_text((aside + 18, (start + end) / 2), "training", degrees=90, anchor="middle")
