"""A table as comma-separated values, for programs and spreadsheets."""

import csv
import io

from disconer.report.table import Table

_FORMULA = ("=", "+", "-", "@")


def as_csv(table: Table) -> str:
    """Write one line of headings and a line a row, values in full precision."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([table.corner, *(_harmless(" ".join(filter(None, names))) for names in table.value_names())])
    for row in table.rows:
        values = ("" if value is None else value for value in table.values(row))
        writer.writerow([_harmless(row.name), *map(_harmless, values)])
    return stream.getvalue()


def _harmless(value: float | str) -> float | str:
    """Keep spreadsheets from taking text that comes from data for a formula, and lines whole."""
    if not isinstance(value, str):
        return value
    line = " ".join(value.split())
    return f"'{line}" if line.startswith(_FORMULA) else line
