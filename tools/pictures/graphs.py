"""Segments, the graph between them, and the mentions that its cliques are."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from disconer.passage import Segment, WordMention
from disconer.schemes import EdgeSet, GridScheme
from tools.pictures.canvas import Canvas, Point
from tools.pictures.example import Example
from tools.pictures.grids import SCHEME
from tools.pictures.strip import HUES, WRONG, Strip

_LANE = 44
"""Between mentions that are drawn one below the other."""
_PILL = 30


def mentions(example: Example) -> str:
    """Draw what a sentence holds."""
    told = "; ".join(map(example.mention_text, example.mentions))
    canvas = Canvas("Mentions with gaps", f"“{example.document.text}” holds {len(example.mentions)} mentions: {told}.")
    strip = Strip(canvas, example, y=36)
    return canvas.svg(_draw_mentions(strip, example.mentions, y=54))


def standoff(example: Example, lines: Sequence[str]) -> str:
    """Draw what the lines of a brat file mark, each below the mention that it stands for."""
    canvas = Canvas("brat's lines and what they mark", f"“{example.document.text}”, with {'; '.join(lines)}.")
    strip = Strip(canvas, example, y=36)
    for place, (mention, line) in enumerate(zip(example.mentions, lines, strict=True)):
        strip.lane(mention, 54 + place * _LANE, place, words=line)
    return canvas.svg(54 + len(lines) * _LANE)


def segments(example: Example) -> str:
    """Draw the segments of a sentence with their tags."""
    cells = SCHEME.encode(example.mentions).segments
    told = "; ".join(f"{example.segment_text((first, last))} is {tag}" for _, tag, first, last in cells)
    canvas = Canvas("From mentions to segments", f"The segments of “{example.document.text}”: {told}.")
    strip = Strip(canvas, example, y=36)
    bottom = draw_segments(strip, {(first, last): str(tag) for _, tag, first, last in cells}, y=50)
    return canvas.svg(bottom + 8)


def graph(example: Example, places: Mapping[Segment, Point]) -> str:
    """Draw the segment graph, an edge in the colour of its clique, and the mentions."""
    found = _find_mentions(SCHEME, example)
    told = "; ".join(map(example.mention_text, found))
    canvas = Canvas("From segments to mentions", f"Every maximal clique of the segment graph is a mention: {told}.")
    _draw_graph(canvas, example, found, places)
    bottom = max(y for _, y in places.values()) + 68
    strip = Strip(canvas, example, bottom)
    return canvas.svg(_draw_mentions(strip, found, bottom + 18))


def combinations_that_nobody_drew(example: Example, places: Mapping[Segment, Point]) -> str:
    """Draw what two mentions make of each other with the paper's edges, and with those over gaps."""
    canvas = Canvas(
        "Two mentions that combine",
        f"“{example.document.text}”: with H2H and T2T alone, two mentions that nobody annotated come out beside "
        f"{' and '.join(map(example.mention_text, example.mentions))}; with T2H too, they do not.",
    )
    top = 0.0
    for edges, name in ((EdgeSet.ENDS, "H2H and T2T, as in the paper"), (EdgeSet.GAPS, "and T2H, over the gap")):
        canvas.text((20, top + 30), name, weight=600)
        found = _find_mentions(GridScheme(edges=edges), example)
        _draw_graph(canvas, example, found, {segment: (x, y + top) for segment, (x, y) in places.items()})
        strip = Strip(canvas, example, max(y for _, y in places.values()) + top + 56)
        top = _draw_mentions(strip, found, max(y for _, y in places.values()) + top + 72)
    return canvas.svg(top)


def draw_segments(strip: Strip, names: Mapping[Segment, str], y: float) -> float:
    """Draw segments in lanes, each with a name, and give where they end."""
    lanes = strip.lanes(sorted(names))
    for segment, name in names.items():
        start, end = strip.extent(segment)
        with strip.canvas.group("hue-0"):
            strip.canvas.box((start, y + 28 * lanes[segment]), (end - start, 22), shade=0.12)
            place = (start + end) / 2, y + 28 * lanes[segment] + 16
            strip.canvas.text(place, name, anchor="middle", weight=600)
    return y + 28 * (max(lanes.values()) + 1)


def collect_edges(found: Iterable[WordMention]) -> dict[tuple[Segment, Segment], list[int]]:
    """Collect the edges of a graph whose cliques are these, each with the numbers of its cliques."""
    edges: dict[tuple[Segment, Segment], list[int]] = {}
    for number, mention in enumerate(found):
        for pair in combinations(mention.segments, 2):
            edges.setdefault(pair, []).append(number)
    return edges


def _find_mentions(scheme: GridScheme, example: Example) -> list[WordMention]:
    """Read back what a perfect model would find: what was annotated first, each in its place."""
    found = scheme.oracle(example.mentions).mentions
    right = [mention for mention in example.mentions if mention in found]
    return [*right, *sorted(set(found) - set(right))]


def _draw_mentions(strip: Strip, found: Collection[WordMention], y: float) -> float:
    for number, mention in enumerate(found):
        strip.lane(mention, y + _LANE * number, number, mention in strip.example.mentions)
    return y + _LANE * len(found)


def _draw_graph(canvas: Canvas, example: Example, found: list[WordMention], places: Mapping[Segment, Point]) -> None:
    for (one, other), numbers in collect_edges(found).items():
        for turn, number in enumerate(numbers):
            is_right = found[number] in example.mentions
            aside = 4 * (turn - (len(numbers) - 1) / 2)
            ends = [(places[end][0], places[end][1] + aside) for end in (one, other)]
            with canvas.group(f"hue-{HUES[number] if is_right else WRONG}"):
                canvas.line(*ends, width=2.5, dashed=not is_right)
    for segment, place in places.items():
        _pill(canvas, example.segment_text(segment), place)


def _pill(canvas: Canvas, name: str, middle: Point) -> None:
    x, y = middle
    width = 9 * len(name) + 24
    corner = x - width / 2, y - _PILL / 2
    canvas.hole(corner, (width, _PILL), _PILL / 2)
    canvas.box(corner, (width, _PILL), radius=_PILL / 2)
    canvas.text((x, y + 5), name, size=15, anchor="middle")
