"""The report as one page that opens offline: tables, plots, and a browser of every error.

The page fetches nothing. Its only script is that of the error browser, and reads the errors from the page itself.
"""

import json
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from disconer.drawing.errors import ErrorSentence, collect_error_sentences
from disconer.drawing.html import escape_html, page_start
from disconer.drawing.looks import gapped_text, script, style_sheet
from disconer.foundation.files import replace_file
from disconer.report.contents import Contents
from disconer.report.corpus_charts import Figure
from disconer.report.evaluation import Comparison, Evaluation, Report
from disconer.report.table import Table
from disconer.report.table_formats import TABLE_FORMATS, as_html
from disconer.scoring.breakdowns import OVERLAP_BINS
from disconer.scoring.errors import CONTINUOUS, ErrorKind, ErrorSide

_LONGEST_TEXT = 300
"""Characters of an error's text that are listed."""
_NARROW = 64
"""Characters of a table's widest line that leave room for another table beside it."""
_FORMAT_NAMES = {"csv": "CSV", "tex": "LaTeX", "md": "Markdown"}
_FILTERS = {
    "corpus": "Corpus",
    "system": "System",
    "side": "Side",
    "kind": "Kind of error",
    "label": "Label",
    "overlap": "Overlap pattern",
}


def write_page(contents: Contents, path: Path) -> None:
    with replace_file(path) as stream:
        stream.writelines(render_page(contents))


def render_page(contents: Contents) -> Iterator[str]:
    """Render the page, part by part."""
    report = contents.report
    style = style_sheet() + _read_asset("page.css")
    scripts = script() + _read_asset("page.js")
    yield page_start(report.title, style, scripts)
    yield _origin(report)
    yield _navigation(contents)
    yield '<main class="dn-report">\n'
    for evaluation in report.evaluations:
        yield _headline(evaluation, contents.comparisons[evaluation.corpus])
    for section in contents.sections:
        yield f'<section class="dn-exhibits" id="{section.name}"><h2>{escape_html(section.title)}</h2>\n'
        yield from map(_figure, section.figures)
        yield from map(_table, section.tables)
        yield "</section>\n"
    yield _browser()
    yield "</main>\n"
    yield '<script type="application/json" id="dn-errors">'
    yield from _errors(report)
    yield f"</script>\n<script>{scripts}</script>\n</body>\n</html>\n"


def _read_asset(name: str) -> str:
    return files("disconer.report").joinpath(name).read_text(encoding="utf-8")


def _origin(report: Report) -> str:
    command = f", <code>{escape_html(report.made_by)}</code>" if report.made_by else ""
    return f'<p class="dn-origin">Made with disconer {escape_html(version("disconer"))}{command}</p>\n'


def _navigation(contents: Contents) -> str:
    links = [(section.name, section.title) for section in contents.sections] + [("errors", "Errors")]
    items = "".join(f'<li><a href="#{name}">{escape_html(title)}</a></li>' for name, title in links)
    return f'<nav class="dn-navigation"><ul>{items}</ul></nav>\n'


def _headline(evaluation: Evaluation, comparison: Comparison) -> str:
    """The number that matters, of the system that is best at it, and how sure that is."""
    f1 = {title: f"{100 * result.median.scores.all.f1:.1f}" for title, result in evaluation.results.items()}
    highest = max(f1.values(), key=float)
    best = [title for title, own in f1.items() if own == highest]
    of_gaps = ""
    if len(best) == 1 and (counts := evaluation.results[best[0]].median.scores.disc_mentions).gold:
        of_gaps = f", {100 * counts.f1:.1f} on those with gaps"
    rank = "the highest, of " if len(f1) > 1 else ""
    names = escape_html(" and ".join(best))
    return (
        f'<p class="dn-headline"><b>{highest}</b> F1 over all mentions{of_gaps}: {rank}{names} on '
        f"{escape_html(evaluation.heading)}{_doubt(best, comparison)}</p>\n"
    )


def _doubt(best: list[str], comparison: Comparison) -> str:
    """Name the systems that may be as good as the one that is best: neither test tells them from it."""
    equals = [
        next(title for title in pair if title not in best)
        for pair in comparison.pairs
        if len(best) == 1 and best[0] in pair and not comparison.difference("all", *pair).marks
    ]
    return f". Chance may explain its lead over {escape_html(' and '.join(equals))}" if equals else ""


def _table(table: Table) -> str:
    forms = "".join(
        f"<details><summary>{_FORMAT_NAMES[ending]}</summary><pre>{escape_html(write(table))}</pre></details>"
        for ending, write in TABLE_FORMATS.items()
    )
    wide = "" if _characters(table) <= _NARROW else " dn-wide"
    return (
        f'<figure class="dn-exhibit{wide}" id="{table.name}">\n<figcaption><b>{escape_html(table.title)}.</b> '
        f'{escape_html(table.caption)}</figcaption>\n{as_html(table)}<div class="dn-forms">{forms}</div></figure>\n'
    )


def _characters(table: Table) -> int:
    """Tell about how wide a table is, the space between columns included."""
    columns = zip(*([cell.text for cell in row.cells] for row in table.rows), strict=True)
    heads = (column for _, column in table.columns)
    widths = [max(map(len, (head, *column))) for head, column in zip(heads, columns, strict=False)]
    return max((len(row.name) for row in table.rows), default=0) + sum(width + 3 for width in widths)


def _figure(figure: Figure) -> str:
    return (
        f'<figure class="dn-exhibit" id="figure-{figure.name}">\n<figcaption><b>{escape_html(figure.title)}.</b> '
        f'{escape_html(figure.caption)}</figcaption>\n<div class="dn-scroll">{figure.drawing}</div></figure>\n'
    )


def _browser() -> str:
    filters = "".join(
        f'<label>{title}<select id="dn-{name}" data-filter="{name}"></select></label>'
        for name, title in _FILTERS.items()
    )
    return f"""\
<section id="errors"><h2>Errors</h2>
<p>Every false positive and every miss of the seed that speaks for a system, in its sentence.
<span class="dn-key dn-hue-0">missed</span> stands in gold only, <span class="dn-key dn-hue-1 dn-stroke-2">false</span>
was predicted only, <span class="dn-key dn-hue-7 dn-stroke-1">✓</span> is right.</p>
<noscript><p>The error browser needs JavaScript; the tables above do not.</p></noscript>
<form id="dn-filters" class="dn-filters" hidden>{filters}
<label>Words<input id="dn-words" type="search" autocomplete="off"></label>
<button type="button" id="dn-reset">Show all</button></form>
<p id="dn-count" role="status"></p>
<div id="dn-cards"></div>
<p id="dn-pages" class="dn-pages" hidden><button type="button" id="dn-previous">Previous</button>
<span id="dn-page"></span> <button type="button" id="dn-next">Next</button></p>
</section>
"""


def _errors(report: Report) -> Iterator[str]:
    """Write the errors as JSON that cannot end the script it stands in, a card a line."""
    names: dict[str, list[str]] = {
        "corpus": [evaluation.corpus for evaluation in report.evaluations],
        "system": [system.title for system in report.systems],
        "side": [str(side) for side in ErrorSide],
        "kind": [str(kind) for kind in ErrorKind],
        "label": _labels(report),
        "overlap": [CONTINUOUS, *OVERLAP_BINS],
    }
    places = {key: {name: number for number, name in enumerate(own)} for key, own in names.items()}
    yield f'{{"names": {_script_json(names)},\n"cards": ['
    separator = "\n"
    for evaluation in report.evaluations:
        for system in evaluation.results:
            origin = [places["corpus"][evaluation.corpus], places["system"][system]]
            for card in collect_error_sentences(evaluation.pairs(system), evaluation.errors[system]):
                yield separator + _script_json([*origin, *_card(card, places)])
                separator = ",\n"
    yield "]}"


def _labels(report: Report) -> list[str]:
    """List the labels that errors have."""
    of_systems = (own for evaluation in report.evaluations for own in evaluation.errors.values())
    return sorted({error.mention.label for own in of_systems for errors in own for error in errors})


def _card(card: ErrorSentence, places: dict[str, dict[str, int]]) -> list[object]:
    """Encode a card as the script expects it behind its corpus and system."""
    errors = [
        [
            places["side"][error.side],
            places["kind"][error.kind],
            places["label"][error.mention.label],
            places["overlap"][error.overlap],
            gapped_text(error.mention)[:_LONGEST_TEXT],
            error.mention.score,
        ]
        for error in card.errors
    ]
    return [card.name, *card.draw(), errors]


def _script_json(value: object) -> str:
    """Write JSON without the characters that mean something to HTML or end a line of a script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
