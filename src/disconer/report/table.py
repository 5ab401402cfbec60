"""A table as the paper lays it out: rows of systems or bins, columns in groups, one group a corpus."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Value = float | str | None | tuple[float | None, ...]


@dataclass(frozen=True)
class Cell:
    """What stands in a cell: for people, and for programs."""

    text: str = "–"
    """As it is printed."""
    value: "Value" = None
    """In full precision; none where there is nothing to say; several where the column has parts."""
    is_best: bool = False
    """Printed bold."""


@dataclass(frozen=True)
class Row:
    """A row and its name."""

    name: str
    cells: Sequence[Cell]
    is_indented: bool = False
    """As the variants of the system above are."""


@dataclass(frozen=True)
class Group:
    """Columns under one heading."""

    name: str
    columns: Sequence[str]
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The columns whose cells have several values, and what these are."""


@dataclass(frozen=True)
class Table:
    """A table of a report."""

    name: str
    """In names of files and addresses: lower case, with hyphens."""
    title: str
    caption: str
    corner: str
    """What the rows are."""
    groups: Sequence[Group]
    rows: Sequence[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        width = sum(len(group.columns) for group in self.groups)
        wrong = next((row.name for row in self.rows if len(row.cells) != width), None)
        if wrong is not None:
            raise ValueError(f"the row {wrong} of {self.name} does not have {width} cells")

    @property
    def columns(self) -> Iterator[tuple[str, str]]:
        """Every column as the name of its group and its own."""
        return ((group.name, column) for group in self.groups for column in group.columns)

    @property
    def has_group_names(self) -> bool:
        return any(group.name for group in self.groups)

    def value_names(self) -> Iterator[tuple[str, ...]]:
        """Give every value of a row, for programs, as the names of its group, its column and its part if it has one."""
        for group in self.groups:
            for column in group.columns:
                yield from ((group.name, column, part) for part in group.parts.get(column, ("",)))

    def values(self, row: Row) -> Iterator[float | str | None]:
        """Give the values of a row, one for each of `value_names`."""
        parts = (group.parts.get(column, ()) for group in self.groups for column in group.columns)
        for cell, names in zip(row.cells, parts, strict=True):
            if not names:
                yield None if isinstance(cell.value, tuple) else cell.value
            elif isinstance(cell.value, tuple):
                yield from cell.value
            else:
                yield from (None for _ in names)

    def as_json(self) -> dict[str, object]:
        """Give the table for programs: a row is its name and its values, by group, column and part."""
        return {
            "title": self.title,
            "caption": self.caption,
            "rows": [{"name": row.name, "values": self._nested(row)} for row in self.rows],
        }

    def _nested(self, row: Row) -> dict[str, dict[str, object]]:
        values: dict[str, dict[str, object]] = {}
        for (group, column, part), value in zip(self.value_names(), self.values(row), strict=True):
            of_group = values.setdefault(group, {})
            if part:
                of_parts = of_group.setdefault(column, {})
                assert isinstance(of_parts, dict)  # noqa: S101 (a column has parts everywhere or nowhere)
                of_parts[part] = value
            else:
                of_group[column] = value
        return values


def with_best(rows: Sequence[Row]) -> list[Row]:
    """Mark the highest value of each column, as it is printed: several when they are printed alike."""
    marked = [list(row.cells) for row in rows]
    for column in range(len(marked[0]) if marked else 0):
        shown = [_printed(cells[column]) for cells in marked]
        highest = max((number for number in shown if number is not None), default=None)
        for cells, number in zip(marked, shown, strict=True):
            if number is not None and number == highest and len(rows) > 1:
                cells[column] = Cell(cells[column].text, cells[column].value, is_best=True)
    return [Row(row.name, cells, row.is_indented) for row, cells in zip(rows, marked, strict=True)]


def _printed(cell: Cell) -> float | None:
    """Give what a cell is judged by: its value, or the first of several."""
    value = cell.value[0] if isinstance(cell.value, tuple) else cell.value
    return None if value is None or isinstance(value, str) else round(100 * value, 1)
