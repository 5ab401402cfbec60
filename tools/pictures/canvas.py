"""A vector graphic that can be read on light and on dark pages, and by those who cannot see it.

It brings its own background, since a picture on a page does not always know which of the two the page is. Colours come
from the renderer's hues; nothing is told by colour alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from disconer.drawing.html import escape_html
from disconer.drawing.looks import HUES

Point = tuple[float, float]

WIDTH = 480
"""Of every picture: still readable when a phone shrinks it to three quarters."""
MARGIN = 20
_LIGHT = {"svg": "color:#1f2328", ".card": "fill:#ffffff;stroke:#d0d7de", ".pale": "color:#59636e"}
_DARK = {"svg": "color:#e6edf3", ".card": "fill:#0d1117;stroke:#3d444d", ".pale": "color:#9198a1"}


class Canvas:
    """A picture in the making, from the top downwards."""

    def __init__(self, title: str, description: str) -> None:
        self.title = title
        self.description = description
        self.elements: list[str] = []

    @contextmanager
    def group(self, classes: str) -> Iterator[None]:
        """Draw all that comes inside in a hue (`hue-0` …) or with less weight (`pale`)."""
        self.elements.append(f'<g class="{classes}">')
        yield
        self.elements.append("</g>")

    def text(self, place: Point, words: str, size: float = 14, anchor: str = "start", weight: int = 400) -> None:
        x, y = place
        bold = f' font-weight="{weight}"' if weight != 400 else ""
        start = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.elements.append(
            f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"{start}{bold}>{escape_html(words)}</text>'
        )

    def turn_text(self, place: Point, words: str, degrees: int, anchor: str = "start") -> None:
        """Write upwards, at a slant or straight."""
        x, y = place
        self.elements.append(f'<g transform="rotate({-degrees} {_n(x)} {_n(y)})">')
        self.text(place, words, anchor=anchor)
        self.elements.append("</g>")

    def fit_text(self, place: Point, words: str, width: float, size: float = 16) -> None:
        """Write in type of one width, exactly so wide, whichever font there is."""
        x, y = place
        self.elements.append(
            f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" textLength="{_n(width)}" '
            'lengthAdjust="spacingAndGlyphs" font-family="ui-monospace, Menlo, Consolas, monospace">'
            f"{escape_html(words)}</text>"
        )

    def bar(self, x: float, y: float, width: float, height: float = 7) -> None:
        """Fill a stretch with round ends."""
        size = f'width="{_n(width)}" height="{_n(height)}" rx="{_n(min(height, width) / 2)}"'
        self.elements.append(f'<rect x="{_n(x)}" y="{_n(y)}" {size} fill="currentColor"/>')

    def hole(self, corner: Point, size: Point, radius: float) -> None:
        """Hide what lies below, as behind a node that lines lead to."""
        (x, y), (width, height) = corner, size
        self.elements.append(
            f'<rect class="card" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}"/>'
        )

    def box(self, corner: Point, size: Point, radius: float = 4, shade: float = 0.0, dashed: bool = False) -> None:
        """Draw a frame, filled with a shade of its colour."""
        (x, y), (width, height) = corner, size
        self.elements.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}" '
            f'fill="currentColor" fill-opacity="{_n(shade)}" stroke="currentColor"{_dash(dashed)}/>'
        )

    def line(self, *points: Point, width: float = 1.5, dashed: bool = False, arrow: bool = False) -> None:
        path = "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
        head = ' marker-end="url(#arrow)"' if arrow else ""
        self.elements.append(
            f'<path d="M{path}" fill="none" stroke="currentColor" stroke-width="{_n(width)}"{_dash(dashed)}{head}/>'
        )

    def shape(self, path: str) -> None:
        """Fill an outline."""
        self.elements.append(f'<path d="{path}" fill="currentColor"/>')

    def svg(self, height: float) -> str:
        """Put the whole picture together."""
        lines = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {_n(height)}" width="{WIDTH}" '
            f'height="{_n(height)}" role="img" aria-labelledby="title description" '
            'font-family="system-ui, sans-serif" fill="currentColor">',
            f'<title id="title">{escape_html(self.title)}</title>',
            f'<desc id="description">{escape_html(self.description)}</desc>',
            f"<style>{_style()}</style>",
            '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" '
            'orient="auto"><path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs>',
            f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{_n(height - 1)}" rx="10"/>',
            *self.elements,
            "</svg>",
        )
        return "\n".join((*lines, ""))


def _style() -> str:
    light = _LIGHT | {f".hue-{number}": f"color:{hue.light}" for number, hue in enumerate(HUES)}
    dark = _DARK | {f".hue-{number}": f"color:{hue.dark}" for number, hue in enumerate(HUES)}
    return f"{_rules(light)}@media (prefers-color-scheme:dark){{{_rules(dark)}}}"


def _rules(rules: dict[str, str]) -> str:
    return "".join(f"{selector}{{{declarations}}}" for selector, declarations in rules.items())


def _dash(dashed: bool) -> str:
    return ' stroke-dasharray="3 3"' if dashed else ""


def _n(number: float) -> str:
    """Write a number as short as it can be."""
    return f"{number:.1f}".removesuffix(".0")
