"""A table as HTML, for the report's page."""

from disconer.drawing.marked_text import escaped
from disconer.report.table import Cell, Row, Table


def as_html(table: Table) -> str:
    """Write a table for a page that has the style sheet; what comes from data is escaped."""
    heads = []
    if table.has_group_names:
        groups = "".join(
            f'<th scope="colgroup" colspan="{len(group.columns)}"><bdi>{escaped(group.name)}</bdi></th>'
            for group in table.groups
        )
        heads.append(f"<tr><td></td>{groups}</tr>")
    columns = "".join(f'<th scope="col"><bdi>{escaped(column)}</bdi></th>' for _, column in table.columns)
    heads.append(f'<tr><th scope="col">{escaped(table.corner)}</th>{columns}</tr>')
    rows = "".join(map(_row, table.rows))
    return (
        f'<div class="dn-scroll"><table class="dn-table">\n<thead>{"".join(heads)}</thead>\n'
        f"<tbody>\n{rows}</tbody></table></div>\n"
    )


def _row(row: Row) -> str:
    cells = "".join(f"<td>{_cell(cell)}</td>" for cell in row.cells)
    indented = ' class="dn-indented"' if row.is_indented else ""
    return f'<tr><th scope="row"{indented}><bdi>{escaped(row.name)}</bdi></th>{cells}</tr>\n'


def _cell(cell: Cell) -> str:
    return f"<b>{escaped(cell.text)}</b>" if cell.is_best else escaped(cell.text)
