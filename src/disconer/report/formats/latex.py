"""A table as LaTeX, laid out as the paper's own are."""

from disconer.report.table import Row, Table

_SPECIAL = {
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


def as_latex(table: Table) -> str:
    """Write a table that needs the package booktabs."""
    width = sum(len(group.columns) for group in table.groups)
    lines = [r"\begin{table}[t]", r"\centering\small", rf"\begin{{tabular}}{{l{'c' * width}}}", r"\toprule"]
    if table.has_group_names:
        groups = (rf"\multicolumn{{{len(group.columns)}}}{{c}}{{{_text(group.name)}}}" for group in table.groups)
        lines.append(f" & {' & '.join(groups)} \\\\")
    columns = (_text(column) for _, column in table.columns)
    lines += [f"{' & '.join((_text(table.corner), *columns))} \\\\", r"\midrule", *map(_row, table.rows)]
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{_text(f'{table.title}. {table.caption}')}}}"]
    return "\n".join((*lines, rf"\label{{table:{table.name}}}", r"\end{table}", ""))


def _row(row: Row) -> str:
    name = f"~~{_text(row.name)}" if row.is_indented else _text(row.name)
    cells = (rf"\textbf{{{_text(cell.text)}}}" if cell.is_best else _text(cell.text) for cell in row.cells)
    return f"{' & '.join((name, *cells))} \\\\"


def _text(text: str) -> str:
    """Keep text from being taken for commands; what is not printable is left out."""
    return "".join(_SPECIAL.get(character, character) for character in text if character.isprintable())
