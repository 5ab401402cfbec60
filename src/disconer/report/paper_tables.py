"""The paper's tables of data and of results, a group of columns a corpus."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from disconer.report.evaluation import Comparison, Evaluation, Report, System
from disconer.report.table import (
    SPREAD,
    Cell,
    ColumnGroup,
    Row,
    Table,
    bin_title,
    count_cell,
    mark_best,
    percent_cell,
    spread_cell,
    system_row,
)
from disconer.scoring import SCOPES, Counts, Statistics
from disconer.scoring.breakdowns import BREAKDOWNS

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
    """Make tables 2, 3, 4 and 8 of the paper, and some that it does not have."""
    yield _main(report, comparisons)
    yield _means(report)
    yield _discontinuous(report, comparisons)
    if any(system.base for system in report.systems):
        yield _ablation(report, comparisons)
    yield _speed(report)


def data_tables(report: Report) -> Iterator[Table]:
    """Make tables 1, 5, 6 and 7 of the paper."""
    notes = "".join(f" {evaluation.corpus}: {evaluation.note}." for evaluation in report.evaluations if evaluation.note)
    yield _data_table(
        report,
        "data",
        "Statistics of datasets",
        "S, M and D are the numbers of sentences, of all mentions and of discontinuous ones; P is the percentage of "
        f"discontinuous mentions.{notes}",
        "",
        {
            "S": lambda figures: count_cell(figures.sentences),
            "M": lambda figures: count_cell(figures.mentions),
            "D": lambda figures: count_cell(figures.discontinuous),
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
        yield _data_table(report, name, title, caption, "Pattern" if name == "overlap" else "Length", rows)


def _main(report: Report, comparisons: Comparisons) -> Table:
    bold = "Bold marks the highest number among all systems." if len(report.systems) > 1 else ""
    caption = " ".join(filter(None, (bold, _seed_caption(report), _marks_caption(report))))
    rows = []
    for system in report.systems:
        cells: list[Cell] = []
        for evaluation in report.evaluations:
            counts = _counts(evaluation, system.title, "all")
            marks = comparisons[evaluation.corpus].marks("all", report.base.title, system.title)
            values = {measure: None if counts is None else getattr(counts, measure) for measure in _MEASURES}
            cells += (percent_cell(value, marks if measure == "f1" else "") for measure, value in values.items())
        rows.append(system_row(system, cells))
    return Table("main", "Main results", caption, "Model", _measure_groups(report), mark_best(rows))


def _means(report: Report) -> Table:
    rows = []
    for system in report.systems:
        results = [evaluation.results.get(system.title) for evaluation in report.evaluations]
        rows.append(system_row(system, [spread_cell(result, *what) for result in results for what in _MEAN_COLUMNS]))
    groups = [_spread_group(evaluation.heading, _MEAN_COLUMNS.values()) for evaluation in report.evaluations]
    has_several = _has_several_seeds(report)
    spread = "Mean and standard deviation over the seeds, in percent" if has_several else "In percent"
    caption = (
        f"{spread}: of all mentions, F1 of those in sentences with a discontinuous one (Dis F1), and of discontinuous "
        "ones only (Dis F1★)."
    )
    title = "Results over all seeds" if has_several else "Results in every scope"
    return Table("means", title, caption, "Model", groups, mark_best(rows))


def _discontinuous(report: Report, comparisons: Comparisons) -> Table:
    caption = (
        "Of two scores, the former is on sentences with at least one discontinuous mention, the latter only considers "
        "discontinuous mentions."
    )
    caption = " ".join(filter(None, (caption, _seed_caption(report), _marks_caption(report))))
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
    groups = [ColumnGroup(group.name, group.columns, both) for group in _measure_groups(report)]
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
    """Compare a base with its variants."""
    shown = [system for system in report.systems if system.base or _has_variants(report, system)]
    groups, rows = [], []
    for evaluation in report.evaluations:
        groups += [
            ColumnGroup(f"{evaluation.heading}, median seed", list(_SHORT_SCOPES.values())),
            _spread_group(f"{evaluation.heading}, mean of seeds", _SHORT_SCOPES.values()),
        ]
    for system in shown:
        cells: list[Cell] = []
        for evaluation in report.evaluations:
            for scope in SCOPES:
                counts = _counts(evaluation, system.title, scope)
                marks = comparisons[evaluation.corpus].marks(scope, report.base.title, system.title)
                cells.append(percent_cell(None if counts is None else counts.f1, marks))
            cells += (spread_cell(evaluation.results.get(system.title), scope) for scope in SCOPES)
        rows.append(system_row(system, cells))
    changes = "; ".join(f"{system.title}: {', '.join(system.changes)}" for system in shown if system.changes)
    caption = (
        "F1 of all mentions, of those in sentences with a discontinuous one (Dis F1), and of discontinuous ones only "
        f"(Dis F1★). {changes}{'. ' if changes else ''}{_marks_caption(report)}"
    )
    return Table("ablation", "Ablation study", caption, "Model", groups, mark_best(rows))


def _has_variants(report: Report, system: System) -> bool:
    return any(other.base == system.title for other in report.systems)


def _speed(report: Report) -> Table:
    rows = []
    for system in report.systems:
        results = [evaluation.results.get(system.title) for evaluation in report.evaluations]
        speeds = [result.sentences_per_second if result else None for result in results]
        rows.append(system_row(system, [Cell() if speed is None else Cell(f"{speed:,.1f}", speed) for speed in speeds]))
    mean = "; the mean of the seeds" if _has_several_seeds(report) else ""
    caption = f"Sentences a second from text to mentions, on the machine that answered{mean}."
    groups = [ColumnGroup("", [evaluation.corpus for evaluation in report.evaluations])]
    return Table("speed", "Comparison on running speed", caption, "Model", groups, rows)


def _seed_caption(report: Report) -> str:
    """Say which seed is shown, and on which corpora it was chosen on the data that is scored."""
    same = [evaluation.corpus for evaluation in report.evaluations if evaluation.was_chosen_on]
    shown = next((text for evaluation in report.evaluations if (text := evaluation.seed_caption)), "")
    what = "Epochs, thresholds and that seed" if shown else "Epochs and thresholds"
    chosen = f"{what} were chosen on the same data ({', '.join(same)})." if same else ""
    return " ".join(filter(None, (shown, chosen)))


def _has_several_seeds(report: Report) -> bool:
    return any(evaluation.seed_caption for evaluation in report.evaluations)


def _marks_caption(report: Report) -> str:
    if len(report.systems) < 2:
        return ""
    return (
        f"Against {report.base.title}: * Wilcoxon's test, p < 0.05; † the 95% bootstrap interval of the difference "
        "in F1 does not contain 0."
    )


def _counts(evaluation: Evaluation, system: str, scope: str) -> Counts | None:
    result = evaluation.results.get(system)
    return None if result is None else getattr(result.median.scores, scope)


def _spread_group(name: str, columns: Iterable[str]) -> ColumnGroup:
    columns = list(columns)
    return ColumnGroup(name, columns, dict.fromkeys(columns, SPREAD))


def _measure_groups(report: Report) -> list[ColumnGroup]:
    return [ColumnGroup(evaluation.heading, list(_MEASURES.values())) for evaluation in report.evaluations]


def _bin_count(breakdown: str, name: str) -> Callable[[Statistics], Cell]:
    return lambda figures: count_cell(figures.breakdowns[breakdown][name])


def _data_table(
    report: Report, name: str, title: str, caption: str, corner: str, rows: dict[str, Callable[[Statistics], Cell]]
) -> Table:
    groups = [ColumnGroup(evaluation.corpus, list(evaluation.splits)) for evaluation in report.evaluations]
    figures = [figures for evaluation in report.evaluations for figures in evaluation.splits.values()]
    return Table(
        name, title, caption, corner, groups,
        [Row(row, [cell(one) for one in figures]) for row, cell in rows.items()],
    )  # fmt: skip
