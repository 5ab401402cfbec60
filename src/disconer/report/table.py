"""A table of a report as the paper lays it out: rows of systems or bins, columns in groups, one group a corpus."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from disconer.report.evaluation import Result, System
from disconer.scoring import Counts

Value = float | str | None | tuple[float | None, ...]

SPREAD = ("mean", "deviation")
"""The parts of a cell that shows the spread over seeds."""
BREAKDOWN_TITLES = {
    "overlap": "F1 by overlapping pattern",
    "interval": "F1 by interval length",
    "span": "F1 by span length",
}
_OVERLAP_NAMES = {"no": "No", "left": "Left", "right": "Right", "multi": "Multi.", "inner": "Inner"}


@dataclass(frozen=True)
class Cell:
    """The content of a cell, for people and for programs."""

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
class ColumnGroup:
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
    groups: Sequence[ColumnGroup]
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
        """Name the values of a row by group, column and, if the column has parts, part."""
        for group in self.groups:
            for column in group.columns:
                yield from ((group.name, column, part) for part in group.parts.get(column, ("",)))

    def values(self, row: Row) -> Iterator[float | str | None]:
        """List the values of a row, one for each of `value_names`."""
        parts = (group.parts.get(column, ()) for group in self.groups for column in group.columns)
        for cell, names in zip(row.cells, parts, strict=True):
            if not names:
                yield None if isinstance(cell.value, tuple) else cell.value
            elif isinstance(cell.value, tuple):
                yield from cell.value
            else:
                yield from (None for _ in names)

    def as_json(self) -> dict[str, object]:
        """Convert for programs: a row is its name and its values, by group, column and part."""
        return {
            "title": self.title,
            "caption": self.caption,
            "rows": [{"name": row.name, "values": self._nest(row)} for row in self.rows],
        }

    def _nest(self, row: Row) -> dict[str, dict[str, object]]:
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


def mark_best(rows: Sequence[Row]) -> list[Row]:
    """Mark the highest value of each column, as it is printed: several when they are printed alike."""
    marked = [list(row.cells) for row in rows]
    for column in range(len(marked[0]) if marked else 0):
        shown = [_round(cells[column]) for cells in marked]
        highest = max((number for number in shown if number is not None), default=None)
        for cells, number in zip(marked, shown, strict=True):
            if number is not None and number == highest and len(rows) > 1:
                cells[column] = Cell(cells[column].text, cells[column].value, is_best=True)
    return [Row(row.name, cells, row.is_indented) for row, cells in zip(rows, marked, strict=True)]


def _round(cell: Cell) -> float | None:
    """Round the value of a cell, or the first of several, as it is printed."""
    value = cell.value[0] if isinstance(cell.value, tuple) else cell.value
    return None if value is None or isinstance(value, str) else round(100 * value, 1)


def system_row(system: System, cells: Sequence[Cell]) -> Row:
    """Make the row of a system; variants are indented."""
    return Row(system.title, cells, is_indented=system.base is not None)


def count_cell(number: int) -> Cell:
    return Cell(f"{number:,}", number)


def percent_cell(fraction: float | None, marks: str = "") -> Cell:
    return Cell() if fraction is None else Cell(f"{100 * fraction:.1f}{marks}", fraction)


def f1_cell(counts: Counts | None) -> Cell:
    return percent_cell(counts.f1) if counts is not None and counts.gold + counts.predicted else Cell()


def spread_cell(result: Result | None, scope: str, measure: str = "f1") -> Cell:
    """Show a measure's mean over the seeds and its standard deviation, if there are several."""
    if result is None:
        return Cell()
    mean, deviation = result.spread(scope, measure)
    shown = "" if deviation is None else f" ± {100 * deviation:.1f}"
    return Cell(f"{100 * mean:.1f}{shown}", (mean, deviation))


def bin_title(breakdown: str, name: str) -> str:
    """Name a bin as the paper's tables do."""
    if breakdown == "overlap":
        return _OVERLAP_NAMES[name]
    return f"≥ {name[:-1]}" if name.endswith("+") else f"= {name}"
