"""The paper's plots of a corpus, threshold curves and calibration."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from disconer.report.charts import Chart, Point, Series, draw_bars, draw_lines
from disconer.report.evaluation import Evaluation, Report
from disconer.report.table import BREAKDOWN_TITLES
from disconer.scoring import SCOPES, Counts
from disconer.scoring.breakdowns import BREAKDOWNS
from disconer.scoring.curves import has_scores, measure_calibration

_X_TITLES = {
    "overlap": "overlapping pattern",
    "interval": "interval length in words",
    "span": "span length in words",
}
_CURVES: dict[str, tuple[str, str]] = {
    "curve": ("all", "all mentions"),
    "curve-discontinuous": ("disc_mentions", "discontinuous mentions"),
}
"""The scope of each curve, and what people call it."""


@dataclass(frozen=True)
class Figure:
    """A chart, drawn, with title and caption."""

    name: str
    title: str
    caption: str
    drawing: str


def draw_overview(report: Report, evaluation: Evaluation) -> Figure:
    """Draw the scores that matter most, of every system."""
    series = []
    for system in report.systems:
        if system.title in evaluation.results:
            scores = evaluation.results[system.title].median.scores
            counts = (getattr(scores, scope) for scope in SCOPES)
            series.append(Series(system.title, [_bin_point(place, one) for place, one in enumerate(counts)]))
    figures = evaluation.splits[evaluation.split]
    bins = [
        f"all mentions\nn={figures.mentions:,}",
        "in sentences with a gap",
        f"mentions with gaps\nn={figures.discontinuous:,}",
    ]
    chart = Chart("overview", f"F1, {evaluation.heading}", "", "F1", series, bins, shows_values=True)
    caption = f"Strict: the label and every fragment must be right. {evaluation.seed_caption}".rstrip()
    return _figure(report, evaluation, chart, draw_bars, caption)


def corpus_figures(report: Report, evaluation: Evaluation) -> Iterator[Figure]:
    """Draw all figures of a corpus."""
    for breakdown in BREAKDOWNS:
        draw = draw_bars if breakdown == "overlap" else draw_lines
        caption = "Discontinuous mentions only; under each bin the number of gold mentions."
        yield _figure(report, evaluation, _by_bin(report, evaluation, breakdown), draw, caption)
    if any(result.curve for result in evaluation.results.values()):
        for name in _CURVES:
            caption = (
                "Precision and recall with thresholds from 0.05 to 0.95 in place of those chosen on dev (models), or "
                "with mentions below that score left out (files of predictions): a small mark each, the lowest "
                "threshold where recall is highest. The large mark is the system as it is."
            )
            yield _figure(report, evaluation, _curve(report, evaluation, name), draw_lines, caption)
    if any(_has_scores(evaluation, title) for title in evaluation.results):
        caption = (
            "A mark for every tenth of the scores: how many of its predictions are right, at their mean score. On the "
            "diagonal, a score is the probability to be right; below it, scores promise too much."
        )
        yield _figure(report, evaluation, _reliability(report, evaluation), draw_lines, caption)


def _figure(report: Report, evaluation: Evaluation, chart: Chart, draw: Callable[[Chart], str], caption: str) -> Figure:
    return Figure(f"{chart.name}-{report.slug(evaluation)}", chart.title, caption, draw(chart))


def _by_bin(report: Report, evaluation: Evaluation, breakdown: str) -> Chart:
    gold = evaluation.splits[evaluation.split].breakdowns[breakdown]
    series = []
    for system in report.systems:
        if system.title in evaluation.results:
            found = evaluation.results[system.title].median.scores.breakdowns[breakdown]
            points = [_bin_point(place, found[name]) for place, name in enumerate(BREAKDOWNS[breakdown])]
            series.append(Series(system.title, points))
    bins = [f"{name}\nn={gold[name]:,}" for name in BREAKDOWNS[breakdown]]
    title = f"{BREAKDOWN_TITLES[breakdown]}, {evaluation.heading}"
    return Chart(breakdown, title, _X_TITLES[breakdown], "F1", series, bins)


def _bin_point(place: int, counts: Counts) -> Point:
    note = f"{counts.correct} correct, {counts.predicted} predicted, {counts.gold} gold"
    return Point(place, counts.f1 if counts.gold + counts.predicted else None, note)


def _curve(report: Report, evaluation: Evaluation, name: str) -> Chart:
    scope, what = _CURVES[name]
    series = []
    for system in report.systems:
        result = evaluation.results.get(system.title)
        if result is None or not result.curve:
            continue
        steps = ((point.threshold, getattr(point, scope)) for point in result.curve)
        points = [
            Point(counts.recall, counts.precision, f"recall {100 * counts.recall:.1f}, threshold {threshold:.2f}")
            for threshold, counts in steps
            if counts.predicted
        ]
        own = getattr(result.median.scores, scope)
        as_it_is = Point(own.recall, own.precision if own.predicted else None, f"recall {100 * own.recall:.1f}")
        series += [Series(system.title, points), Series(system.title, [as_it_is], is_dotted=True)]
    title = f"Precision and recall by threshold, {what}, {evaluation.heading}"
    return Chart(name, title, "recall", "precision", series)


def _reliability(report: Report, evaluation: Evaluation) -> Chart:
    series = []
    for system in report.systems:
        if system.title in evaluation.results and _has_scores(evaluation, system.title):
            bins = measure_calibration(evaluation.pairs(system.title)).bins
            points = [
                Point(one.mean_score, one.precision, f"{one.predicted} predictions, mean score {one.mean_score:.2f}")
                for one in bins
                if one.predicted
            ]
            series.append(Series(system.title, points))
    title = f"Calibration, {evaluation.heading}"
    return Chart("calibration", title, "score", "precision", series, has_diagonal=True)


def _has_scores(evaluation: Evaluation, system: str) -> bool:
    return has_scores(evaluation.results[system].median.documents)
