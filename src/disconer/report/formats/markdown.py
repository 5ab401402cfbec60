"""A table as Markdown, for documentation."""

import re

from disconer.report.table import Cell, Row, Table

_MARKUP = re.compile(r"([\\`*_{}\[\]<>|&])")


def as_markdown(table: Table) -> str:
    """Write a table with its title and its caption above it."""
    columns = [f"{group} {column}".strip() for group, column in table.columns]
    head = f"| {' | '.join(map(_text, (table.corner, *columns)))} |"
    rule = f"|---|{'---:|' * len(columns)}"
    title = f"**{_text(table.title)}.** {_text(table.caption)}"
    return "\n".join((title, "", head, rule, *map(_row, table.rows), ""))


def _row(row: Row) -> str:
    indent = "&nbsp;&nbsp;" if row.is_indented else ""
    return f"| {indent}{_text(row.name)} | {' | '.join(map(_cell, row.cells))} |"


def _cell(cell: Cell) -> str:
    return f"**{_text(cell.text)}**" if cell.is_best else _text(cell.text)


def _text(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
