"""Tables for people, in the terminal."""

from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

Rows = Iterable[Sequence[str]]


def print_table(columns: Sequence[str], sections: Mapping[str, Rows]) -> None:
    """Print named groups of rows to standard output; the first cell of a row is its name, the others are figures."""
    table = _table(columns, sections)
    console = Console(highlight=False)
    if not console.is_terminal:  # a file or a pipe is as wide as the table
        needed = Measurement.get(console, console.options.update(max_width=10_000), table).maximum
        console = Console(highlight=False, width=max(needed, 80))
    console.print(table)


def percent(fraction: float) -> str:
    return f"{100 * fraction:.1f}"


def whole(count: float) -> str:
    return f"{count:,.0f}"


def _table(columns: Sequence[str], sections: Mapping[str, Rows]) -> Table:
    # Cells are Text, so that a label like [red] is not taken for markup.
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(no_wrap=True)
    for name in columns:
        table.add_column(Text(name), justify="right", overflow="fold")
    for title, rows in sections.items():
        table.add_row(Text(title, style="bold"))
        for name, *figures in rows:
            table.add_row(Text(f"  {name}", overflow="fold"), *map(Text, figures))
        table.add_section()
    return table
