"""Tables of a single corpus: by label, the figures behind the paper's plots, significance, errors and calibration."""

from collections.abc import Iterator

from disconer.report.evaluation import Comparison, Evaluation, Report
from disconer.report.table import (
    BREAKDOWN_TITLES,
    Cell,
    ColumnGroup,
    Row,
    Table,
    bin_title,
    count_cell,
    f1_cell,
    system_row,
)
from disconer.scoring import SCOPES
from disconer.scoring.breakdowns import BREAKDOWNS
from disconer.scoring.curves import has_scores, measure_calibration
from disconer.scoring.errors import ERROR_SIDES, ErrorSide, count_errors

_INTERVAL = "95% interval"
_SIDE_NAMES = {ErrorSide.FALSE_POSITIVE: "false", ErrorSide.MISS: "missed"}


def corpus_tables(report: Report, evaluation: Evaluation, comparison: Comparison) -> Iterator[Table]:
    """Make all tables of a corpus."""
    for breakdown in BREAKDOWNS:
        yield _breakdown(report, evaluation, breakdown)
    yield _labels(report, evaluation)
    if len(evaluation.results) > 1:
        yield _significance(report, evaluation, comparison)
    if any(has_scores(result.median.documents) for result in evaluation.results.values()):
        yield _calibration(report, evaluation)
    yield _errors(report, evaluation)


def _labels(report: Report, evaluation: Evaluation) -> Table:
    scores = {title: result.median.scores for title, result in evaluation.results.items()}
    gold = next(iter(scores.values())).labels
    names = [system.title for system in report.systems if system.title in scores]
    rows = [
        Row(label, [count_cell(counts.gold), *(f1_cell(scores[name].labels.get(label)) for name in names)])
        for label, counts in sorted(gold.items(), key=lambda item: -item[1].gold)
        if counts.gold
    ]
    columns = [ColumnGroup("", ["gold"]), ColumnGroup("F1", names)]
    title = f"Results by label, {evaluation.heading}"
    caption = f"Strict F1 of every label. {evaluation.seed_caption}".rstrip()
    return Table(f"labels-{report.slug(evaluation)}", title, caption, "Label", columns, rows)


def _breakdown(report: Report, evaluation: Evaluation, breakdown: str) -> Table:
    """List the figures of a plot: discontinuous mentions, bin by bin."""
    bins = BREAKDOWNS[breakdown]
    counts = evaluation.splits[evaluation.split].breakdowns[breakdown]
    rows = [Row("gold mentions", [count_cell(counts[name]) for name in bins])]
    for system in report.systems:
        if system.title in evaluation.results:
            found = evaluation.results[system.title].median.scores.breakdowns[breakdown]
            rows.append(system_row(system, [f1_cell(found[name]) for name in bins]))
    groups = [ColumnGroup("", [bin_title(breakdown, name) for name in bins])]
    title = f"{BREAKDOWN_TITLES[breakdown]}, {evaluation.heading}"
    caption = f"Discontinuous mentions only. {evaluation.seed_caption}".rstrip()
    return Table(f"{breakdown}-f1-{report.slug(evaluation)}", title, caption, "Model", groups, rows)


def _significance(report: Report, evaluation: Evaluation, comparison: Comparison) -> Table:
    rows = []
    for one, other in comparison.pairs:
        cells: list[Cell] = []
        for scope in SCOPES:
            found = comparison.difference(scope, one, other)
            interval = found.interval
            cells += (
                Cell(f"{_with_sign(interval.difference)}{found.marks}", interval.difference),
                Cell(f"{_with_sign(interval.low)} to {_with_sign(interval.high)}", (interval.low, interval.high)),
                Cell("< 0.001" if found.p < 0.001 else f"{found.p:.3f}", found.p),
            )
        rows.append(Row(f"{one} against {other}", cells))
    caption = (
        "By how much the F1 of the first system is above that of the second, in points; the 95% interval of a paired "
        "bootstrap over sentences (10,000 draws); and p of Wilcoxon's signed-rank test on the F1 of every sentence, "
        "two-sided. * p < 0.05; † the interval does not contain 0. No correction for the number of pairs."
    )
    parts = {_INTERVAL: ("low", "high")}
    groups = [ColumnGroup(title, ["ΔF1", _INTERVAL, "p"], parts) for title in SCOPES.values()]
    title = f"Significance, {evaluation.heading}"
    return Table(f"significance-{report.slug(evaluation)}", title, caption, "Systems", groups, rows)


def _errors(report: Report, evaluation: Evaluation) -> Table:
    rows = []
    for system in report.systems:
        if system.title in evaluation.results:
            counted = count_errors(error for own in evaluation.errors[system.title] for error in own)
            counts = [count for of_kind in counted.values() for count in of_kind.values()]
            rows.append(system_row(system, list(map(count_cell, counts))))
    groups = [ColumnGroup(str(kind), [_SIDE_NAMES[side] for side in sides]) for kind, sides in ERROR_SIDES.items()]
    caption = (
        "False positives and misses; each has one kind. A wrong type, boundary, combination or a missing fragment "
        f"usually counts on both sides. {evaluation.seed_caption}"
    ).rstrip()
    title = f"Errors by kind, {evaluation.heading}"
    return Table(f"errors-{report.slug(evaluation)}", title, caption, "Model", groups, rows)


def _calibration(report: Report, evaluation: Evaluation) -> Table:
    rows = []
    for system in report.systems:
        if system.title in evaluation.results and has_scores(evaluation.results[system.title].median.documents):
            found = measure_calibration(evaluation.pairs(system.title))
            cells = [Cell(f"{found.expected_error:.3f}", found.expected_error)]
            cells += (
                Cell(f"{100 * one.precision:.0f} ({one.predicted:,})", (one.precision, one.predicted))
                if one.predicted
                else Cell()
                for one in found.bins
            )
            rows.append(system_row(system, cells))
    bins = [f"{tenth / 10:.1f}–{(tenth + 1) / 10:.1f}" for tenth in range(10)]
    caption = (
        "For every tenth of the scores: how many percent of the predictions are right and, in brackets, how many "
        "predictions those are. The error is the expected calibration error, the mean distance between score and "
        f"precision. {evaluation.seed_caption}"
    ).rstrip()
    groups = [ColumnGroup("", ["error"]), ColumnGroup("score", bins, dict.fromkeys(bins, ("precision", "predicted")))]
    title = f"Calibration, {evaluation.heading}"
    return Table(f"calibration-{report.slug(evaluation)}", title, caption, "Model", groups, rows)


def _with_sign(fraction: float) -> str:
    return f"{100 * fraction:+.1f}".replace("-", "−")
