"""What stands in the tables of results, and how it is written."""

from collections.abc import Sequence

from disconer.report.evaluation import Evaluation, Result, System
from disconer.report.table import Cell, Row
from disconer.scoring import Counts

SPOKESMAN = "Each system is the seed with the median dev F1."
SPREAD = ("mean", "deviation")
"""The parts of a cell that shows the spread over seeds."""


def chosen_on(evaluations: Sequence[Evaluation]) -> str:
    """Say how much was chosen on the very data that is scored."""
    same = [evaluation.corpus for evaluation in evaluations if evaluation.was_chosen_on]
    return f" Epochs, thresholds and that seed were chosen on the same data ({', '.join(same)})." if same else ""


def system_row(system: System, cells: Sequence[Cell]) -> Row:
    """Give the row of a system, those of variants indented."""
    return Row(system.title, cells, is_indented=system.base is not None)


def heading(evaluation: Evaluation) -> str:
    """Name a corpus and the split that was answered."""
    return f"{evaluation.corpus} ({evaluation.evaluated})"


def percent(fraction: float | None, marks: str = "") -> Cell:
    return Cell() if fraction is None else Cell(f"{100 * fraction:.1f}{marks}", fraction)


def f1_cell(counts: Counts | None) -> Cell:
    return percent(counts.f1) if counts is not None and counts.gold + counts.predicted else Cell()


def spread_cell(result: Result | None, scope: str, measure: str = "f1") -> Cell:
    """Show a measure's mean over the seeds and its standard deviation, if there are several."""
    if result is None:
        return Cell()
    mean, deviation = result.spread(scope, measure)
    shown = "" if deviation is None else f" ± {100 * deviation:.1f}"
    return Cell(f"{100 * mean:.1f}{shown}", (mean, deviation))


def signed(fraction: float) -> str:
    return f"{100 * fraction:+.1f}".replace("-", "−")
