"""Documents as HTML: the text wraps as the browser likes, and every mention has a lane under it.

There is no picture, and a figure needs no measuring. The text is cut where fragments begin and end, and each stretch is
an inline element whose lower border is its mention's lane: thick under a fragment, thin and hanging under a gap. What
comes from data is escaped. Labels are generated content, so that text which is copied out of a page is the text.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil

from disconer.document import Document, Mention
from disconer.drawing.lanes import Slice, assign_lanes, cut_where_crossing
from disconer.drawing.looks import (
    LANES,
    Look,
    Looks,
    content_security_policy,
    gapped_text,
    page_style_sheet,
    score_text,
    script,
    style_sheet,
)
from disconer.foundation.characters import character_edges, columns, whole_characters
from disconer.foundation.spans import Span
from disconer.foundation.wording import count_of

_LISTED_CHARACTERS = 200  # of a mention's text
# How many columns of text a column of a tag, whose type is small but bold, may cover; and the widest tag.
_TEXT_A_COLUMN = 0.85
_WIDEST_TAG = 24

_FIRST_WORD = re.compile(r"\S+")


def figure(document: Document, labels: Iterable[str] | Looks = ()) -> str:
    """Draw a document as an element of a page that has the style sheet.

    Documents that are drawn with the same `labels` have the same colour for each. The elements of a mention carry its
    place among the document's mentions, its label and its score: `data-mention`, `data-label`, `data-score`.
    """
    return _figure(document, labels if isinstance(labels, Looks) else Looks(labels))


def standalone_figure(document: Document, labels: Iterable[str] = ()) -> str:
    """Draw a document together with its style, say for a notebook."""
    return f"<style>{style_sheet()}</style>{figure(document, labels)}"


def page(documents: Iterable[Document], title: str, labels: Iterable[str] = ()) -> Iterator[str]:
    """Draw documents as a page of their own, part by part, one document at a time.

    The legend comes last, when all labels are known, and sticks to the lower edge of the window. It names the labels
    that were found, each of which can be switched off, and lists the documents if there are several.
    """
    looks = Looks(labels)
    used: set[str] = set()
    entries: list[str] = []
    yield f"{page_start(title, page_style_sheet(), script())}<main>\n"
    for number, document in enumerate(documents, start=1):
        used.update(mention.label for mention in document)
        anchor = f"dn-document-{number}"
        entries.append(_entry(document, number, anchor))
        yield _figure(document, looks, anchor)
    yield f"</main>\n{_legend(looks, used, entries)}<script>{script()}</script>\n</body>\n</html>\n"


def page_start(title: str, style: str, script: str = "") -> str:
    """Write the beginning of a page with text from data, up to its heading; the first line says what it contains.

    Only this style and this script will work on it.
    """
    return f"""\
<!DOCTYPE html><!-- This page contains source text, which may be private. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{content_security_policy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape_html(title)}</title>
<style>{style}</style>
</head>
<body class="dn-page">
<header>
<p class="dn-notice">This page contains source text, which may be private.</p>
<h1>{escape_html(title)}</h1>
</header>
"""


def _figure(document: Document, looks: Looks, anchor: str = "") -> str:
    caption = "" if document.id is None else f"<figcaption><bdi>{escape_html(str(document.id))}</bdi></figcaption>\n"
    text, undrawn = draw_text(document, looks)
    place = f' id="{anchor}"' if anchor else ""
    return (
        f'<figure class="dn-figure"{place}>\n{caption}<div class="dn-text" dir="auto" lang="">{text}</div>\n'
        f"{_list(document, undrawn, looks)}</figure>\n"
    )


def _list(document: Document, undrawn: int, looks: Looks) -> str:
    """Write the mentions as a list that opens at a click, for those who cannot see the drawing or want offsets."""
    if not document.mentions:
        return ""
    count = count_of(len(document), "mention")
    note = f", {undrawn:,} of them too deep to be drawn" if undrawn else ""
    items = "".join(_item(number, mention, looks) for number, mention in enumerate(document.mentions))
    return f'<details class="dn-list"><summary>{count}{note}</summary>\n<ol>\n{items}</ol>\n</details>\n'


def _item(number: int, mention: Mention, looks: Looks) -> str:
    text = gapped_text(mention)
    if len(text) > _LISTED_CHARACTERS:
        text = f"{text[:_LISTED_CHARACTERS]} …"
    places = ", ".join(f"{start}–{end}" for start, end in mention.fragments)
    score = "" if mention.score is None else f" · score {score_text(mention)}"
    return (
        f'<li class="{look_classes(mention.label, looks)}"{mention_attributes(number, mention)}>'
        f"<b><bdi>{escape_html(mention.label)}</bdi></b> <bdi>{escape_html(text)}</bdi> "
        f"<small>{places}{score}</small></li>\n"
    )


def _entry(document: Document, number: int, anchor: str) -> str:
    """Write a document's line of the index."""
    name = escape_html(str(document.id) if document.id not in (None, "") else f"document {number}")
    count = count_of(len(document), "mention")
    return f'<li><a href="#{anchor}"><bdi>{name}</bdi></a> <small>{count}</small></li>\n'


def _legend(looks: Looks, used: Iterable[str], entries: list[str]) -> str:
    by_look: dict[Look, list[str]] = {}
    for label in sorted(used):
        by_look.setdefault(looks[label], []).append(label)
    items = "".join(_switch(own, looks) for own in by_look.values())
    labels = f'<ul aria-label="Labels">\n{items}</ul>' if items else ""
    index = f"<summary>{count_of(len(entries), 'document')}</summary>\n<ol>\n{''.join(entries)}</ol>\n"
    documents = f'<details class="dn-index">{index}</details>\n' if len(entries) > 1 else ""
    return f'<footer class="dn-legend">{documents}{labels}</footer>\n' if labels or documents else ""


def _switch(labels: list[str], looks: Looks) -> str:
    """Write the labels of one look, which is nearly always one label, with a box that switches them off."""
    look = looks[labels[0]]
    box = f'<input type="checkbox" class="dn-show-{look.hue}-{look.stroke}" checked>'
    names = ", ".join(f"<bdi>{escape_html(label)}</bdi>" for label in labels)
    return f'<li class="{look_classes(labels[0], looks)}"><label>{box} {names}</label></li>\n'


def escape_html(text: str) -> str:
    """Make text harmless in HTML, inside and outside of attributes, and keep it whole.

    HTML turns a carriage return into a line feed unless it is written out, and has no way to hold a NUL at all.
    """
    return escape(text).replace("\r", "&#13;").replace("\0", "\ufffd")


def look_classes(label: str, looks: Looks) -> str:
    """Name the classes that give an element the hue and the stroke of a label."""
    look = looks[label]
    return f"dn-hue-{look.hue} dn-stroke-{look.stroke}"


def mention_attributes(number: int, mention: Mention) -> str:
    """Write what scripts and style sheets can find a mention's elements by."""
    score = "" if mention.score is None else f' data-score="{mention.score}"'
    return f' data-mention="{number}" data-label="{escape_html(mention.label)}"{score}'


@dataclass(frozen=True, slots=True)
class Tag:
    """What stands under the beginning of a fragment: the offsets of the text that it may cover, and what it says."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Element:
    """A stretch of the text and the element around it."""

    start: int
    end: int
    classes: str
    attributes: str = ""

    def opening(self, part: Slice) -> str:
        """Write the start tag of what is left of the stretch where others cross it."""
        opens = " dn-opens" if part.start == self.start else ""
        closes = " dn-closes" if part.end == self.end else ""
        return f'<span class="{self.classes}{opens}{closes}"{self.attributes}>'


@dataclass(frozen=True, slots=True)
class DrawnMention:
    """A mention as it is drawn: in whole characters, and with tags where there is room for them."""

    number: int
    mention: Mention
    fragments: list[Span]
    tags: list[Tag]

    @property
    def extent(self) -> Span:
        return self.fragments[0][0], max(self.fragments[-1][1], self.tags[-1].end)

    def lines(self, lane: int, looks: Looks) -> Iterator[Element]:
        """Yield the elements that draw the fragments and the gaps between them."""
        classes = f"{look_classes(self.mention.label, looks)} dn-lane-{lane}"
        title = escape_html(f"{self.mention.label} {score_text(self.mention)}".rstrip())
        attributes = f'{mention_attributes(self.number, self.mention)} title="{title}"'
        for start, end in self.fragments:
            yield Element(start, end, f"dn-part {classes}", attributes)
        for (_, end), (start, _) in pairwise(self.fragments):
            if end < start:
                yield Element(end, start, f"dn-gap {classes}", attributes)

    def names(self, lane: int, looks: Looks, text: str, borders: list[int]) -> Iterator[Element]:
        """Yield the elements that name the fragments, each around a first word, which never wraps."""
        classes = f"dn-tag {look_classes(self.mention.label, looks)} dn-lane-{lane}"
        attributes = mention_attributes(self.number, self.mention)
        for tag in self.tags:
            border = borders[bisect_right(borders, tag.start)]
            word = _FIRST_WORD.match(text, tag.start, border)
            end = word.end() if word else border
            yield Element(tag.start, end, classes, f'{attributes} data-tag="{escape_html(tag.words)}"')


def draw_text(document: Document, looks: Looks) -> tuple[str, int]:
    """Write a document's text with its mentions drawn under it, and say how many lay too deep to be drawn."""
    text, edges = document.text, character_edges(document.text)
    mentions = [_lay_out(number, mention, text, edges) for number, mention in enumerate(document.mentions)]
    mentions.sort(key=lambda drawn: drawn.extent)
    lanes = assign_lanes([drawn.extent for drawn in mentions])
    shown = [(drawn, lane) for drawn, lane in zip(mentions, lanes, strict=True) if lane < LANES]
    borders = sorted({offset for drawn, _ in shown for fragment in drawn.fragments for offset in fragment})
    elements = [line for drawn, lane in shown for line in drawn.lines(lane, looks)]
    elements += _rooms(shown, borders)
    elements += [name for drawn, lane in shown for name in drawn.names(lane, looks, text, borders)]
    return "".join(_nest(text, elements)), len(mentions) - len(shown)


def _lay_out(number: int, mention: Mention, text: str, edges: list[int]) -> DrawnMention:
    """Name the first fragment by its label, and each further one by its number where the tag before leaves room."""
    fragments = whole_characters(mention.fragments, edges)
    count = len(fragments)
    part = f"1/{count}" if count > 1 else ""
    tags: list[Tag] = []
    for index, (start, _) in enumerate(fragments):
        words = f"{index + 1}/{count}" if tags else " ".join(filter(None, (mention.label, part, score_text(mention))))
        if not tags or tags[-1].end <= start:
            tags.append(Tag(start, _tag_end(text, start, words), words))
    return DrawnMention(number, mention, fragments, tags)


def _tag_end(text: str, start: int, words: str) -> int:
    """Compute the offset up to which a tag may reach under the text."""
    room = min(_WIDEST_TAG, ceil(_TEXT_A_COLUMN * columns(words))) + 1
    end = start
    while room > 0 and end < len(text):
        room -= columns(text[end])
        end += 1
    return end


def _rooms(shown: list[tuple[DrawnMention, int]], borders: list[int]) -> Iterator[Element]:
    """Make room for the lanes under each stretch of text between two borders."""
    begins, ends = defaultdict(set), defaultdict(set)
    for drawn, lane in shown:
        begins[drawn.fragments[0][0]].add(lane)
        ends[drawn.fragments[-1][1]].add(lane)
    lanes: set[int] = set()
    for start, end in pairwise(borders):
        lanes = lanes - ends[start] | begins[start]
        if lanes:
            yield Element(start, end, f"dn-room dn-lane-{max(lanes)}")
            yield Element(start, end, f"dn-lift dn-lane-{max(lanes)}")


def _nest(text: str, elements: list[Element]) -> Iterator[str]:
    """Write the text with elements around its stretches."""
    position = 0
    opened: list[int] = []  # where the elements that are open end
    for part in (*cut_where_crossing([(element.start, element.end) for element in elements]), None):
        start = len(text) if part is None else part.start
        while opened and opened[-1] <= start:
            end = opened.pop()
            yield f"{escape_html(text[position:end])}</span>"
            position = end
        yield escape_html(text[position:start])
        position = start
        if part is not None:
            yield elements[part.index].opening(part)
            opened.append(part.end)
