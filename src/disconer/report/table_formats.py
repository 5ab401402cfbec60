"""A table as CSV, LaTeX, Markdown and HTML."""

import csv
import io
import re

from disconer.drawing.html import escape_html
from disconer.report.table import Cell, Row, Table

_FORMULA = ("=", "+", "-", "@")
_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "−": r"$-$",
    "–": "--",
    "…": r"\ldots{}",
    "Δ": r"$\Delta$",
    "★": r"$^\star$",
    "†": r"$^\dagger$",
    "*": r"$^{*}$",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"\textbar{}",
    "[": "{[}",  # behind the end of a row it would be a length
    '"': r"\textquotedbl{}",
} | {character: f"\\{character}" for character in "&%$#_{}"}
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|&])")


def as_csv(table: Table) -> str:
    """Write one line of headings and a line a row, values in full precision."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([table.corner, *(_csv_value(" ".join(filter(None, names))) for names in table.value_names())])
    for row in table.rows:
        values = ("" if value is None else value for value in table.values(row))
        writer.writerow([_csv_value(row.name), *map(_csv_value, values)])
    return stream.getvalue()


def _csv_value(value: float | str) -> float | str:
    """Keep spreadsheets from taking text that comes from data for a formula, and lines whole."""
    if not isinstance(value, str):
        return value
    line = " ".join(value.split())
    return f"'{line}" if line.startswith(_FORMULA) else line


def as_latex(table: Table) -> str:
    """Write a table that needs the package booktabs."""
    width = sum(len(group.columns) for group in table.groups)
    lines = [r"\begin{table}[t]", r"\centering\small", rf"\begin{{tabular}}{{l{'c' * width}}}", r"\toprule"]
    if table.has_group_names:
        groups = (rf"\multicolumn{{{len(group.columns)}}}{{c}}{{{_latex_text(group.name)}}}" for group in table.groups)
        lines.append(f" & {' & '.join(groups)} \\\\")
    columns = (_latex_text(column) for _, column in table.columns)
    lines += [f"{' & '.join((_latex_text(table.corner), *columns))} \\\\", r"\midrule", *map(_latex_row, table.rows)]
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{_latex_text(f'{table.title}. {table.caption}')}}}"]
    return "\n".join((*lines, rf"\label{{table:{table.name}}}", r"\end{table}", ""))


def _latex_row(row: Row) -> str:
    name = f"~~{_latex_text(row.name)}" if row.is_indented else _latex_text(row.name)
    cells = (rf"\textbf{{{_latex_text(cell.text)}}}" if cell.is_best else _latex_text(cell.text) for cell in row.cells)
    return f"{' & '.join((name, *cells))} \\\\"


def _latex_text(text: str) -> str:
    """Keep text from being taken for commands; what is not printable is left out."""
    return "".join(_LATEX_SPECIAL.get(character, character) for character in text if character.isprintable())


def as_markdown(table: Table) -> str:
    """Write a table with its title and its caption above it."""
    columns = [f"{group} {column}".strip() for group, column in table.columns]
    head = f"| {' | '.join(map(_markdown_text, (table.corner, *columns)))} |"
    rule = f"|---|{'---:|' * len(columns)}"
    title = f"**{_markdown_text(table.title)}.** {_markdown_text(table.caption)}"
    return "\n".join((title, "", head, rule, *map(_markdown_row, table.rows), ""))


def _markdown_row(row: Row) -> str:
    indent = "&nbsp;&nbsp;" if row.is_indented else ""
    return f"| {indent}{_markdown_text(row.name)} | {' | '.join(map(_markdown_cell, row.cells))} |"


def _markdown_cell(cell: Cell) -> str:
    return f"**{_markdown_text(cell.text)}**" if cell.is_best else _markdown_text(cell.text)


def _markdown_text(text: str) -> str:
    return _MARKDOWN_SPECIAL.sub(r"\\\1", " ".join(text.split()))


def as_html(table: Table) -> str:
    """Write a table for a page that has the style sheet; what comes from data is escaped."""
    heads = []
    if table.has_group_names:
        groups = "".join(
            f'<th scope="colgroup" colspan="{len(group.columns)}"><bdi>{escape_html(group.name)}</bdi></th>'
            for group in table.groups
        )
        heads.append(f"<tr><td></td>{groups}</tr>")
    columns = "".join(f'<th scope="col"><bdi>{escape_html(column)}</bdi></th>' for _, column in table.columns)
    heads.append(f'<tr><th scope="col">{escape_html(table.corner)}</th>{columns}</tr>')
    rows = "".join(map(_html_row, table.rows))
    return (
        f'<div class="dn-scroll"><table class="dn-table">\n<thead>{"".join(heads)}</thead>\n'
        f"<tbody>\n{rows}</tbody></table></div>\n"
    )


def _html_row(row: Row) -> str:
    cells = "".join(f"<td>{_html_cell(cell)}</td>" for cell in row.cells)
    indented = ' class="dn-indented"' if row.is_indented else ""
    return f'<tr><th scope="row"{indented}><bdi>{escape_html(row.name)}</bdi></th>{cells}</tr>\n'


def _html_cell(cell: Cell) -> str:
    return f"<b>{escape_html(cell.text)}</b>" if cell.is_best else escape_html(cell.text)


TABLE_FORMATS = {"csv": as_csv, "tex": as_latex, "md": as_markdown}
"""By the ending of a file's name."""
