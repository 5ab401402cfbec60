"""Charts as vector graphics that stand alone: bars and lines, a colour, a dash and a mark of its own for each series.

The colours are told apart by colour-blind people (Okabe and Ito's, with grey for black and an olive), and nothing is
told by colour alone. Text and axes take the colour of the text around them. There is no style attribute and no script;
what comes from data is escaped.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor

from disconer.drawing.html import escape_html

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#888888", "#8A7A00")
DASHES = ("none", "6 3", "2 3", "8 3 2 3")
_WIDTH, _HEIGHT = 640, 320
_LEFT, _RIGHT, _BOTTOM = 52, 14, 62
_LEGEND_ROW = 18
_ASIDE = 4
"""How far lines over bins stand beside each other: systems often agree."""
_LETTER = 6.6
"""How wide a letter of the legend is, about."""
_VALUE_WIDTH = 24
"""Of a number above a bar."""


@dataclass(frozen=True)
class Point:
    """A value at a place, with a note."""

    x: float
    y: float | None
    """Between 0 and 1; none where there is nothing to show."""
    note: str = ""


@dataclass(frozen=True)
class Series:
    """The points of one system."""

    name: str
    points: Sequence[Point]
    is_dotted: bool = False
    """Single dots that no line joins, as a system's operating point is; they look like the series of that name."""


@dataclass(frozen=True)
class Chart:
    """A chart: shares upwards, and bins or another share to the right."""

    name: str
    """In names of files and addresses."""
    title: str
    x_title: str
    y_title: str
    series: Sequence[Series]
    bins: Sequence[str] = ()
    """What stands under each bin; without bins the axis runs from 0 to 1."""
    has_diagonal: bool = False
    shows_values: bool = False
    """Whether each bar says how high it is, where there is room."""

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(series.name for series in self.series))


def draw_bars(chart: Chart) -> str:
    """Draw a group of bars for every bin."""
    return _draw(chart, _bars)


def draw_lines(chart: Chart) -> str:
    """Draw a line for every series."""
    return _draw(chart, _lines)


class _Axis:
    """The stretch of an axis that is shown, in steps of a fifth or, where little is to be seen, of less."""

    def __init__(self, values: Sequence[float], from_zero: bool) -> None:
        low, high = (0.0 if from_zero else min(values, default=0.0)), max(values, default=1.0)
        self.step = next(step for step in (0.02, 0.05, 0.1, 0.2, 1.0) if high - low <= 5 * step)
        self.first = floor(low / self.step + 1e-9)
        self.last = max(ceil(high / self.step - 1e-9), self.first + 1)

    @property
    def ticks(self) -> Iterator[float]:
        return (number * self.step for number in range(self.first, self.last + 1))

    def share(self, value: float) -> float:
        """Compute where along the axis a value lies, from 0 to 1."""
        return (value / self.step - self.first) / (self.last - self.first)


class _Frame:
    """Where things are in a drawing."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        points = [point for series in chart.series for point in series.points if point.y is not None]
        is_whole = bool(chart.bins) or chart.has_diagonal
        ends = [0.0, 1.0] if chart.has_diagonal else []
        self.y_axis = _Axis([*ends, *(point.y for point in points if point.y is not None)], is_whole)
        self.x_axis = _Axis([*ends, *(point.x for point in points)] if not chart.bins else [0.0, 1.0], is_whole)
        self.legend = list(_legend_places(chart.names))
        self.top = 14 + _LEGEND_ROW * (max((row for row, _ in self.legend), default=0) + 1)
        self.bottom = self.top + _HEIGHT - _BOTTOM
        self.height = self.bottom + _BOTTOM

    def x(self, value: float) -> float:
        slots = len(self.chart.bins)
        share = (value + 0.5) / slots if slots else self.x_axis.share(value)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return self.bottom - self.y_axis.share(value) * (self.bottom - self.top)

    @property
    def slot(self) -> float:
        return (_WIDTH - _LEFT - _RIGHT) / max(len(self.chart.bins), 1)


def _draw(chart: Chart, content: Callable[[_Frame], Iterator[str]]) -> str:
    frame = _Frame(chart)
    parts = (*_axes(frame), *content(frame), *_legend(frame))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {frame.height}" width="{_WIDTH}" '
        f'height="{frame.height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">\n'
        f"<title>{escape_html(chart.title)}</title>\n{''.join(parts)}</svg>\n"
    )


def _axes(frame: _Frame) -> Iterator[str]:
    right = _WIDTH - _RIGHT
    for number, value in enumerate(frame.y_axis.ticks):
        y, opacity = frame.y(value), 0.15 if number else 0.6
        yield f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="currentColor" stroke-opacity="{opacity}"/>\n'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{100 * value:.0f}</text>\n'
    of_axis = ((value, f"{100 * value:.0f}") for value in frame.x_axis.ticks)
    ticks: Iterable[tuple[float, str]] = enumerate(frame.chart.bins) if frame.chart.bins else of_axis
    for place, name in ticks:
        for number, part in enumerate(name.split("\n")):
            small = ' fill-opacity="0.7" font-size="11"' if number else ""
            y = frame.bottom + 17 + 14 * number
            yield f'<text x="{frame.x(place):.1f}" y="{y:.1f}" text-anchor="middle"{small}>{escape_html(part)}</text>\n'
    middle, height = (_LEFT + right) / 2, (frame.top + frame.bottom) / 2
    below = frame.bottom + (54 if frame.chart.bins else 40)
    yield f'<text x="{middle}" y="{below}" text-anchor="middle">{escape_html(frame.chart.x_title)}</text>\n'
    turned = f'transform="rotate(-90 14 {height})"'
    yield f'<text x="14" y="{height}" text-anchor="middle" {turned}>{escape_html(frame.chart.y_title)}</text>\n'
    if frame.chart.has_diagonal:
        ends = f"M{frame.x(0)} {frame.y(0)}L{frame.x(1)} {frame.y(1)}"
        yield f'<path d="{ends}" stroke="currentColor" stroke-opacity="0.4" stroke-dasharray="3 4"/>\n'


def _bars(frame: _Frame) -> Iterator[str]:
    count = max(len(frame.chart.series), 1)
    width = min(0.82 * frame.slot / count, 34)
    has_values = frame.chart.shows_values and width >= _VALUE_WIDTH
    for number, series in enumerate(frame.chart.series):
        colour = COLOURS[number % len(COLOURS)]
        for point in series.points:
            if point.y is None:
                continue
            x = frame.x(point.x) + (number - count / 2) * width
            y = frame.y(point.y)
            yield (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width - 1, 0.5):.1f}" height="{frame.bottom - y:.1f}" '
                f'fill="{colour}" stroke="currentColor" stroke-width="0.5" '
                f'fill-opacity="{_opacity(number)}"><title>{_note(series, point)}</title></rect>\n'
            )
            if has_values:
                place = f'x="{x + width / 2:.1f}" y="{y - 5:.1f}" text-anchor="middle" font-size="11"'
                yield f"<text {place}>{100 * point.y:.1f}</text>\n"
            else:
                yield _mark(number, x + width / 2, y - 6, min(3.0, width / 3), _note(series, point))


def _lines(frame: _Frame) -> Iterator[str]:
    names = frame.chart.names
    for series in frame.chart.series:
        number = names.index(series.name)
        aside = (number - (len(names) - 1) / 2) * _ASIDE if frame.chart.bins else 0.0
        if not series.is_dotted:
            yield from (_line(frame, run, number, aside) for run in _runs(series.points))
        drawn = [(frame.x(point.x) + aside, frame.y(point.y), point) for point in series.points if point.y is not None]
        for x, y, point in drawn:
            yield _mark(number, x, y, 6.5 if series.is_dotted else 3.5, _note(series, point))


def _runs(points: Sequence[Point]) -> Iterator[list[Point]]:
    """Split points into runs without a missing value."""
    for is_there, run in groupby(points, key=lambda point: point.y is not None):
        if is_there:
            yield list(run)


def _line(frame: _Frame, run: Sequence[Point], number: int, aside: float) -> str:
    path = "L".join(f"{frame.x(point.x) + aside:.1f} {frame.y(point.y or 0.0):.1f}" for point in run)
    colour = COLOURS[number % len(COLOURS)]
    return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{_dash(number)}/>\n'


def _note(series: Series, point: Point) -> str:
    value = "" if point.y is None else f": {100 * point.y:.1f}"
    return escape_html(f"{series.name}{value}{f' ({point.note})' if point.note else ''}")


def _mark(number: int, x: float, y: float, size: float, note: str) -> str:
    """Draw a circle, a square, a diamond or a triangle."""
    shapes = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}"',
        f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size}" height="{2 * size}"',
        f'<path d="M{x:.1f} {y - 1.3 * size:.1f}l{1.3 * size} {1.3 * size}l{-1.3 * size} {1.3 * size}'
        f'l{-1.3 * size} {-1.3 * size}z"',
        f'<path d="M{x:.1f} {y - 1.2 * size:.1f}l{1.2 * size} {2.1 * size}h{-2.4 * size}z"',
    )
    colour = COLOURS[number % len(COLOURS)]
    shape = shapes[number % len(shapes)]
    element = shape[1:].split()[0]
    return f'{shape} fill="{colour}" stroke="currentColor" stroke-width="0.6"><title>{note}</title></{element}>\n'


def _dash(number: int) -> str:
    dash = DASHES[(number + number // len(COLOURS)) % len(DASHES)]
    return "" if dash == "none" else f' stroke-dasharray="{dash}"'


def _opacity(number: int) -> str:
    """Make bars of a colour that comes again paler."""
    return "1" if number < len(COLOURS) else "0.5"


def _legend_places(names: Sequence[str]) -> Iterator[tuple[int, float]]:
    row, x = 0, float(_LEFT)
    for name in names:
        width = 26 + _LETTER * min(len(name), 60) + 14
        if x > _LEFT and x + width > _WIDTH - _RIGHT:
            row, x = row + 1, float(_LEFT)
        yield row, x
        x += width


def _legend(frame: _Frame) -> Iterator[str]:
    for number, (name, (row, x)) in enumerate(zip(frame.chart.names, frame.legend, strict=True)):
        y = 14 + _LEGEND_ROW * row
        shown = name if len(name) <= 60 else f"{name[:59]}…"
        yield _mark(number, x + 8, y - 4, 5, escape_html(name))
        yield f'<text x="{x + 20:.1f}" y="{y}">{escape_html(shown)}</text>\n'
