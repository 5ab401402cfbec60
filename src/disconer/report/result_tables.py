"""The paper's tables of results, a group of columns a corpus."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from disconer.report.cells import SPOKESMAN, SPREAD, chosen_on, heading, percent, spread_cell, system_row
from disconer.report.comparison import Comparison
from disconer.report.evaluation import Evaluation, Report, System
from disconer.report.table import Cell, Group, Table, with_best
from disconer.scoring import SCOPES, Counts

_MEASURES = {"precision": "Prec.", "recall": "Rec.", "f1": "F1"}
_SHORT_SCOPES = {"all": "F1", "disc_sentences": "Dis F1", "disc_mentions": "Dis F1★"}
_MEAN_COLUMNS = {("all", measure): title for measure, title in _MEASURES.items()} | {
    (scope, "f1"): title for scope, title in _SHORT_SCOPES.items()
}
"""Scope and measure, and what the column is called."""
_BOTH_SCOPES = ("disc_sentences", "disc_mentions")
Comparisons = Mapping[str, Comparison]
"""By corpus."""


def result_tables(report: Report, comparisons: Comparisons) -> Iterator[Table]:
    """Give tables 2, 3, 4 and 8 of the paper, and those that it only draws or does without."""
    yield _main(report, comparisons)
    yield _means(report)
    yield _discontinuous(report, comparisons)
    if any(system.base for system in report.systems):
        yield _ablation(report, comparisons)
    yield _speed(report)


def _main(report: Report, comparisons: Comparisons) -> Table:
    caption = f"Bold marks the highest number among all systems. {_spokesman(report)}{_marks_caption(report)}"
    rows = []
    for system in report.systems:
        cells: list[Cell] = []
        for evaluation in report.evaluations:
            counts = _counts(evaluation, system.title, "all")
            marks = comparisons[evaluation.corpus].marks("all", report.base.title, system.title)
            values = {measure: None if counts is None else getattr(counts, measure) for measure in _MEASURES}
            cells += (percent(value, marks if measure == "f1" else "") for measure, value in values.items())
        rows.append(system_row(system, cells))
    return Table("main", "Main results", caption, "Model", _measured(report), with_best(rows))


def _means(report: Report) -> Table:
    rows = []
    for system in report.systems:
        results = [evaluation.results.get(system.title) for evaluation in report.evaluations]
        rows.append(system_row(system, [spread_cell(result, *what) for result in results for what in _MEAN_COLUMNS]))
    groups = [_spread(heading(evaluation), _MEAN_COLUMNS.values()) for evaluation in report.evaluations]
    caption = (
        "Mean and standard deviation over the seeds, in percent: of all mentions, F1 of those in sentences with a "
        "discontinuous one (Dis F1), and of discontinuous ones only (Dis F1★)."
    )
    return Table("means", "Results over all seeds", caption, "Model", groups, with_best(rows))


def _discontinuous(report: Report, comparisons: Comparisons) -> Table:
    caption = (
        "Of two scores, the former is on sentences with at least one discontinuous mention, the latter only considers "
        f"discontinuous mentions. {_spokesman(report)}{_marks_caption(report)}"
    )
    rows = []
    for system in report.systems:
        cells: list[Cell] = []
        for evaluation in report.evaluations:
            marks = [
                comparisons[evaluation.corpus].marks(scope, report.base.title, system.title) for scope in _BOTH_SCOPES
            ]
            cells += (_two_scores(evaluation, system, measure, marks) for measure in _MEASURES)
        rows.append(system_row(system, cells))
    both = dict.fromkeys(_MEASURES.values(), _BOTH_SCOPES)
    groups = [Group(group.name, group.columns, both) for group in _measured(report)]
    return Table("discontinuous", "Results on discontinuous mentions", caption, "Model", groups, rows)


def _two_scores(evaluation: Evaluation, system: System, measure: str, marks: Sequence[str]) -> Cell:
    found = [_counts(evaluation, system.title, scope) for scope in _BOTH_SCOPES]
    if None in found:
        return Cell()
    values = [getattr(counts, measure) for counts in found]
    shown = marks if measure == "f1" else ("", "")
    text = " / ".join(f"{100 * value:.1f}{mark}" for value, mark in zip(values, shown, strict=True))
    return Cell(text, tuple(values))


def _ablation(report: Report, comparisons: Comparisons) -> Table:
    """Give the base and its variants, each with what it goes without."""
    shown = [system for system in report.systems if system.base or _has_variants(report, system)]
    groups, rows = [], []
    for evaluation in report.evaluations:
        groups += [
            Group(f"{heading(evaluation)}, median seed", list(_SHORT_SCOPES.values())),
            _spread(f"{heading(evaluation)}, mean of seeds", _SHORT_SCOPES.values()),
        ]
    for system in shown:
        cells: list[Cell] = []
        for evaluation in report.evaluations:
            for scope in SCOPES:
                counts = _counts(evaluation, system.title, scope)
                marks = comparisons[evaluation.corpus].marks(scope, report.base.title, system.title)
                cells.append(percent(None if counts is None else counts.f1, marks))
            cells += (spread_cell(evaluation.results.get(system.title), scope) for scope in SCOPES)
        rows.append(system_row(system, cells))
    changes = "; ".join(f"{system.title}: {', '.join(system.changes)}" for system in shown if system.changes)
    caption = (
        "F1 of all mentions, of those in sentences with a discontinuous one (Dis F1), and of discontinuous ones only "
        f"(Dis F1★). {changes}{'.' if changes else ''}{_marks_caption(report)}"
    )
    return Table("ablation", "Ablation study", caption, "Model", groups, with_best(rows))


def _has_variants(report: Report, system: System) -> bool:
    return any(other.base == system.title for other in report.systems)


def _speed(report: Report) -> Table:
    rows = []
    for system in report.systems:
        results = [evaluation.results.get(system.title) for evaluation in report.evaluations]
        speeds = [result.sentences_per_second if result else None for result in results]
        rows.append(system_row(system, [Cell() if speed is None else Cell(f"{speed:,.1f}", speed) for speed in speeds]))
    caption = "Sentences a second from text to mentions, on the machine that answered; the mean of the seeds."
    groups = [Group("", [evaluation.corpus for evaluation in report.evaluations])]
    return Table("speed", "Comparison on running speed", caption, "Model", groups, rows)


def _spokesman(report: Report) -> str:
    return f"{SPOKESMAN}{chosen_on(report.evaluations)}"


def _marks_caption(report: Report) -> str:
    if len(report.systems) < 2:
        return ""
    return (
        f" Against {report.base.title}: * Wilcoxon's test, p < 0.05; † the 95% bootstrap interval of the difference "
        "in F1 does not contain 0."
    )


def _counts(evaluation: Evaluation, system: str, scope: str) -> Counts | None:
    result = evaluation.results.get(system)
    return None if result is None else getattr(result.chosen.scores, scope)


def _spread(name: str, columns: Iterable[str]) -> Group:
    columns = list(columns)
    return Group(name, columns, dict.fromkeys(columns, SPREAD))


def _measured(report: Report) -> list[Group]:
    return [Group(heading(evaluation), list(_MEASURES.values())) for evaluation in report.evaluations]
