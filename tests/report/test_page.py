"""The report's page in a real browser: complete, harmless, offline, and quick however much there is."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from disconer.document import Document, Mention
from disconer.exceptions import InputError
from disconer.report.contents import Contents, replace_tables, write_tables
from disconer.report.page import render_page, write_page
from disconer.scoring.errors import ErrorKind
from tests.browser import Visit
from tests.report.invented import make_report

COUNT = re.compile(r"([\d,]+) of ([\d,]+) errors, in ([\d,]+) drawings")


@pytest.fixture(scope="module")
def report(contents: Contents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_page(contents, path)
    return path


@pytest.fixture
def visit(browser: Browser, report: Path) -> Iterator[Visit]:
    visit = Visit(browser, report)
    yield visit
    assert visit.problems == []
    visit.page.close()


def counted(visit: Visit) -> tuple[int, int, int]:
    found = COUNT.fullmatch(visit.page.locator("#dn-count").inner_text())
    assert found is not None
    errors, total, drawings = (int(number.replace(",", "")) for number in found.groups())
    return errors, total, drawings


def every_error(contents: Contents) -> int:
    evaluation = contents.report.evaluations[0]
    return sum(len(own) for of_system in evaluation.errors.values() for own in of_system)


def test_it_says_first_what_it_contains(contents: Contents, report: Path) -> None:
    assert "contains source text" in report.read_text(encoding="utf-8").split("\n", 1)[0]
    assert "contains source text" in next(render_page(contents)).split("<h1>")[0]


def test_it_begins_with_the_best_score_and_says_which_systems_may_be_as_good(contents: Contents) -> None:
    (evaluation,) = contents.report.evaluations
    scores = {title: result.median.scores.all.f1 for title, result in evaluation.results.items()}
    best = max(scores, key=scores.__getitem__)
    (headline,) = re.findall('<p class="dn-headline">(.*?)</p>', "".join(render_page(contents)))
    assert headline.startswith(f"<b>{100 * scores[best]:.1f}</b> F1 over all mentions")
    equal = "Mac again" if best == "Mac" else "Mac"
    assert headline.endswith(f"the highest, of {best} on Sample (dev). Chance may explain its lead over {equal}")


def test_nothing_is_fetched(visit: Visit, report: Path) -> None:
    visit.page.locator("#errors").scroll_into_view_if_needed()
    assert visit.requests == [report.as_uri()]


def test_every_table_and_figure_is_shown(visit: Visit, contents: Contents) -> None:
    assert len(visit.texts("table.dn-table")) == len(list(contents.tables))
    assert visit.page.locator("main svg").count() == len(list(contents.figures))
    main = visit.page.locator("#main tbody tr").first.inner_text()
    table = next(table for table in contents.tables if table.name == "main")
    assert main.split() == [table.rows[0].name, *(cell.text for cell in table.rows[0].cells)]


def test_all_errors_are_there_a_page_at_a_time(visit: Visit, contents: Contents) -> None:
    errors, total, drawings = counted(visit)
    assert errors == total == every_error(contents)
    assert drawings > 25
    assert visit.page.locator(".dn-card").count() == 25
    first = visit.texts(".dn-card figcaption")
    visit.page.click("#dn-next")
    assert visit.texts(".dn-card figcaption") != first
    visit.page.click("#dn-previous")
    assert visit.texts(".dn-card figcaption") == first


def test_filters_show_what_was_asked_for(visit: Visit, contents: Contents) -> None:
    evaluation = contents.report.evaluations[0]
    found = [error for own in evaluation.errors["Worse"] for error in own]
    visit.page.select_option("#dn-system", label="Worse")
    assert counted(visit)[0] == len(found)
    for kind in ErrorKind:
        visit.page.select_option("#dn-kind", label=str(kind))
        assert counted(visit)[0] == sum(error.kind is kind for error in found)
        shown = visit.texts(".dn-card li:not(.dn-other) b")
        assert set(shown) <= {str(kind)}
    visit.page.select_option("#dn-kind", "")
    label = found[0].mention.label
    visit.page.select_option("#dn-label", label=label)
    visit.page.select_option("#dn-side", label="miss")
    visit.page.select_option("#dn-overlap", label="continuous")
    expected = [
        error for error in found
        if (error.mention.label, error.side, error.overlap) == (label, "miss", "continuous")
    ]  # fmt: skip
    assert counted(visit)[0] == len(expected)
    visit.page.click("text=Show all")
    assert counted(visit)[0] == every_error(contents)


def test_words_find_errors(visit: Visit, contents: Contents) -> None:
    evaluation = contents.report.evaluations[0]
    found = [error for of_system in evaluation.errors.values() for own in of_system for error in own]
    word = found[0].mention.words[0].lower()
    visit.page.fill("#dn-words", word)
    assert counted(visit)[0] == sum(word in " … ".join(_parts(error.mention)).lower() for error in found)
    visit.page.fill("#dn-words", "no such words anywhere")
    assert counted(visit) == (0, every_error(contents), 0)
    assert visit.page.locator(".dn-card").count() == 0


def _parts(mention: Mention) -> list[str]:
    return [mention.layout.text[start:end] for start, end in mention.fragments]


def test_an_error_is_drawn_in_its_sentence(visit: Visit, contents: Contents) -> None:
    card = visit.page.locator(".dn-card").first
    evaluation = contents.report.evaluations[0]
    number = next(number for number, own in enumerate(evaluation.errors["Mac"]) if own)
    sentence = evaluation.gold[number].text
    assert card.locator(".dn-text").inner_text() == sentence
    marks = card.locator("[data-label^='missed '], [data-label^='false ']")
    assert marks.count() > 0
    assert marks.first.bounding_box() is not None


def test_it_is_read_without_a_script(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator("#main tbody tr").count() == 3
    assert page.locator("noscript").is_visible()
    context.close()


HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> <!-- --> \"' & ]]> \u2028 ${alert(3)} javascript:"
)


def test_text_labels_and_names_cannot_become_anything_else(browser: Browser, tmp_path: Path) -> None:
    texts = [f"{HOSTILE} number {number}" for number in range(3)]
    gold = [
        Document(text, [("<b onclick=alert(4)>", [(0, 9), (20, 28)]), ("--></style>", [(3, 12)])], id=HOSTILE)
        for text in texts
    ]
    contents = make_report(gold, {"<script>alert(5)</script>": 0.9, "'); alert(6); ('": 0.9}, HOSTILE, "<i>corpus</i>")
    write_page(contents, tmp_path / "hostile.html")
    visit = Visit(browser, tmp_path / "hostile.html")
    assert visit.problems == []
    assert visit.requests == [(tmp_path / "hostile.html").as_uri()]
    assert visit.page.title() == " ".join(HOSTILE.replace("\u2028", " ").split()) or HOSTILE in visit.page.title()
    assert visit.page.locator("img, main script, main i").count() == 0
    assert visit.page.locator(".dn-card .dn-text").first.inner_text() in texts
    visit.page.close()


def test_ten_thousand_sentences_are_a_page_at_a_time_too(
    browser: Browser, tmp_path: Path, gold: list[Document]
) -> None:
    """However many errors there are, the browser only has to lay out those of a page."""
    random = Random(0)
    many = [random.choice(gold) for _ in range(10_000)]
    contents = make_report(many, {"Mac": 0.3})
    write_page(contents, tmp_path / "many.html")
    visit = Visit(browser, tmp_path / "many.html")
    errors, total, _ = counted(visit)
    assert errors == total == every_error(contents)
    assert total > 4_000
    assert visit.page.locator(".dn-card").count() == 25
    visit.page.select_option("#dn-kind", label="wrong type")
    assert 0 < counted(visit)[0] < total
    assert visit.page.locator(".dn-card").count() == 25
    assert visit.problems == []
    visit.page.close()


def test_the_errors_stand_in_the_page_as_json(report: Path) -> None:
    written = report.read_text(encoding="utf-8").split('id="dn-errors">')[1].split("</script>")[0]
    data = json.loads(written)
    assert data.keys() == {"names", "cards"}
    assert not set("<>&") & set(written)


def test_tables_and_plots_are_files(contents: Contents, tmp_path: Path) -> None:
    write_tables(contents, tmp_path / "tables")
    names = {path.name for path in (tmp_path / "tables").iterdir()}
    assert {"main.csv", "main.tex", "main.md", "figure-overlap-sample.svg"} <= names
    (tmp_path / "tables" / "thesis.tex").write_text("")
    with pytest.raises(InputError, match="not an empty folder"):
        write_tables(contents, tmp_path / "tables")
    replace_tables(contents, tmp_path / "tables")
    assert {path.name for path in (tmp_path / "tables").iterdir()} == names


def test_what_lies_too_deep_to_be_drawn_is_counted(browser: Browser, tmp_path: Path) -> None:
    gold = [Document("pain " * 40, [("A", [(0, 4), (5 * place, 5 * place + 4)]) for place in range(2, 40)])]
    contents = make_report(gold, {"Mac": 1.0})
    write_page(contents, tmp_path / "deep.html")
    visit = Visit(browser, tmp_path / "deep.html")
    assert "too deep to be drawn" in visit.page.locator(".dn-card").inner_text()
    assert visit.problems == []
    visit.page.close()
