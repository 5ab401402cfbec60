"""The table and the pictures of what `benchmarks.suggesting` played through."""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from benchmarks.accuracy import spread
from benchmarks.corpora import RESULTS, markdown_table, record
from benchmarks.plots import save
from disconer.scoring import SCOPES

COLOURS = {"random": "#9a9a9a", "suggest": "#0072b2"}
NAMES = {"random": "random sentences", "suggest": "disconer suggest"}
Row = dict[str, Any]


def report(corpus: str, runs: Path) -> None:
    """Tabulate and draw all seeds that are finished."""
    seeds = [json.loads(path.read_text()) for path in sorted(runs.glob(f"{corpus}-*/played.json"))]
    if not seeds:
        return
    picture = RESULTS / f"suggesting-{corpus}.svg"
    _draw([_curves(seed) for seed in seeds], picture)
    header = ["arm", "sentences", "words", "mentions", "with gaps", *(f"F1, {scope}" for scope in SCOPES)]
    about = (
        f"Dev of {corpus}, in percent: mean ± standard deviation of {len(seeds)} seeds. Counts are of the annotated."
    )
    table = markdown_table(header, _table(seeds))
    lines = [about, "", *table, "", *_differences(seeds), "", f"![F1 by what was annotated]({picture.name})"]
    record(f"suggesting-{corpus}", f"python -m benchmarks.suggesting {corpus} --runs runs/suggesting", lines)


def _curves(played: Sequence[Row]) -> dict[str, list[Row]]:
    """Sort what a seed played by arm; both arms begin with the same model."""
    return {arm: [row for row in played if row["arm"] in ("first", arm)] for arm in NAMES}


def _table(seeds: Sequence[Sequence[Row]]) -> list[list[str]]:
    rows = []
    for same in zip(*seeds, strict=True):
        counts = [
            f"{mean(row[key] for row in same):,.0f}" for key in ("sentences", "words", "mentions", "discontinuous")
        ]
        rows.append([same[0]["arm"], *counts, *(spread([100 * row["f1"][scope] for row in same]) for scope in SCOPES)])
    return rows


def _differences(seeds: Sequence[Sequence[Row]]) -> list[str]:
    """Say, seed by seed, how much better the suggested sentences teach than as many random ones."""
    lines = []
    for scope in SCOPES:
        pairs = [_curves(seed) for seed in seeds]
        gains = [[100 * (one["f1"][scope] - other["f1"][scope]) for one, other in _beside(curves)] for curves in pairs]
        by_round = ["  ".join(f"{gain:+.1f}" for gain in gains_of) for gains_of in zip(*gains, strict=True)]
        lines.append(f"- {scope}: " + "; ".join(by_round) + " points over random, round by round, a figure a seed")
    return lines


def _beside(curves: dict[str, list[Row]]) -> list[tuple[Row, Row]]:
    return list(zip(curves["suggest"], curves["random"], strict=True))[1:]


def _draw(seeds: Sequence[dict[str, list[Row]]], path: Path) -> None:
    """Draw the scores of all mentions and of those with gaps, by the sentences and by the words annotated."""
    figure, panels = plt.subplots(2, 2, figsize=(9, 6.4), sharey="row", sharex="col")
    for row, (scope, title) in zip(panels, (("all", "F1, all"), ("disc_mentions", "F1, with gaps")), strict=True):
        for panel, effort in zip(row, ("sentences", "words"), strict=True):
            for arm in NAMES:
                _lines(panel, [seed[arm] for seed in seeds], arm, effort, scope)
        row[0].set_ylabel(title)
    panels[1][0].set_xlabel("sentences annotated")
    panels[1][1].set_xlabel("words annotated")
    panels[0][0].legend(frameon=False)
    save(figure, path)


def _lines(panel: Axes, seeds: Sequence[Sequence[Row]], arm: str, effort: str, scope: str) -> None:
    """Draw every seed thin, and their mean thick."""
    for rows in seeds:
        scores = [100 * row["f1"][scope] for row in rows]
        panel.plot([row[effort] for row in rows], scores, color=COLOURS[arm], alpha=0.35, lw=1)
    places = [mean(row[effort] for row in same) for same in zip(*seeds, strict=True)]
    means = [mean(100 * row["f1"][scope] for row in same) for same in zip(*seeds, strict=True)]
    panel.plot(places, means, color=COLOURS[arm], marker="o", label=NAMES[arm], lw=2)
