"""What was measured, as bars: read off the tables of benchmarks/results, so that no number stands in two places."""

import re
from pathlib import Path

from tools.pictures.canvas import MARGIN, WIDTH, Canvas

_RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
_SCOPES = ("all mentions", "in sentences with a gap", "mentions with gaps")
_HUES = {"Mac": "hue-0", "Graph": "hue-1"}
_NAMES, _BAR, _LINE = 186, 12, 18
_ROOM = WIDTH - MARGIN - _NAMES - 46
"""Of the longest bar, which would be 100."""

Scores = dict[str, dict[str, list[float]]]
"""F1 in every scope, by corpus and system."""


def accuracy() -> str:
    """Draw Mac's and Graph's F1 on all of the data."""
    scores = read_scores((_RESULTS / "accuracy.md").read_text(encoding="utf-8"), "Mac and Graph on all of the data")
    words = "; ".join(
        f"{corpus}: {', '.join(f'{system} {_join(own)}' for system, own in systems.items())}"
        for corpus, systems in scores.items()
    )
    scopes = "Over all mentions, in sentences with a gap, of mentions with gaps"
    canvas = Canvas("F1 of Mac and Graph", f"{scopes}. {words}.")
    y = 22.0
    for corpus, systems in scores.items():
        y += 8
        canvas.text((MARGIN, y), corpus, size=15, weight=600)
        y += 12
        for place, scope in enumerate(_SCOPES):
            canvas.text((MARGIN, y + 16), scope, size=13)
            for system, own in systems.items():
                _draw_bar(canvas, y, _HUES[system], own[place], system)
                y += _LINE
            y += 6
        y += 10
    return canvas.svg(y)


def epochs() -> str:
    """Draw how F1 grows from epoch to epoch."""
    page = (_RESULTS / "accuracy.md").read_text(encoding="utf-8")
    section = page.partition("epoch by epoch")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if re.match(r"\| \d \|", line)]
    told, y = [], 20.0
    canvas = Canvas("F1 on dev after each epoch", "")
    for epoch, first, second, *_ in rows:
        means = [sum(map(float, pair)) / 2 for pair in zip(first.split("/"), second.split("/"), strict=True)]
        told.append(f"epoch{epoch}{means[0]:.1f} over all mentions, {means[2]:.1f} of those with gaps")
        canvas.text((MARGIN, y + 16), f"epoch{epoch}", size=13, weight=600)
        for hue, score, name in (("hue-0", means[0], "all"), ("hue-3", means[2], "with gaps")):
            _draw_bar(canvas, y, hue, score, name)
            y += _LINE
        y += 8
    canvas.description = f"{'; '.join(told)}."
    return canvas.svg(y + 4)


def read_scores(page: str, heading: str) -> Scores:
    """Read the table below a heading: corpus, system and three scores, each perhaps with its deviation."""
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    scores: Scores = {}
    corpus = ""
    for line in section.splitlines():
        cells = [cell.strip().replace("*", "") for cell in line.strip("|").split("|")]
        if len(cells) > 4 and cells[1] in _HUES:
            corpus = cells[0] or corpus
            own = [float(re.split(r"\s", cell)[0]) for cell in cells[2:5]]
            scores.setdefault(corpus, {})[cells[1]] = own
    return scores


def _draw_bar(canvas: Canvas, y: float, hue: str, score: float, name: str) -> None:
    with canvas.group(hue):
        canvas.bar(_NAMES, y + 4, _ROOM * score / 100, _BAR)
        canvas.text((_NAMES + _ROOM * score / 100 + 6, y + 14), f"{score:.1f} {name}", size=12)


def _join(scores: list[float]) -> str:
    return ", ".join(f"{score:.1f}" for score in scores)


def curve() -> str:
    """Draw how F1 grows with what is annotated."""
    page = (_RESULTS / "curve.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if re.match(r"\| \d", line)
    ]
    best: dict[str, list[str]] = {}
    for row in rows:
        if row[0] not in best or float(row[5]) > float(best[row[0]][5]):
            best[row[0]] = row
    words = "; ".join(
        f"{row[0]} labels: {row[5]} over all mentions, {row[7]} of those with gaps" for row in best.values()
    )
    canvas = Canvas("F1 by the number of annotated drug labels", f"{words}.")
    y = 20.0
    for row in best.values():
        canvas.text((MARGIN, y + 16), f"{row[0]} labels", size=13, weight=600)
        with canvas.group("pale"):
            canvas.text((MARGIN, y + 34), f"{row[2]} mentions, {row[8]} min", size=12)
        for hue, place, name in (("hue-0", 5, "all"), ("hue-3", 7, "with gaps")):
            score = float(row[place])
            _draw_bar(canvas, y, hue, score, name)
            y += _LINE
        y += 12
    return canvas.svg(y + 4)
