"""Tables and drawings for people, on standard output."""

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from disconer.document import Document
from disconer.drawing import terminal
from disconer.drawing.characters import printable
from disconer.drawing.looks import Looks

Rows = Iterable[Sequence[str]]


def print_table(columns: Sequence[str], sections: Mapping[str, Rows]) -> None:
    """Print named groups of rows to standard output; the first cell of a row is its name, the others are figures."""
    table = _table(columns, sections)
    console = Console(highlight=False)
    if not console.is_terminal:  # a file or a pipe is as wide as the table
        needed = Measurement.get(console, console.options.update(max_width=10_000), table).maximum
        console = Console(highlight=False, width=max(needed, 80))
    console.print(table)


def drawn(document: Document, labels: Iterable[str] | Looks = ()) -> str:
    """Draw a document as wide as standard output is, in colour if that is somebody's terminal."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return terminal.draw(document, shutil.get_terminal_size().columns, colour, labels)


def percent(fraction: float) -> str:
    return f"{100 * fraction:.1f}"


def whole(count: float) -> str:
    return f"{count:,.0f}"


def _table(columns: Sequence[str], sections: Mapping[str, Rows]) -> Table:
    # Cells are Text, so that a label like [red] is not taken for markup.
    groups = {title: list(rows) for title, rows in sections.items()}
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(overflow="fold")
    for number, name in enumerate(columns, start=1):
        widest = max(len(row[number]) for rows in groups.values() for row in rows)
        table.add_column(Text(printable(name)), justify="right", overflow="fold", min_width=widest)
    for title, rows in groups.items():
        table.add_row(Text(title, style="bold"))
        for name, *figures in rows:
            table.add_row(Text(f"  {printable(name)}"), *map(Text, figures))
        table.add_section()
    return table
