"""Tables and drawings for people, on standard output."""

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from textwrap import wrap

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from disconer.document import Document
from disconer.drawing import terminal
from disconer.drawing.looks import Looks
from disconer.foundation.characters import columns as columns_of
from disconer.foundation.characters import printable

Rows = Iterable[Sequence[str]]
_UNBOUNDED = 10_000
"""The width of a file or a pipe: what goes there never depends on anybody's terminal."""
_NAME_WIDTH, _HEADER_WIDTH = 16, 12
"""What the names of rows and of columns keep, if they need it, before a table is cut in two."""
_INDENT = 2
"""Of the names of rows, below the title of their group."""


def print_table(columns: Sequence[str], sections: Mapping[str, Rows]) -> None:
    """Print named groups of rows to standard output; the first cell of a row is its name, the others are figures.

    Of a table that is too wide for the terminal there are several, each with some of the columns.
    """
    width = get_terminal_width() or _UNBOUNDED
    console = Console(highlight=False, width=width, force_terminal=terminal.wants_colour(sys.stdout))
    sheet = _Sheet(columns, {title: list(rows) for title, rows in sections.items()})
    for part in sheet.split_to_fit(width):
        console.print(part.lay_out(width))


def get_terminal_width() -> int | None:
    """Count the columns of the terminal that standard output is; none where it is a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def fill(line: str, indent: str) -> str:
    """Break a line for people between words where the terminal ends, what follows indented."""
    width = get_terminal_width()
    if width is None:
        return line
    return "\n".join(wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def draw(document: Document, labels: Iterable[str] | Looks = ()) -> str:
    """Draw a document as wide as standard output is, in colour if that is somebody's terminal."""
    return terminal.draw(document, shutil.get_terminal_size().columns, terminal.wants_colour(sys.stdout), labels)


def format_percent(fraction: float) -> str:
    return f"{100 * fraction:.1f}"


def format_count(count: float) -> str:
    return f"{count:,.0f}"


@dataclass(frozen=True)
class _Sheet:
    """A table before it is laid out: the names of its columns of figures, and its rows in groups."""

    columns: Sequence[str]
    groups: Mapping[str, Sequence[Sequence[str]]]

    def split_to_fit(self, width: int) -> list["_Sheet"]:
        """Keep it whole, or else in halves, or else in as many parts as it takes to fit."""
        size = len(self.columns)
        for cuts in ([], [ceil(size / 2)], self._choose_cuts(width)):
            parts = [self._part(first, end) for first, end in pairwise((0, *cuts, size)) if first < end]
            if all(part._fits(width) for part in parts):
                break
        return parts

    def lay_out(self, width: int) -> Table:
        """Choose the widths of columns: names may be broken into lines, figures never."""
        header_width = _UNBOUNDED if self._width(_UNBOUNDED, _UNBOUNDED) <= width else _HEADER_WIDTH
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column(overflow="fold", width=min(self._name_width, width - self._width(0, header_width)))
        for name, wide in zip(self.columns, self._figure_widths(header_width), strict=True):
            table.add_column(Text(_break_header(printable(name), wide)), justify="right", min_width=wide)
        for title, rows in self.groups.items():
            table.add_row(Text(title, style="bold"))  # and not a string, in which [red] would be markup
            for name, *figures in rows:
                table.add_row(Padding(Text(printable(name)), (0, 0, 0, _INDENT)), *map(Text, figures))
            table.add_section()
        return table

    def _choose_cuts(self, width: int) -> list[int]:
        """Choose where to cut so that every part has as many columns as fit, and at least one."""
        cuts = [0]
        for end in range(1, len(self.columns) + 1):
            if end > cuts[-1] + 1 and not self._part(cuts[-1], end)._fits(width):
                cuts.append(end - 1)
        return cuts[1:]

    def _fits(self, width: int) -> bool:
        return self._width(_NAME_WIDTH, _HEADER_WIDTH) <= width

    def _part(self, first: int, end: int) -> "_Sheet":
        groups = {title: [[row[0], *row[1:][first:end]] for row in rows] for title, rows in self.groups.items()}
        return _Sheet(self.columns[first:end], groups)

    def _width(self, name_width: int, header_width: int) -> int:
        """Compute its width on the screen when names of rows and of columns are limited to these widths."""
        figures = self._figure_widths(header_width)
        return min(self._name_width, name_width) + sum(figures) + 2 * len(figures) + 2

    @property
    def _name_width(self) -> int:
        names = [columns_of(printable(row[0])) + _INDENT for rows in self.groups.values() for row in rows]
        return max(*names, *map(columns_of, self.groups))

    def _figure_widths(self, header_width: int) -> list[int]:
        cells = zip(*(row[1:] for rows in self.groups.values() for row in rows), strict=True)
        widest = [max(map(len, column)) for column in cells]
        headers = [min(columns_of(printable(name)), header_width) for name in self.columns]
        return list(map(max, widest, headers))


def _break_header(name: str, width: int) -> str:
    """Break the name of a column that is too long into lines, a path behind its slashes."""
    if columns_of(name) <= width:
        return name
    return "\n".join(wrap(name.replace("/", "/ "), width)).replace("/ ", "/")
