"""A page of drawings in a real browser: labels that are switched off without a script, and the way to a document."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from disconer import Document
from disconer.drawing.html import page
from tests.browser import Visit

DOCUMENTS = [
    Document(
        "Severe joint and back pain.",
        [("ADR", [(0, 12), (22, 26)]), ("ADR", [(0, 6), (17, 26)]), ("Severity", [(0, 6)])], id=f"note {number}",
    )
    for number in range(30)
]  # fmt: skip

BEGINS_BELOW_ITS_BAR = """name => {
    const { left, top } = name.getBoundingClientRect();
    const bars = [...name.closest("figure").querySelectorAll(`[data-mention="${name.dataset.mention}"]:not(.dn-tag)`)];
    return bars.flatMap(bar => [...bar.getClientRects()])
        .some(bar => Math.abs(bar.left - left) < 2 && Math.abs(bar.bottom - top) < 4);
}"""

COUNT_LAYOUTS = """() => {
    window.changed = window.measuredLate = 0;
    const replace = Element.prototype.replaceChildren, measure = Element.prototype.getClientRects;
    let isChanged = false;
    Element.prototype.replaceChildren = function (...all) {
        window.changed += 1;
        isChanged = true;
        requestAnimationFrame(() => { isChanged = false; });
        return replace.apply(this, all);
    };
    Element.prototype.getClientRects = function () {
        window.measuredLate += isChanged;
        return measure.apply(this);
    };
}"""
"""Count what is changed, and what is measured after something was changed in the same frame."""


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    path = tmp_path / "page.html"
    path.write_text("".join(page(DOCUMENTS, "Predictions", ["ADR", "Drug", "Severity"])), encoding="utf-8")
    visit = Visit(browser, path)
    yield visit
    assert visit.problems == []
    visit.page.close()


def test_a_label_is_switched_off_and_on_again(visit: Visit) -> None:
    figure = visit.page.locator("figure").first
    severity = figure.locator('.dn-part[data-label="Severity"]')
    adr = figure.locator('.dn-part[data-label="ADR"]').first
    expect(visit.page.locator(".dn-legend label")).to_have_count(2)  # no Drug was found
    box = visit.page.get_by_role("checkbox", name="Severity")
    box.uncheck()
    expect(severity).to_have_css("border-bottom-style", "none")
    expect(adr).not_to_have_css("border-bottom-style", "none")
    figure.locator("summary").click()
    expect(figure.locator("li:visible")).to_have_count(2)
    box.check()
    expect(severity).not_to_have_css("border-bottom-style", "none")
    expect(figure.locator("li:visible")).to_have_count(3)


def test_what_goes_on_over_the_end_of_a_line_is_named_there_again(visit: Visit) -> None:
    figure = visit.page.locator("figure").first
    again = figure.locator(".dn-again")
    expect(again).to_have_count(0)
    visit.page.set_viewport_size({"width": 210, "height": 900})
    expect(again).not_to_have_count(0)
    for name in again.all():
        assert name.get_attribute("data-tag") in ("…ADR", "…ADR 2/2")
        assert name.evaluate(BEGINS_BELOW_ITS_BAR)
    visit.page.get_by_role("checkbox", name="ADR").uncheck()
    assert again.first.evaluate("name => getComputedStyle(name, '::after').visibility") == "hidden"
    visit.page.set_viewport_size({"width": 1200, "height": 900})
    expect(again).to_have_count(0)


def test_text_that_is_written_from_right_to_left_is_named_where_its_lines_begin(
    browser: Browser, tmp_path: Path
) -> None:
    text = "כאבים חזקים מאוד בברכיים ובכתפיים ובגב התחתון שנמשכו יותר משלושה שבועות"
    path = tmp_path / "page.html"
    path.write_text("".join(page([Document(text, [("ADR", [(0, 5), (40, 60)])])], "Predictions")), encoding="utf-8")
    visit = Visit(browser, path, viewport={"width": 260, "height": 700})
    again = visit.page.locator(".dn-again")
    expect(again).not_to_have_count(0)
    for name in again.all():
        assert name.evaluate(BEGINS_BELOW_ITS_BAR.replace("left", "right"))
    visit.page.close()


def test_a_number_that_stands_where_a_name_belongs_is_a_part_of_it(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    text = "Severe and long-lasting and unbearable pain"
    path.write_text("".join(page([Document(text, [("ADR", [(0, 6), (39, 43)])])], "Predictions")), encoding="utf-8")
    visit = Visit(browser, path, viewport={"width": 170, "height": 700})
    expect(visit.page.locator('.dn-again[data-tag="…ADR 2/2"]')).to_have_count(1)
    moved = visit.page.locator(".dn-moved")
    assert moved.get_attribute("data-tag") == "2/2"
    assert moved.evaluate("tag => getComputedStyle(tag, '::after').visibility") == "hidden"
    visit.page.set_viewport_size({"width": 1000, "height": 700})
    expect(moved).to_have_count(0)
    visit.page.close()


def test_a_page_of_many_documents_is_laid_out_once(browser: Browser, tmp_path: Path) -> None:
    """However many figures there are, each is measured before any is changed."""
    path = tmp_path / "page.html"
    path.write_text("".join(page(DOCUMENTS * 3, "Predictions")), encoding="utf-8")
    visit = Visit(browser, path, viewport={"width": 1200, "height": 700})
    visit.page.evaluate(COUNT_LAYOUTS)
    visit.page.set_viewport_size({"width": 210, "height": 700})
    expect(visit.page.locator(".dn-again").last).to_be_attached()
    changed, measured_late = visit.page.evaluate("[window.changed, window.measuredLate]")
    assert changed >= 90
    assert measured_late == 0
    visit.page.close()


def test_the_index_leads_to_a_document(visit: Visit) -> None:
    visit.page.locator(".dn-index summary").click()
    visit.page.get_by_role("link", name="note 29").click()
    expect(visit.page.locator("figure").last).to_be_in_viewport()
    expect(visit.page.locator("figure").first).not_to_be_in_viewport()
