"""A table as comma-separated values, for programs and spreadsheets."""

import csv
import io

from disconer.report.table import Table

_FORMULA = ("=", "+", "-", "@")


def as_csv(table: Table) -> str:
    """Write one line of headings and a line a row, values in full precision."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([table.corner, *(_harmless(" ".join(filter(None, names))) for names in table.columns)])
    for row in table.rows:
        values = ("" if cell.value is None else cell.value for cell in row.cells)
        writer.writerow([_harmless(row.name), *map(_harmless, values)])
    return stream.getvalue()


def _harmless(value: float | str) -> float | str:
    """Keep spreadsheets from taking text that comes from data for a formula, and lines whole."""
    if not isinstance(value, str):
        return value
    line = " ".join(value.split())
    return f"'{line}" if line.startswith(_FORMULA) else line
