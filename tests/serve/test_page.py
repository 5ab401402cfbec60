"""The page in a real browser, in front of a real server."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, FilePayload, FloatRect, Locator, Request, Route, expect

import disconer
from disconer.document import Document
from disconer.recognizer import Recognizer
from disconer.serve.access import Keys
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from disconer.serve.settings import Limits
from tests.browser import Visit
from tests.serve.page_recognizers import Rule, Ruled
from tests.serve.servers import listening

TEXT = "Severe joint, shoulder and upper body pain after only two weeks on Zoloric; legs felt weak and numb."
EXAMPLES = ("Joint pain and numb toes.", "Numb, not weak.")
CRLF = "First line.\r\nSevere joint, shoulder and\r\nupper body pain 🤕.\r"
HOSTILE = "<img src=x onerror=alert(1)>\"'\u202e"
LIMITS = Limits(body_bytes=60_000, text_characters=50_000, texts=5)
KEY = "a key of more than sixteen letters".replace(" ", "-")

FIRST = Ruled(
    [
        Rule("ADR", ("Severe joint", "pain"), 0.91),
        Rule("ADR", ("Severe", "shoulder", "pain"), 0.82),
        Rule("ADR", ("Severe", "upper body pain"), 0.73),
        Rule("Drug", ("Zoloric",), 0.99),
        Rule("Severity", ("Severe",), 0.6),
        Rule("ADR", ("legs", "weak"), 0.3),
    ]
)
SECOND = Ruled([Rule("ADR", ("Severe joint", "pain"), 0.7), Rule("ADR", ("numb",), 0.9)])
EVIL = Ruled([Rule(HOSTILE, ("Severe", "pain"), 0.9), Rule("A" * 90, ("joint",), 0.8)])

SLIDE = """(slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    return { rows: document.querySelectorAll("tr.dn-below").length,
             parts: document.querySelector(".dn-part.dn-below") !== null };
}"""
"""Move the slider, and see what has faded before anything else can happen."""

STYLES = """parts => parts.map(part => getComputedStyle(part).borderBottomColor)"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server with several models."""
    catalogue = Catalogue(
        {"first": FIRST, "second": SECOND, HOSTILE: EVIL}, examples={"second": EXAMPLES}, invented=["second"]
    )
    with listening(create_app(catalogue, LIMITS)) as address:
        yield address


class PageVisit(Visit):
    """A visit to the page, and what people do on it."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        super().__init__(browser, address, permissions=["clipboard-read", "clipboard-write"], **options)
        self.address = address
        self.asked: list[dict[str, Any]] = []
        self.page.on("request", self._note)

    def open(self, fragment: str = "", width: int = 1200, scheme: Literal["light", "dark"] = "light") -> None:
        """Begin anew: nothing that a page did can be left."""
        self.page.unroute_all()
        self.page.emulate_media(media="screen", color_scheme=scheme)
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.goto("about:blank")
        self.requests.clear()
        self.asked.clear()
        self.page.goto(self.address + fragment)

    def _note(self, request: Request) -> None:
        if request.url.endswith("/v1/extract"):
            self.asked.append(json.loads(request.post_data or ""))

    def find(self, text: str) -> None:
        """Write a text and let it be read."""
        self.page.fill("#dn-text", text)
        with self.answer():
            self.page.keyboard.press("Control+Enter")

    @contextmanager
    def answer(self) -> Iterator[Any]:
        """Wait for the server to answer what is done inside, and for the page to show it."""
        with self.page.expect_response("**/v1/extract") as answer:
            yield answer
        self.page.locator("#dn-results[aria-busy='false']").wait_for(state="attached")

    def hold(self, path: str = "extract") -> list[Route]:
        """Keep the next question back; gives where it will be found."""
        held: list[Route] = []

        def keep(route: Route) -> None:
            held.append(route)

        self.page.route(f"**/v1/{path}", keep, times=1)
        return held

    def held(self, held: list[Route]) -> Route:
        while not held:
            self.page.wait_for_timeout(10)
        return held[0]

    def rows(self) -> list[list[str]]:
        """Read the list, mention by mention."""
        rows = self.page.locator("tbody tr:visible")
        return [row.locator("td").all_inner_texts() for row in rows.all()]

    def row(self, text: str) -> Locator:
        return self.page.locator("tbody tr").filter(has_text=text).first

    def chosen(self) -> set[str | None]:
        """Read the numbers of the mentions that are alone in a drawing."""
        return {part.get_attribute("data-mention") for part in self.page.locator(".dn-text .dn-chosen").all()}

    def parts(self, number: int, kind: str = ".dn-part") -> Locator:
        return self.page.locator(f".dn-drawing {kind}[data-mention='{number}']")

    def drop(self, *files: tuple[str, bytes]) -> None:
        """Drop files onto the page."""
        transfer = self.page.evaluate_handle(
            """files => files.reduce((transfer, [name, bytes]) => {
                transfer.items.add(new File([new Uint8Array(bytes)], name)); return transfer }, new DataTransfer())""",
            [[name, list(content)] for name, content in files],
        )
        self.page.dispatch_event("#dn-text", "drop", {"dataTransfer": transfer})

    def download(self, button: str, folder: Path) -> Path:
        with self.page.expect_download() as download:
            self.page.click(f"[data-to='{button}'] >> nth=0")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path

    def problem(self) -> str:
        self.page.locator("#dn-problem").wait_for()
        return self.page.locator("#dn-problem").inner_text()

    def check(self) -> None:
        """Check that nothing went elsewhere, or wrong; browsers log every answer that is an error."""
        assert all(url.startswith((self.address, "blob:", "data:")) for url in self.requests)
        assert [problem for problem in self.problems if "Failed to load resource" not in problem] == []

    def close(self) -> None:
        self.check()
        self.page.close()


@pytest.fixture(scope="module")
def window(browser: Browser, address: str) -> Iterator[PageVisit]:
    """One window for most tests: to open one takes longer than to read a page."""
    visit = PageVisit(browser, address)
    yield visit
    visit.close()


@pytest.fixture
def visit(window: PageVisit) -> Iterator[PageVisit]:
    window.open()
    yield window
    window.check()


def box_of(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box
    return box


def expected_rows(document: Document) -> list[list[str]]:
    return [
        [
            mention.label,
            " … ".join(document.text[start:end] for start, end in mention.fragments),
            ", ".join(f"{start}–{end}" for start, end in mention.fragments),
            f"{mention.score:.2f}",
        ]
        for mention in document
    ]


def found(recognizer: Recognizer, text: str, threshold: float | None = None) -> Document:
    return next(iter(recognizer.pipe([text], threshold)))


class TestTyping:
    def test_mentions_appear_when_typing_stops(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        with visit.answer():
            visit.page.locator("#dn-text").press_sequentially(TEXT)
        visit.page.locator(".dn-panel").wait_for()
        assert visit.rows() == expected_rows(found(FIRST, TEXT))
        assert len(visit.asked) < 5  # and not once a letter
        assert visit.asked[-1] == {"texts": [TEXT], "model": "first", "draw": True}
        assert visit.page.locator(".dn-count").inner_text() == "5 mentions, 3 with gaps"
        assert visit.page.locator("#dn-status").inner_text() == "first: 5 mentions, 3 with gaps"

    def test_fragments_and_gaps_are_drawn(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        expect(visit.parts(0)).not_to_have_count(0)
        assert visit.page.locator(".dn-text").inner_text() == TEXT
        for number, mention in enumerate(found(FIRST, TEXT)):
            assert (visit.parts(number, ".dn-gap").count() > 0) == mention.is_discontinuous

    def test_an_example_is_at_hand_and_can_be_undone(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.page.locator("#dn-text").press_sequentially("mine")
        with visit.answer():
            visit.page.click("#dn-example")
        assert visit.page.input_value("#dn-text") == TEXT
        visit.page.keyboard.press("Control+z")
        assert visit.page.input_value("#dn-text") == "mine"

    def test_a_model_that_brings_examples_is_tried_on_them_one_after_the_other(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.page.locator('.dn-choice input[value="first"]').uncheck()
        visit.page.locator('.dn-choice input[value="second"]').check()
        for text in (*EXAMPLES, EXAMPLES[0]):
            with visit.answer():
                visit.page.click("#dn-example")
            assert visit.page.input_value("#dn-text") == text

    def test_what_learned_from_invented_sentences_is_said_where_it_is_chosen(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        said = visit.page.locator("#dn-invented")
        expect(said).to_be_hidden()
        visit.page.locator('.dn-choice input[value="second"]').check()
        expect(said).to_have_text(re.compile("^second learned from invented sentences"))
        visit.page.locator('.dn-choice input[value="second"]').uncheck()
        expect(said).to_be_hidden()

    def test_a_later_text_takes_the_place_of_one_that_is_not_answered(self, visit: PageVisit) -> None:
        held = visit.hold()
        visit.page.fill("#dn-text", "Severe joint pain")
        visit.page.click("#dn-run")
        expect(visit.page.locator("#dn-results")).to_have_attribute("aria-busy", "true")
        with visit.page.expect_event("requestfailed"):  # which frees its place on the server
            visit.find("Zoloric")
        expect(visit.page.locator("tbody tr")).to_have_count(1)
        expect(visit.page.locator("#dn-results")).to_have_attribute("aria-busy", "false")
        visit.held(held).abort()

    def test_without_text_there_is_nothing(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        visit.page.locator(".dn-panel").wait_for()
        visit.page.fill("#dn-text", " \n ")
        visit.page.locator("#dn-empty").wait_for()
        assert visit.page.locator(".dn-panel").count() == 0
        assert visit.page.locator("#dn-status").inner_text() == ""

    def test_a_model_that_was_really_trained_is_shown_as_it_answers(
        self, browser: Browser, recognizer: Recognizer
    ) -> None:
        with listening(create_app(Catalogue({"talkative": recognizer}))) as address:
            visit = PageVisit(browser, address)
            visit.find("Severe joint pain 🤕. Legs felt numb.")
            visit.page.locator(".dn-panel").wait_for()
            assert [row[:3] for row in visit.rows()] == [
                row[:3] for row in expected_rows(recognizer("Severe joint pain 🤕. Legs felt numb."))
            ]
            visit.close()


class TestOneAlone:
    @pytest.fixture(autouse=True)
    def drawn(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        visit.parts(0).first.wait_for()

    def test_the_others_step_back_and_nothing_moves(self, visit: PageVisit) -> None:
        boxes = "parts => parts.map(part => JSON.stringify(part.getBoundingClientRect()))"
        every = visit.page.locator(".dn-text [data-mention], tbody tr")
        places, before = every.evaluate_all(boxes), visit.parts(0).evaluate_all(STYLES)
        chosen = visit.parts(1).evaluate_all(STYLES)
        visit.row("Severe … shoulder … pain").hover()
        assert visit.chosen() == {"1"}
        assert visit.parts(1).evaluate_all(STYLES) == chosen
        assert visit.parts(0).evaluate_all(STYLES) != before
        assert every.evaluate_all(boxes) == places
        visit.page.locator("h1").hover()
        assert visit.chosen() == set()
        assert visit.parts(0).evaluate_all(STYLES) == before

    def test_every_one_of_overlapping_mentions_has_a_bar_to_point_at(self, visit: PageVisit) -> None:
        for number in range(5):
            box = box_of(visit.parts(number).first)
            visit.page.mouse.move(box["x"] + 2, box["y"] + box["height"] - 1)
            assert visit.chosen() == {str(number)}
            if visit.parts(number, ".dn-tag").count():  # and a tag below it
                visit.page.mouse.move(box["x"] + 2, box["y"] + box["height"] + 6)
                assert visit.chosen() == {str(number)}

    def test_clicks_go_through_what_lies_under_a_word(self, visit: PageVisit) -> None:
        visit.page.locator("h1").hover()
        box = box_of(visit.parts(0).first)
        seen = []
        for _ in range(5):
            visit.page.mouse.click(box["x"] + 2, box["y"] + 3)
            seen.append(visit.chosen())
        assert seen[4] == set()
        assert sorted("".join(map(str, one)) for one in seen[:4]) == ["0", "1", "2", "3"]

    def test_keys_walk_through_the_drawing(self, visit: PageVisit) -> None:
        visit.page.locator(".dn-drawing").focus()
        for number in (0, 1, 2):
            visit.page.keyboard.press("ArrowRight")
            assert visit.chosen() == {str(number)}
        assert "Severe … upper body pain" in visit.page.locator("#dn-spoken").inner_text()
        visit.page.keyboard.press("ArrowLeft")
        assert visit.chosen() == {"1"}
        visit.page.keyboard.press("End")
        assert visit.chosen() == {"4"}
        visit.page.keyboard.press("Escape")
        assert visit.chosen() == set()

    def test_keys_walk_through_the_list_in_its_own_order(self, visit: PageVisit) -> None:
        visit.page.click("th[data-column='score'] button")
        assert [row[3] for row in visit.rows()] == ["0.60", "0.73", "0.82", "0.91", "0.99"]
        visit.page.click("th[data-column='score'] button")
        assert [row[3] for row in visit.rows()] == ["0.99", "0.91", "0.82", "0.73", "0.60"]
        assert visit.page.get_attribute("th[data-column='score']", "aria-sort") == "descending"
        visit.page.keyboard.press("Tab")
        assert len(visit.chosen()) == 1
        visit.page.keyboard.press("Home")
        visit.page.keyboard.press("ArrowDown")
        assert visit.row("Severe joint … pain").get_attribute("aria-selected") == "true"
        assert visit.page.locator("tr:focus").inner_text().endswith("0.91")
        assert visit.page.locator("tr[tabindex='0']").count() == 1
        visit.page.keyboard.press("Shift+Tab")
        assert visit.chosen() == set()


def test_a_tap_shows_one_alone_too(browser: Browser, address: str) -> None:
    visit = PageVisit(browser, address, has_touch=True, viewport={"width": 390, "height": 844})
    visit.find(TEXT)
    visit.parts(4).first.tap()
    assert visit.chosen() == {"4"}
    visit.row("Severe joint").tap()
    assert visit.chosen() == {"3"}
    expect(visit.parts(3).first).to_be_in_viewport()
    visit.close()


class TestThreshold:
    def test_what_lies_below_fades_at_once_and_then_the_server_is_asked(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        visit.parts(0).first.wait_for()
        held = visit.hold()
        assert visit.page.locator("#dn-threshold").evaluate(SLIDE, "0.8") == {"rows": 2, "parts": True}
        assert visit.page.locator("#dn-threshold-value").inner_text() == "0.80"
        visit.held(held).continue_()
        expect(visit.page.locator("tbody tr")).to_have_count(3)
        assert visit.asked[-1]["threshold"] == 0.8
        assert visit.rows() == expected_rows(found(FIRST, TEXT, 0.8))
        assert visit.page.locator(".dn-below").count() == 0

    def test_a_low_one_finds_more_and_the_own_ones_come_back(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        assert visit.page.locator("#dn-threshold-value").inner_text() == "the model's own"
        with visit.answer():
            visit.page.locator("#dn-threshold").click()  # in the middle, where it rests
        assert visit.asked[-1]["threshold"] == 0.5
        with visit.answer():
            visit.page.fill("#dn-threshold", "0.2")
        expect(visit.page.locator("tbody tr")).to_have_count(6)
        with visit.answer():
            visit.page.click("#dn-own")
        expect(visit.page.locator("tbody tr")).to_have_count(5)
        assert "threshold" not in visit.asked[-1]

    def test_one_of_a_link_is_what_the_slider_can_hold(self, visit: PageVisit) -> None:
        visit.open("#threshold=0.001")
        visit.find("Zoloric")
        assert visit.page.locator("#dn-threshold-value").inner_text() == "0.01"
        assert visit.asked[-1]["threshold"] == 0.01
        visit.page.locator("#dn-skip").press("Enter")
        assert visit.page.locator("#dn-results").evaluate("results => results === document.activeElement")
        assert visit.page.url.endswith("#threshold=0.001")
        with visit.answer():
            visit.page.evaluate("() => { location.hash = '' }")
        assert "threshold" not in visit.asked[-1]


class TestTypes:
    def test_each_has_a_colour_a_count_and_a_switch(self, visit: PageVisit, tmp_path: Path) -> None:
        visit.find(TEXT)
        chips = visit.page.locator("#dn-legend button")
        expect(chips).to_have_text(["ADR 3", "Drug 1", "Severity 1"])
        colours = chips.evaluate_all(STYLES)
        assert len(set(colours)) == 3
        assert colours[1] == visit.parts(4).evaluate_all(STYLES)[0]
        chips.nth(0).click()
        assert chips.nth(0).get_attribute("aria-pressed") == "false"
        assert [row[0] for row in visit.rows()] == ["Severity", "Drug"]
        assert set(visit.parts(1).evaluate_all(STYLES)) == {"rgba(0, 0, 0, 0)"}
        assert "3 switched off and left out of downloads" in visit.page.locator(".dn-count").inner_text()
        (document,) = disconer.read(visit.download("jsonl", tmp_path))
        assert [mention.label for mention in document] == ["Severity", "Drug"]
        visit.find(f"{TEXT} Zoloric again.")  # a switch stays as it is
        expect(visit.page.locator("tbody tr:visible")).to_have_count(3)
        chips.nth(0).click()
        assert len(visit.rows()) == 6

    def test_the_list_is_reached_without_its_first_type(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        visit.page.click("#dn-legend [data-label='ADR']")
        visit.page.click("#dn-legend [data-label='Severity']")
        visit.page.locator("[data-column='score'] button").focus()
        visit.page.keyboard.press("Tab")
        assert visit.page.locator("tr:focus").inner_text().startswith("Drug")
        assert visit.page.locator("#dn-spoken").inner_text() == ""  # the row speaks for itself

    def test_those_that_are_off_or_stand_back_are_so_in_the_colours_of_others(self, visit: PageVisit) -> None:
        visit.page.emulate_media(forced_colors="active")
        visit.find(TEXT)
        lines = "parts => parts.map(part => getComputedStyle(part).borderBottomStyle)"
        visit.page.click("#dn-legend [data-label='ADR']")
        assert set(visit.parts(1).evaluate_all(lines)) == {"none"}
        visit.row("Zoloric").hover()
        assert set(visit.parts(0).evaluate_all(lines)) == {"dotted"}
        assert "dotted" not in visit.parts(4).evaluate_all(lines)
        visit.page.emulate_media(forced_colors="none")

    def test_hostile_ones_are_only_text(self, visit: PageVisit) -> None:
        visit.open(f"#model={quote(HOSTILE)}")
        visit.find(f"{HOSTILE} Severe joint pain")
        visit.page.locator(".dn-panel").wait_for()
        assert visit.asked[-1]["model"] == HOSTILE
        assert visit.rows()[0][0] == HOSTILE
        assert visit.page.locator("main img, main script").count() == 0
        assert visit.page.locator("#dn-legend bdi").all_inner_texts() == [HOSTILE, "A" * 90]


class TestOffsets:
    def test_they_count_code_points(self, visit: PageVisit) -> None:
        text = "🤕🤕 é Severe joint 🤕 pain."
        visit.find(text)
        visit.row("Severe joint … pain").press("Enter")
        assert visit.rows()[1][2] == "5–17, 20–24"
        selected = visit.page.locator("#dn-text").evaluate("field => [field.selectionStart, field.selectionEnd]")
        assert text.encode("utf-16-le")[2 * selected[0] : 2 * selected[1]].decode("utf-16-le") == text[5:24]
        assert visit.page.locator("#dn-text").evaluate("field => field === document.activeElement")
        assert visit.page.locator("#dn-counter").inner_text() == f"{len(text)} of 50,000 characters"

    def test_half_a_pair_is_sent_as_a_character(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.page.evaluate("""() => {
            const field = document.getElementById("dn-text");
            field.value = "\\ud83e Zoloric \\udd15 🤕";
            field.dispatchEvent(new InputEvent("input")) }""")
        visit.row("Zoloric").wait_for()
        assert visit.asked[-1]["texts"] == ["\ufffd Zoloric \ufffd 🤕"]
        assert "2 broken" in visit.page.locator("#dn-counter").inner_text()

    def test_they_agree_with_python(self, visit: PageVisit) -> None:
        random = Random(0)
        pieces = ["a", "é", "e\u0301", "🤕", "\r\n", "\n", "\r", "👩\u200d⚕️", " ", "\u202e"]
        texts = ["".join(random.choices(pieces, k=random.randrange(1, 30))) for _ in range(200)]
        cases = [(text, random.randrange(len(text) + 1), len(text)) for text in texts]
        answers = visit.page.evaluate(
            """async cases => { const { CodePoints, codePointCount } = await import("./assets/offsets.js");
            return cases.map(([text, start, end]) => { const points = new CodePoints(text);
                return [points.slice(start, end), points.inField(start), codePointCount(text)] }) }""",
            cases,
        )
        for (text, start, end), (piece, place, count) in zip(cases, answers, strict=True):
            assert piece == text[start:end]
            assert count == len(text)
            before = re.sub("\r\n?", "\n", text[:start])
            assert place == len(before.encode("utf-16-le")) // 2


class TestFiles:
    def test_a_text_keeps_its_line_ends_until_it_is_edited(self, visit: PageVisit, tmp_path: Path) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        with visit.answer():
            visit.drop(("note.txt", b"\xef\xbb\xbf" + CRLF.encode()))
        visit.row("Severe … upper body pain").press("Enter")
        assert visit.asked[-1]["texts"] == [CRLF]
        assert visit.rows() == expected_rows(found(FIRST, CRLF))
        selected = "field => field.value.slice(field.selectionStart, field.selectionEnd)"
        assert visit.page.locator("#dn-text").evaluate(selected) == "Severe joint, shoulder and\nupper body pain"
        (document,) = disconer.read(visit.download("jsonl", tmp_path))
        assert (document.text, document.id) == (CRLF, "note")
        assert document.mentions == found(FIRST, CRLF).mentions  # their scores, and no other key
        visit.page.locator("#dn-text").press("Control+End")
        with visit.answer():
            visit.page.keyboard.type("x")
        assert visit.asked[-1]["texts"] == [CRLF.replace("\r\n", "\n").replace("\r", "\n") + "x"]
        with visit.answer():
            visit.page.keyboard.press("Backspace")
        assert visit.asked[-1]["texts"] == [CRLF]

    def test_several_are_a_set_of_documents(self, visit: PageVisit, tmp_path: Path) -> None:
        visit.find("mine")
        records = [{"id": "d1", "text": TEXT, "source": {"page": 4}}, {"id": 2, "text": "Zoloric.\r\n"}]
        lines = "".join(json.dumps(record) + "\n" for record in records).encode()
        with visit.answer():
            visit.page.set_input_files(
                "#dn-files",
                [
                    FilePayload(name="set.jsonl", mimeType="", buffer=lines),
                    FilePayload(name="c.txt", mimeType="text/plain", buffer=b"Severe. Well."),
                ],
            )
        expect(visit.page.locator(".dn-panel")).to_have_count(3)
        assert visit.page.locator(".dn-title").all_inner_texts() == ["d1", "2", "c"]
        assert visit.asked[-1]["texts"] == [*records, "Severe. Well."]
        assert visit.page.locator(".dn-count").inner_text() == "7 mentions, 3 with gaps"
        first, second, third = disconer.read(visit.download("jsonl", tmp_path))
        assert (first.id, first.extras, len(first)) == ("d1", {"source": {"page": 4}}, 5)
        assert (second.text, len(second), third.id, len(third)) == ("Zoloric.\r\n", 1, "c", 1)
        with zipfile.ZipFile(visit.download("brat", tmp_path)) as archive:
            archive.extractall(tmp_path / "brat")
        read = {document.text: document for document in disconer.read(tmp_path / "brat")}
        assert len(read) == 3
        assert {mention.key for mention in read[TEXT]} == {mention.key for mention in first}
        with visit.answer():
            visit.page.click("#dn-set-close")
        assert visit.page.input_value("#dn-text") == "mine"

    def test_what_cannot_be_read_is_told(self, visit: PageVisit) -> None:
        visit.find("mine")
        for name, content, words in (
            ("latin.txt", b"na\xefve", "not UTF-8"),
            ("image.txt", b"\x00\x01\x02", "no text file"),
            ("huge.txt", b"a" * 60_001, "has 60,001 bytes, and this server takes 60,000"),
            ("large.txt", b"a" * 160_000, "has 0.2 MiB"),
            ("long.txt", b"a" * 50_001, "50,001 characters"),
            ("set.jsonl", b'{"text": "one"}\n{"text": \n', "line 2 is not JSON"),
            ("set.jsonl", b'{"text": "one"}\n{"words": 3}\n', 'line 2 has no "text"'),
            ("set.jsonl", b'{"text": "one"}\n' * 6, "6 documents"),
            ("set.jsonl", b"\n \n", "holds no documents"),
            ("set.jsonl", b'{"id": true, "text": "one"}', 'line 1 has an "id"'),
            ("set.jsonl", b'\n{"text": "Severe \\ud83d pain"}', "line 2 holds half of a character"),
        ):
            visit.drop((name, content))
            expect(visit.page.locator("#dn-problem")).to_contain_text(words)
        assert visit.page.input_value("#dn-text") == "mine"
        assert len(visit.asked) == 1

    def test_records_come_back_as_they_were(self, visit: PageVisit, tmp_path: Path) -> None:
        lines = (
            '{"id":12345678901234567890,"text":"Zoloric","html":"mine","n":1.0,"x":9007199254740993,"words":null}',
            '{"id":"a","text":"Zoloric"}',
            '{"id":"a","text":"Zoloric "}',
            '{"id":"a-2","text":"Zoloric  "}',
        )
        visit.page.locator("#dn-run:enabled").wait_for()
        with visit.answer() as answer:
            visit.drop(("set.jsonl", "\n".join(lines).encode()))
        assert lines[0] in (answer.value.request.post_data or "")
        assert visit.problem() == "Documents of the same name were named anew: a is now a-3"
        assert visit.page.locator("#dn-hint-select").is_hidden()
        visit.page.locator(".dn-panel").nth(3).wait_for()
        written = visit.download("jsonl", tmp_path).read_text().splitlines()
        mention = '"entities":[{"label":"Drug","spans":[[0,7]],"score":0.99}]'
        ids = ('"a"', '"a-3"', '"a-2"')
        spaces = ("", " ", "  ")
        assert written == [
            lines[0].replace("}", f",{mention}}}"),
            *(f'{{"id":{id},"text":"Zoloric{space}",{mention}}}' for id, space in zip(ids, spaces, strict=True)),
        ]
        assert not any(url.endswith("/v1/convert") for url in visit.requests)
        visit.page.route("**/v1/convert", lambda route: route.abort(), times=1)
        visit.page.click("[data-to='brat']")
        with visit.page.expect_download(), visit.page.expect_request("**/v1/convert") as request:
            visit.page.get_by_role("button", name="Try again").click()
        assert "mine" not in (request.value.post_data or "")
        expect(visit.page.locator("#dn-problem")).to_be_hidden()

    def test_the_last_that_were_dropped_are_opened_when_the_server_is_there(self, visit: PageVisit) -> None:
        held = visit.hold("models")
        visit.page.reload()
        visit.held(held)
        visit.drop(("a.txt", b"one"))
        visit.drop(("b.txt", b"Zoloric"))
        with visit.answer():
            held[0].continue_()
        visit.row("Zoloric").wait_for()
        assert [asked["texts"] for asked in visit.asked] == [["Zoloric"]]

    def test_those_that_can_be_read_are_shown_all_the_same(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        with visit.answer():
            visit.drop(("a.txt", b"Zoloric"), ("b.txt", b"\xff"))
        visit.row("Zoloric").wait_for(state="attached")
        assert visit.problem() == "b.txt: is not UTF-8 text: save it as UTF-8 and open it again"


class TestSeveralModels:
    def test_they_stand_side_by_side_and_what_one_found_alone_is_marked(self, visit: PageVisit, tmp_path: Path) -> None:
        visit.open("#model=first&model=second", width=1400)
        visit.find(TEXT)
        expect(visit.page.locator(".dn-panel")).to_have_count(2)
        one, two = (visit.page.locator(".dn-panel").nth(number) for number in (0, 1))
        left, right = box_of(one), box_of(two)
        assert left["y"] == right["y"]
        assert left["x"] + left["width"] < right["x"]
        only = visit.page.locator("tr", has=visit.page.locator(".dn-only-here"))
        assert only.count() == 4 + 1
        assert one.locator("tr", has_text="Severe joint").locator(".dn-only-here").count() == 0
        assert visit.page.locator(".dn-tag.dn-only").count() == only.count()
        assert visit.page.locator(".dn-count").all_inner_texts() == [
            "5 mentions, 3 with gaps, ◆ 4 only here",
            "2 mentions, 1 with gaps, ◆ 1 only here",
        ]
        one.locator("tr", has_text="Severe joint").hover()  # is shown alone in both
        assert two.locator("tr.dn-chosen").inner_text().startswith("ADR\nSevere joint")
        with visit.page.expect_download() as download:
            visit.page.click("[data-to='jsonl'] >> nth=1")
        download.value.save_as(tmp_path / "second.jsonl")
        (document,) = disconer.read(tmp_path / "second.jsonl")
        assert [mention.text for mention in document] == ["Severe joint pain", "numb"]

    def test_on_a_phone_they_stand_below_each_other(self, visit: PageVisit) -> None:
        visit.open("#model=first&model=second", width=390)
        visit.find(TEXT)
        expect(visit.page.locator(".dn-panel")).to_have_count(2)
        upper, lower = map(box_of, visit.page.locator(".dn-panel").all())
        title = box_of(visit.page.get_by_role("heading", name="second"))
        assert upper["y"] + upper["height"] <= title["y"] < lower["y"]
        assert visit.page.locator("#dn-threshold").is_hidden()  # folded away
        visit.page.evaluate("() => scrollTo(0, 0)")
        visit.page.click("#dn-run")
        expect(visit.page.locator("#dn-results-title")).to_be_in_viewport()
        expect(visit.page.locator(".dn-drawing").first).to_be_in_viewport()

    def test_they_are_chosen_and_one_must_be(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        with visit.answer():
            visit.page.get_by_role("checkbox", name="second").check()
        expect(visit.page.locator(".dn-panel")).to_have_count(2)
        visit.page.get_by_role("checkbox", name="second").uncheck()
        visit.page.get_by_role("checkbox", name="first").uncheck()
        assert visit.problem() == "Choose at least one model."
        assert visit.page.locator("[data-to='jsonl']").first.is_disabled()  # of what is no answer now
        with visit.answer():
            visit.page.get_by_role("checkbox", name="second").check()
        expect(visit.page.locator("[data-to='jsonl']")).to_be_enabled()


class TestNextAnswer:
    """Somebody who works on an answer goes on where they were when the next one comes."""

    def test_in_the_list(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        visit.page.click("[data-column='score'] button")
        visit.row("Severe joint").focus()
        with visit.answer():
            visit.page.keyboard.press("Control+Enter")
        expect(visit.page.locator("tr:focus")).to_contain_text("Severe joint")
        assert visit.page.get_attribute("[data-column='score']", "aria-sort") == "ascending"
        assert visit.chosen() == {"3"}

    def test_in_the_drawing(self, visit: PageVisit) -> None:
        visit.find(f"{TEXT}\n" * 40)
        drawing = visit.page.locator(".dn-drawing")
        drawing.focus()
        visit.page.keyboard.press("End")
        scrolled = drawing.evaluate("frame => frame.scrollTop")
        chosen = visit.chosen()
        with visit.answer():
            visit.page.keyboard.press("Control+Enter")
        expect(visit.page.locator(".dn-drawing:focus")).to_have_count(1)
        assert visit.chosen() == chosen
        assert drawing.evaluate("frame => frame.scrollTop") == scrolled > 0

    def test_among_documents(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.drop(("a.txt", b"Zoloric"), ("b.txt", b"Zoloric"))
        visit.page.locator("summary:visible").nth(1).click()
        with visit.answer():
            visit.page.click("#dn-run")
        expect(visit.page.locator("#dn-answers details").nth(1)).to_have_attribute("open", "")
        assert visit.page.locator("#dn-answers details[open]").count() == 1


class TestLink:
    def test_it_carries_settings_and_no_text(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        visit.page.get_by_role("checkbox", name="second").check()
        with visit.answer():
            visit.page.fill("#dn-threshold", "0.65")
        visit.page.click("#dn-link")
        expect(visit.page.locator("#dn-link")).to_have_text("Copied")
        link = visit.page.evaluate("() => navigator.clipboard.readText()")
        assert link == f"{visit.address}#model=first&model=second&threshold=0.65"
        assert "#" not in visit.page.url
        visit.open(link.removeprefix(visit.address))
        assert visit.page.input_value("#dn-text") == ""
        visit.find("Zoloric")
        expect(visit.page.locator(".dn-panel")).to_have_count(2)
        assert [(asked["model"], asked["threshold"]) for asked in visit.asked] == [("first", 0.65), ("second", 0.65)]

    def test_a_link_with_nonsense_is_no_harm(self, visit: PageVisit) -> None:
        visit.open("#model=nobody&threshold=7&text=x")
        visit.find("Zoloric")
        assert visit.asked[0] == {"texts": ["Zoloric"], "model": "first", "draw": True}

    def test_the_list_is_copied_as_a_table(self, visit: PageVisit) -> None:
        visit.find("Zoloric. Severe joint, pain.")
        visit.page.click(".dn-copy")
        expect(visit.page.locator(".dn-copy")).to_have_text("Copied")
        lines = visit.page.evaluate("() => navigator.clipboard.readText()").split("\n")
        assert lines[0] == "type\tmention\toffsets\tscore"
        assert lines[-1] == "ADR\tSevere joint … pain\t9–21, 23–27\t0.91"


def refusal(status: int, code: str, **headers: str) -> Callable[[Route], None]:
    """Answer instead of the server."""
    problem = {"title": "No", "status": status, "code": code, "detail": f"It is {code}.", "request_id": "r-1"}
    return lambda route: route.fulfill(
        status=status, headers=headers, content_type="application/problem+json", body=json.dumps(problem)
    )


class TestProblems:
    def test_a_failure_is_told_with_its_request_and_the_text_stays(self, visit: PageVisit) -> None:
        with visit.page.expect_response("**/v1/extract") as response:
            visit.page.fill("#dn-text", "This cannot be read!")
            visit.page.keyboard.press("Control+Enter")
        assert response.value.status == 500
        problem = visit.problem()
        assert response.value.headers["x-request-id"] in problem
        assert visit.page.get_attribute("#dn-problem", "role") == "alert"
        assert visit.page.input_value("#dn-text") == "This cannot be read!"
        visit.find("Zoloric")
        visit.row("Zoloric").wait_for()
        assert visit.page.locator("#dn-problem").is_hidden()

    def test_a_busy_server_is_asked_again_when_it_said(self, visit: PageVisit) -> None:
        visit.page.route("**/v1/extract", refusal(503, "busy", **{"Retry-After": "1"}), times=1)
        visit.page.fill("#dn-text", "Zoloric")
        visit.page.keyboard.press("Control+Enter")
        assert "busy. Trying again in 1 second." in visit.problem()
        visit.row("Zoloric").wait_for()
        assert visit.page.locator("#dn-problem").is_hidden()

    def test_too_much_is_told_before_and_after_it_is_sent(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.page.fill("#dn-text", "🤕" * 50_001)
        visit.page.click("#dn-run")
        assert "takes 50,000 characters" in visit.problem()
        assert "too long" in visit.page.locator("#dn-counter").inner_text()
        assert visit.asked == []
        visit.page.fill("#dn-text", "")
        visit.drop(*((f"{number}.txt", b"a" * 20_000) for number in range(4)))
        expect(visit.page.locator("#dn-problem")).to_contain_text("60,000 bytes")

    def test_a_server_that_is_gone_is_told_and_can_be_tried_again(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.page.route("**/v1/extract", lambda route: route.abort(), times=2)
        visit.page.fill("#dn-text", "Zoloric")
        visit.page.keyboard.press("Control+Enter")
        assert "cannot be reached" in visit.problem()
        said = visit.page.locator("#dn-problem p").element_handle()
        with visit.page.expect_event("requestfailed"):
            visit.page.keyboard.press("Control+Enter")
        expect(visit.page.locator("#dn-results")).to_have_attribute("aria-busy", "false")
        assert said.evaluate("said => said.isConnected")  # or it would be read out again
        visit.page.get_by_role("button", name="Try again").click()
        visit.row("Zoloric").wait_for()
        assert visit.page.locator("#dn-run").evaluate("run => run === document.activeElement")

    def test_a_start_is_made_once_however_often_it_is_tried(self, visit: PageVisit) -> None:
        visit.page.route("**/v1/models", lambda route: route.abort(), times=1)
        visit.page.reload()
        again = visit.page.get_by_role("button", name="Try again")
        again.evaluate("button => { button.click(); button.click(); }")  # before the server can answer the first
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.find("Zoloric")
        visit.row("Zoloric").wait_for()
        assert visit.page.locator("#dn-models input").count() == 3
        assert visit.page.locator(".dn-panel").count() == 1

    def test_a_double_click_on_try_again_touches_nothing_else(self, visit: PageVisit) -> None:
        visit.page.route("**/v1/models", lambda route: route.abort(), times=1)
        visit.page.reload()
        again = visit.page.get_by_role("button", name="Try again")
        again.click()  # which leaves the pointer where a model will stand
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.page.mouse.down(click_count=2)
        visit.page.mouse.up(click_count=2)
        first = visit.page.get_by_role("checkbox", name="first")
        expect(first).to_be_checked()
        visit.page.mouse.down()
        visit.page.mouse.up()
        expect(first).not_to_be_checked()

    def test_a_server_with_other_models_is_asked_for_them(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        visit.page.route("**/v1/extract", refusal(404, "unknown-model"), times=1)
        visit.page.fill("#dn-text", "Zoloric")
        visit.page.keyboard.press("Control+Enter")
        with visit.page.expect_request("**/v1/models"):
            visit.page.get_by_role("button", name="Try again").click()
        visit.row("Zoloric").wait_for()

    def test_what_a_proxy_says_is_told(self, visit: PageVisit) -> None:
        visit.page.route("**/v1/extract", lambda route: route.fulfill(status=502, body="<h1>Bad</h1>"), times=1)
        visit.page.fill("#dn-text", "Zoloric")
        visit.page.keyboard.press("Control+Enter")
        assert "The server answered 502" in visit.problem()

    def test_a_key_is_asked_for_and_not_kept(self, browser: Browser) -> None:
        with listening(create_app(Catalogue({"first": FIRST}), keys=Keys([KEY]))) as address:
            visit = PageVisit(browser, address)
            visit.page.locator("#dn-key:focus").wait_for()
            assert "This server needs an API key." in visit.problem()
            visit.page.fill("#dn-text", "Zoloric")
            visit.page.fill("#dn-key", f"{KEY}\u200b")
            visit.page.keyboard.press("Enter")
            assert "letters" in visit.page.locator("#dn-key").evaluate("key => key.validationMessage")
            visit.page.fill("#dn-key", "no")
            visit.page.keyboard.press("Enter")
            expect(visit.page.locator("#dn-problem")).to_contain_text("This key is not one of the server's.")
            visit.page.fill("#dn-key", f" {KEY} ")
            visit.page.keyboard.press("Enter")
            visit.row("Zoloric").wait_for()
            assert visit.page.locator("#dn-text").evaluate("field => field === document.activeElement")
            assert visit.page.locator("#dn-key-form").is_hidden()
            assert visit.page.input_value("#dn-key") == ""
            kept = "() => [localStorage.length, sessionStorage.length, document.cookie, location.href]"
            assert visit.page.evaluate(kept) == [0, 0, "", address]
            with visit.page.expect_navigation():  # nor does the history keep it
                visit.page.evaluate("() => { dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })) }")
            visit.page.locator("#dn-key-form:visible").wait_for()
            assert visit.page.input_value("#dn-text") == ""
            visit.close()


class TestLongText:
    def test_five_thousand_words_can_be_worked_with(self, visit: PageVisit) -> None:
        text = f"{TEXT} Nothing else was seen there.\n" * 220
        assert len(text.split()) > 4_900
        visit.find(text)
        expect(visit.page.locator("tbody tr")).to_have_count(5 * 220)
        last = visit.page.locator("tbody tr").last
        last.click()
        assert visit.chosen() == {str(5 * 220 - 1)}
        expect(visit.parts(5 * 220 - 1).first).to_be_in_viewport()
        stepping = visit.page.locator(".dn-alone").count()
        assert 0 < stepping < visit.page.locator(".dn-text > *").count() / 4  # only what is in view is styled anew
        visit.page.locator(".dn-drawing").evaluate("frame => { frame.scrollTop = 0 }")
        expect(visit.page.locator(".dn-text > *").first).to_have_class(re.compile("dn-alone"))
        visit.page.locator("#dn-text").press("Control+End")
        visit.page.keyboard.type("Zoloric")
        assert visit.page.input_value("#dn-text") == f"{text}Zoloric"
        expect(visit.page.locator("tbody tr")).to_have_count(5 * 220 + 1)

    def test_many_lines_are_opened_at_once(self, visit: PageVisit) -> None:
        visit.page.locator("#dn-run:enabled").wait_for()
        with visit.answer():
            visit.drop(("lines.txt", b"a\n" * 5_000))
        assert len(visit.page.input_value("#dn-text")) == 10_000


UNNAMED = """() => [...document.querySelectorAll("button, input, textarea, select, a, [role=grid], [role=group]")]
    .filter(control => control.checkVisibility())
    .filter(control => !(control.getAttribute("aria-label") || control.textContent.trim() || control.labels?.length))
    .map(control => control.outerHTML)"""

LOW_CONTRAST = """() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const channels = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data] };
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
        .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, place) => sum + c * [.2126, .7152, .0722][place], 0);
    const ground = part => { for (; part; part = part.parentElement) {
        const colour = channels(getComputedStyle(part).backgroundColor); if (colour[3] === 255) return colour }
        return [255, 255, 255] };
    return [...document.querySelectorAll("body *")].filter(part => part.checkVisibility() && !part.disabled &&
            [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
        .map(part => { const [one, two] = [light(channels(getComputedStyle(part).color)), light(ground(part))];
            return [(Math.max(one, two) + .05) / (Math.min(one, two) + .05), part.outerHTML.slice(0, 200)] })
        .filter(([contrast]) => contrast < 4.5) }"""


class TestEverybody:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_controls_have_names_and_words_have_contrast(
        self, visit: PageVisit, scheme: Literal["light", "dark"]
    ) -> None:
        visit.open("#model=first&model=second&threshold=0.2", scheme=scheme)
        visit.find(TEXT)
        expect(visit.page.locator(".dn-panel")).to_have_count(2)
        assert visit.page.evaluate(UNNAMED) == []
        assert visit.page.evaluate(LOW_CONTRAST) == []
        ids = visit.page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
        assert len(ids) == len(set(ids))
        for role in ("banner", "main", "navigation"):
            assert visit.page.get_by_role(role).count() == 1
        assert visit.page.get_by_role("heading", level=1).count() == 1
        assert visit.page.get_by_role("region", name="Mentions", exact=True).count() == 1
        assert visit.page.get_by_role("grid", name="second").get_by_role("row").count() == 1 + 2
        assert visit.page.get_by_role("slider", name="Threshold").get_attribute("aria-valuetext") == "0.20"

    def test_everything_is_reached_with_the_tab_key(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        visit.parts(0).first.wait_for()
        visit.page.evaluate("() => document.activeElement.blur()")
        focused = (
            "() => { const { id, className, tagName } = document.activeElement; return id || className || tagName }"
        )
        reached = []
        for _ in range(30):
            visit.page.keyboard.press("Tab")
            reached.append(visit.page.evaluate(focused))
        wanted = "dn-skip dn-text dn-run dn-example dn-files dn-threshold dn-link dn-chip dn-drawing dn-sorter dn-copy"
        assert [name for name in wanted.split() if not any(name in one for one in reached)] == []
        assert "TR" in reached or any(one.startswith("dn-hue") for one in reached)

    def test_nothing_is_wider_than_a_phone(self, visit: PageVisit) -> None:
        visit.open(f"#model=first&model={quote(HOSTILE)}", width=390)
        visit.find(f"{TEXT} {'Zoloric' * 30}")
        expect(visit.page.locator(".dn-panel")).to_have_count(2)
        assert visit.page.evaluate("() => document.documentElement.scrollWidth") == 390
        narrow = "all => all.filter(one => one.getBoundingClientRect().right > innerWidth + 1).length"
        assert visit.page.locator("main button, main td, main p").evaluate_all(narrow) == 0

    def test_text_from_right_to_left_stays_so(self, visit: PageVisit) -> None:
        text = "כאב ראש Zoloric חזק"
        visit.find(text)
        visit.parts(0).first.wait_for()
        assert visit.page.locator(".dn-text").inner_text() == text
        box, frame = box_of(visit.parts(0).first), box_of(visit.page.locator(".dn-text"))
        assert box["x"] > frame["x"] + frame["width"] / 2

    def test_on_paper_there_are_only_the_mentions(self, visit: PageVisit) -> None:
        visit.find(TEXT)
        visit.parts(0).first.wait_for()
        visit.page.emulate_media(media="print")
        assert visit.page.locator("#dn-text").is_hidden()
        assert visit.parts(0).first.is_visible()
        assert visit.page.locator("tbody tr").first.is_visible()

    def test_without_a_script_it_says_what_is_missing(self, browser: Browser, address: str) -> None:
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(address)
        assert page.locator("noscript").is_visible()
        context.close()

    def test_its_modules_are_fetched_at_once(self, visit: PageVisit) -> None:
        preloaded = visit.page.locator("link[rel='modulepreload']").evaluate_all("all => all.map(one => one.href)")
        scripts = ("/page.js", "/drawing-lines.js")  # which the page names itself
        fetched = [url for url in visit.requests if url.endswith(".js") and not url.endswith(scripts)]
        assert sorted(preloaded) == sorted(fetched)

    def test_it_says_where_text_goes_and_nothing_keeps_it(self, visit: PageVisit) -> None:
        assert "this server only" in visit.page.locator("#dn-privacy").inner_text()
        for name, value in (("autocomplete", "off"), ("spellcheck", "false"), ("translate", "no")):
            assert visit.page.get_attribute("#dn-text", name) == value
        visit.find("Zoloric for Jane")
        visit.row("Zoloric").wait_for()
        assert "Jane" not in visit.page.title() + visit.page.url
        assert all("Jane" not in url for url in visit.requests)
        assert visit.page.evaluate("() => localStorage.length + sessionStorage.length") == 0
