"""The paper's tables of data: sizes, overlap patterns, interval and span lengths, a group of columns a corpus."""

from collections.abc import Callable, Iterator

from disconer.report.evaluation import Report
from disconer.report.table import Cell, Group, Row, Table
from disconer.scoring import Statistics
from disconer.scoring.breakdowns import BREAKDOWNS

BREAKDOWN_TITLES = {
    "overlap": "F1 by overlapping pattern",
    "interval": "F1 by interval length",
    "span": "F1 by span length",
}
_OVERLAP_NAMES = {"no": "No", "left": "Left", "right": "Right", "multi": "Multi.", "inner": "Inner"}


def data_tables(report: Report) -> Iterator[Table]:
    """Give tables 1, 5, 6 and 7 of the paper."""
    notes = "".join(f" {evaluation.corpus}: {evaluation.note}." for evaluation in report.evaluations if evaluation.note)
    yield _table(
        report,
        "data",
        "Statistics of datasets",
        "S, M and D are the numbers of sentences, of all mentions and of discontinuous ones; P is the percentage of "
        f"discontinuous mentions.{notes}",
        "",
        {
            "S": lambda figures: _count(figures.sentences),
            "M": lambda figures: _count(figures.mentions),
            "D": lambda figures: _count(figures.discontinuous),
            "P": lambda figures: Cell(f"{figures.percent_discontinuous:.1f}", figures.percent_discontinuous),
        },
    )
    texts = {
        "overlap": ("Statistics of overlapping patterns", "Discontinuous mentions by the end that they share."),
        "interval": ("Statistics of interval length", "Discontinuous mentions by the words in their gaps."),
        "span": ("Statistics of span length", "Discontinuous mentions by the words from their first to their last."),
    }
    for name, (title, caption) in texts.items():
        rows = {bin_title(name, one): _bin_count(name, one) for one in BREAKDOWNS[name]}
        yield _table(report, name, title, caption, "Pattern" if name == "overlap" else "Length", rows)


def bin_title(breakdown: str, name: str) -> str:
    """Name a bin as the paper's tables do."""
    if breakdown == "overlap":
        return _OVERLAP_NAMES[name]
    return f"≥ {name[:-1]}" if name.endswith("+") else f"= {name}"


def _bin_count(breakdown: str, name: str) -> Callable[[Statistics], Cell]:
    return lambda figures: _count(figures.breakdowns[breakdown][name])


def _table(
    report: Report, name: str, title: str, caption: str, corner: str, rows: dict[str, Callable[[Statistics], Cell]]
) -> Table:
    groups = [Group(evaluation.corpus, list(evaluation.splits)) for evaluation in report.evaluations]
    figures = [figures for evaluation in report.evaluations for figures in evaluation.splits.values()]
    return Table(
        name, title, caption, corner, groups,
        [Row(row, [cell(one) for one in figures]) for row, cell in rows.items()],
    )  # fmt: skip


def _count(number: int) -> Cell:
    return Cell(f"{number:,}", number)
