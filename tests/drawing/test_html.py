import re
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import given

from disconer import Document, Mention
from disconer.drawing.html import figure, page
from disconer.drawing.looks import LANES, Looks, page_style_sheet, script, style_sheet
from disconer.tokenize import Layout
from tests.strategies import documents

TEXT = "Severe joint, shoulder and upper body pain."
HOSTILE = "<script>alert(1)</script>\"' onload=x></div>&amp;"
VOID = {"input", "meta"}

Attributes = dict[str, str | None]


class Drawing(HTMLParser):
    """What a browser makes of the markup: every element, the drawn text, and what lies over each of its characters."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.texts: Counter[str] = Counter()
        self.text = ""
        self.over: list[list[Attributes]] = []
        self.stack: list[tuple[str, Attributes]] = []
        self.feed(markup)
        self.close()
        assert not self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        self.texts[self.stack[-1][0] if self.stack else ""] += len(data)
        if any("dn-text" in classes(attributes) for _, attributes in self.stack):
            self.text += data
            self.over += [[attributes for tag, attributes in self.stack if tag == "span"]] * len(data)

    def handle_comment(self, data: str) -> None:
        assert data == " This page contains source text, which may be private. "  # and no other

    def covered(self, number: int, kind: str) -> list[int]:
        """Collect the offsets under which elements of that kind belong to a mention."""
        return [
            offset
            for offset, elements in enumerate(self.over)
            for element in elements
            if element.get("data-mention") == str(number) and kind in classes(element)
        ]

    def tags(self, number: int) -> list[str | None]:
        found = [element for _, element in self.elements if "dn-tag" in classes(element)]
        return [element["data-tag"] for element in found if element["data-mention"] == str(number)]


def classes(attributes: Attributes) -> list[str]:
    return (attributes.get("class") or "").split()


def as_html_holds_it(text: str) -> str:
    return text.replace("\0", "\ufffd")


class TestFigure:
    @given(documents())
    def test_the_text_survives_and_the_tags_nest(self, document: Document) -> None:
        assert Drawing(figure(document)).text == as_html_holds_it(document.text)

    @given(documents())
    def test_every_mention_is_drawn_over_its_own_characters(self, document: Document) -> None:
        drawing = Drawing(figure(document))
        for number, mention in enumerate(document):
            parts, gaps = drawing.covered(number, "dn-part"), drawing.covered(number, "dn-gap")
            wanted = [offset for fragment in mention.fragments for offset in range(*fragment)]
            assert sorted(parts + gaps) == list(range(min(parts), max(parts) + 1))
            assert set(wanted) <= set(parts)
            if document.text.isascii() and "\r\n" not in document.text:  # every character stands for itself
                assert parts == wanted

    @given(documents())
    def test_what_lies_over_one_character_lies_in_different_lanes(self, document: Document) -> None:
        for elements in Drawing(figure(document)).over:
            drawn = [element for element in elements if {"dn-part", "dn-gap"} & set(classes(element))]
            lanes = [name for element in drawn for name in classes(element) if name.startswith("dn-lane-")]
            assert len(lanes) == len(drawn) == len(set(lanes))
            room = [name for element in elements if "dn-room" in classes(element) for name in classes(element)]
            depth = max((int(lane.removeprefix("dn-lane-")) for lane in lanes), default=None)
            assert room == ([] if depth is None else ["dn-room", f"dn-lane-{depth}", "dn-opens", "dn-closes"])

    @given(documents())
    def test_every_mention_is_listed_with_what_it_says(self, document: Document) -> None:
        items = [attributes for tag, attributes in Drawing(figure(document)).elements if tag == "li"]
        assert len(items) == len(document)
        for number, (item, mention) in enumerate(zip(items, document, strict=True)):
            assert item["data-mention"] == str(number)
            assert item["data-label"] == as_html_holds_it(mention.label)
            assert item.get("data-score") == (None if mention.score is None else str(mention.score))

    @given(documents())
    def test_there_are_no_elements_and_attributes_but_our_own(self, document: Document) -> None:
        for tag, attributes in Drawing(figure(document)).elements:
            assert tag in {"b", "bdi", "details", "div", "figcaption", "figure", "li", "ol", "small", "span", "summary"}
            data = {"data-mention", "data-label", "data-score", "data-tag"}
            assert set(attributes) <= {"class", "dir", "lang", "title"} | data

    def test_hostile_labels_texts_and_ids_stay_what_they_are(self) -> None:
        document = Document(HOSTILE, [(HOSTILE, [(0, 8), (12, 20)])], id=HOSTILE)
        markup = figure(document)
        assert "<script" not in markup
        drawing = Drawing(markup)
        assert drawing.text == HOSTILE
        assert drawing.tags(0) == [f"{HOSTILE} 1/2"]
        assert drawing.texts["bdi"] == 2 * len(HOSTILE) + len("<script> … t(1)</sc")

    def test_line_breaks_blanks_and_half_characters_survive(self) -> None:
        text = "one\r\ntwo\rthree\n\tfour  five \u202e👩\u200d⚕️ e\u0301\0"
        document = Document(text, [("A", [(4, 12), (26, 28)]), ("B", [(32, 33)])])
        assert Drawing(figure(document)).text == as_html_holds_it(text)

    def test_fragments_are_named_and_numbered_and_scores_are_shown(self) -> None:
        document = Document(Layout(TEXT))
        long = Mention("ADR", [(0, 6), (14, 22), (38, 42)], document.layout, 0.914)
        drawing = Drawing(figure(document.with_mentions([long, Mention("Site", [(7, 12)], document.layout)])))
        assert drawing.tags(0) == ["ADR 1/3 0.91", "2/3", "3/3"]
        assert drawing.tags(1) == ["Site"]
        titles = {e.get("title") for _, e in drawing.elements if e.get("data-mention") == "0"} - {None}
        assert titles == {"ADR 0.91"}

    def test_a_tag_without_room_is_left_out(self) -> None:
        assert Drawing(figure(Document("a b c", [("Condition", [(0, 1), (4, 5)])]))).tags(0) == ["Condition 1/2"]

    def test_mentions_whose_names_would_collide_lie_in_different_lanes(self) -> None:
        drawing = Drawing(figure(Document("no pain", [("Negation", [(0, 2)]), ("Condition", [(3, 7)])])))
        lanes = {tuple(classes(e))[-3] for _, e in drawing.elements if "dn-tag" in classes(e)}
        assert lanes == {"dn-lane-0", "dn-lane-1"}

    def test_the_labels_given_decide_on_colours(self) -> None:
        labels = [f"label {number}" for number in range(12)]
        for label in labels:
            look = Looks(labels)[label]
            markup = figure(Document("pain", [(label, [(0, 4)])]), labels)
            assert f"dn-part dn-hue-{look.hue} dn-stroke-{look.stroke} " in markup

    @pytest.mark.parametrize("text", ["", "No mention here."])
    def test_without_mentions_there_is_only_the_text(self, text: str) -> None:
        drawing = Drawing(figure(Document(text)))
        assert drawing.text == text
        assert [tag for tag, _ in drawing.elements] == ["figure", "div"]

    def test_what_lies_too_deep_is_counted_and_listed(self) -> None:
        text = "x" * (LANES + 3)
        markup = figure(Document(text, [("A", [(start, len(text))]) for start in range(LANES + 3)]))
        assert f"{LANES + 3} mentions, 3 of them too deep to be drawn" in markup
        assert markup.count("<li ") == LANES + 3
        assert f"dn-lane-{LANES}" not in markup

    def test_markup_grows_with_text_and_mentions_and_no_faster(self) -> None:
        def size(mentions: int) -> int:
            text = "word " * mentions * 4
            every = [("A", [(start, start + 4), (start + 15, start + 30)]) for start in range(0, len(text) - 40, 20)]
            return len(figure(Document(text, [("Whole", [(0, len(text) - 1)]), *every])))

        assert size(400) < 2.2 * size(200)


class TestPage:
    DOCUMENTS = (Document(TEXT, [("ADR", [(0, 12), (38, 42)])], id="one & two"), Document("", id=7), Document("Fine."))

    def test_it_holds_all_documents_with_their_ids(self) -> None:
        markup = "".join(page(self.DOCUMENTS, "A <title>"))
        drawing = Drawing(markup)
        assert drawing.text == TEXT + "Fine."
        assert sum(tag == "figure" for tag, _ in drawing.elements) == 3
        assert "<bdi>one &amp; two</bdi>" in markup
        assert "<title>A &lt;title&gt;</title>" in markup
        assert markup.startswith("<!DOCTYPE html><!-- This page contains source text")
        assert '<html lang="en">' in markup
        assert 'name="viewport"' in markup

    def test_the_first_line_says_that_there_is_source_text(self) -> None:
        body = "".join(page(self.DOCUMENTS, "Title")).partition("<body")[2]
        assert "contains source text" in body.partition("</p>")[0]

    def test_the_policy_allows_this_style_sheet_this_script_and_nothing_else(self) -> None:
        drawing = Drawing("".join(page(self.DOCUMENTS, HOSTILE)))
        (policy,) = (e["content"] for tag, e in drawing.elements if e.get("http-equiv") == "Content-Security-Policy")
        style, lines = (
            f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'" for part in (page_style_sheet(), script())
        )
        allowed = f"style-src {style}; script-src {lines}; base-uri 'none'; form-action 'none'"
        assert policy == f"default-src 'none'; {allowed}"
        assert not any(tag in {"link", "img"} or "style" in e for tag, e in drawing.elements)
        assert sum(tag == "script" for tag, _ in drawing.elements) == 1
        assert "url(" not in page_style_sheet()

    def test_the_style_sheet_cannot_end_its_element(self) -> None:
        assert "</" not in page_style_sheet() + script()

    def test_the_legend_names_every_label_that_was_found_once(self) -> None:
        documents = [Document("pain", [("A<b>", [(0, 4)])]), Document("pain", [("A<b>", [(0, 4)]), ("C", [(0, 4)])])]
        legend = "".join(page(documents, "Title", labels=["Unused"])).partition("<footer")[2]
        labels = legend.partition('aria-label="Labels"')[2]
        assert re.findall("<bdi>(.*?)</bdi>", labels) == ["A&lt;b&gt;", "C"]
        assert labels.count('type="checkbox"') == 2

    def test_several_documents_have_an_index(self) -> None:
        drawing = Drawing("".join(page(self.DOCUMENTS, "Title")))
        links = [element["href"] for tag, element in drawing.elements if tag == "a"]
        assert links == [f"#{element['id']}" for tag, element in drawing.elements if tag == "figure"]
        assert len(links) == 3
        assert not any(tag == "a" for tag, _ in Drawing("".join(page(self.DOCUMENTS[:1], "Title"))).elements)

    def test_documents_are_drawn_as_they_come(self) -> None:
        drawn = []

        def stream() -> Iterator[Document]:
            for document in self.DOCUMENTS:
                drawn.append(document)
                yield document

        parts = page(stream(), "Title")
        assert next(parts)
        assert drawn == []
        assert "one &amp; two" in next(parts)
        assert len(drawn) == 1


class TestNotebook:
    def test_a_document_draws_itself_with_its_style(self) -> None:
        document = Document(TEXT, [("ADR", [(0, 12), (38, 42)])])
        assert document._repr_html_() == f"<style>{style_sheet()}</style>{figure(document)}"

    def test_the_style_touches_nothing_but_the_drawing(self) -> None:
        rules = [rule.partition("{")[0].strip() for rule in style_sheet().replace("*/", "}").split("}")]
        selectors = [s for rule in rules if rule and rule[0] not in "/@" for s in re.split(r", (?=[^()]*$)", rule)]
        assert len(selectors) > LANES
        assert all(selector.startswith(".dn-") for selector in selectors)

    def test_documents_do_not_need_the_drawing(self) -> None:
        code = "import sys, disconer; print([name for name in sys.modules if name.startswith('disconer.drawing')])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "[]\n"
