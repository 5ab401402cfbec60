"""A text with its mentions as inline elements, each of which draws its own lane under the text."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil

from disconer.document import Document, Mention
from disconer.drawing.characters import character_edges, columns, whole_characters
from disconer.drawing.lanes import assign_lanes
from disconer.drawing.looks import Looks, score_text
from disconer.drawing.slices import Slice, cut_where_crossing
from disconer.drawing.style import LANES
from disconer.spans import Span

# How many columns of text a column of a tag, whose type is small but bold, may cover; and the widest tag.
_TEXT_A_COLUMN = 0.85
_WIDEST_TAG = 24

_FIRST_WORD = re.compile(r"\S+")


def escaped(text: str) -> str:
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
    return f' data-mention="{number}" data-label="{escaped(mention.label)}"{score}'


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

    def opening(self, piece: Slice) -> str:
        """Write the start tag of what is left of the stretch where others cross it."""
        opens = " dn-opens" if piece.start == self.start else ""
        closes = " dn-closes" if piece.end == self.end else ""
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
        """Give what draws the fragments and the gaps between them."""
        classes = f"{look_classes(self.mention.label, looks)} dn-lane-{lane}"
        title = escaped(f"{self.mention.label} {score_text(self.mention)}".rstrip())
        attributes = f'{mention_attributes(self.number, self.mention)} title="{title}"'
        for start, end in self.fragments:
            yield Element(start, end, f"dn-part {classes}", attributes)
        for (_, end), (start, _) in pairwise(self.fragments):
            if end < start:
                yield Element(end, start, f"dn-gap {classes}", attributes)

    def names(self, lane: int, looks: Looks, text: str, borders: list[int]) -> Iterator[Element]:
        """Give what names the fragments, each around a first word: that is sure to lie in one line of the drawing."""
        classes = f"dn-tag {look_classes(self.mention.label, looks)} dn-lane-{lane}"
        attributes = mention_attributes(self.number, self.mention)
        for tag in self.tags:
            border = borders[bisect_right(borders, tag.start)]
            word = _FIRST_WORD.match(text, tag.start, border)
            end = word.end() if word else border
            yield Element(tag.start, end, classes, f'{attributes} data-tag="{escaped(tag.words)}"')


def marked_text(document: Document, looks: Looks) -> tuple[str, int]:
    """Write a document's text with its mentions drawn under it, and say how many lay too deep to be drawn."""
    text, edges = document.text, character_edges(document.text)
    mentions = [_drawn(number, mention, text, edges) for number, mention in enumerate(document.mentions)]
    mentions.sort(key=lambda drawn: drawn.extent)
    lanes = assign_lanes([drawn.extent for drawn in mentions])
    shown = [(drawn, lane) for drawn, lane in zip(mentions, lanes, strict=True) if lane < LANES]
    borders = sorted({offset for drawn, _ in shown for fragment in drawn.fragments for offset in fragment})
    elements = [line for drawn, lane in shown for line in drawn.lines(lane, looks)]
    elements += _rooms(shown, borders)
    elements += [name for drawn, lane in shown for name in drawn.names(lane, looks, text, borders)]
    return "".join(_nested(text, elements)), len(mentions) - len(shown)


def _drawn(number: int, mention: Mention, text: str, edges: list[int]) -> DrawnMention:
    """Name the first fragment by its label, and each further one by its number where the tag before leaves room."""
    fragments = whole_characters(mention.fragments, edges)
    count = len(fragments)
    part = f"1/{count}" if count > 1 else ""
    tags: list[Tag] = []
    for index, (start, _) in enumerate(fragments):
        words = f"{index + 1}/{count}" if tags else " ".join(filter(None, (mention.label, part, score_text(mention))))
        if not tags or tags[-1].end <= start:
            tags.append(Tag(start, _covered(text, start, words), words))
    return DrawnMention(number, mention, fragments, tags)


def _covered(text: str, start: int, words: str) -> int:
    """Give the offset up to which a tag may reach under the text."""
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


def _nested(text: str, elements: list[Element]) -> Iterator[str]:
    """Write the text with elements around its stretches."""
    position = 0
    opened: list[int] = []  # where the elements that are open end
    for piece in (*cut_where_crossing([(element.start, element.end) for element in elements]), None):
        start = len(text) if piece is None else piece.start
        while opened and opened[-1] <= start:
            end = opened.pop()
            yield f"{escaped(text[position:end])}</span>"
            position = end
        yield escaped(text[position:start])
        position = start
        if piece is not None:
            yield elements[piece.index].opening(piece)
            opened.append(piece.end)
