"""Documents in a terminal: the text in lines, and under each line the mentions that it holds a part of."""

import os
import re
import unicodedata
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TextIO

from disconer.document import Document, Mention
from disconer.drawing.lanes import assign_lanes
from disconer.drawing.looks import HUES, Looks, score_text
from disconer.foundation.characters import character_edges, columns, printable, whole_characters
from disconer.foundation.progress import is_capable
from disconer.foundation.spans import Span
from disconer.tokenize.sentences import LINE_BREAK

_NARROWEST = 10
_RUN = re.compile("─+|┄+")
_TAB = " " * 4
_JOINERS = "\u200c\u200d"  # invisible, but how emoji are composed and Persian is spelled


def wants_colour(stream: TextIO) -> bool:
    """Tell whether a stream is to have colours: NO_COLOR says no, FORCE_COLOR yes, else it takes a terminal.

    Colours only ever repeat what words and lines say.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_capable(stream)


def draw(document: Document, width: int, colour: bool, labels: Iterable[str] | Looks = ()) -> str:
    """Draw a document in lines of at most that many columns (ten at least).

    A mention that goes on from an earlier line has `…` before its label. Documents that are drawn with the same
    `labels`, or looks, have the same colour for each.

    >>> text = "Severe joint and shoulder pain."
    >>> print(draw(Document(text, [("ADR", [(0, 12), (26, 30)]), ("ADR", [(0, 6), (17, 30)])]), 40, colour=False))
    Severe joint and shoulder pain.
    ╰──────────╯┄┄┄┄┄┄┄┄┄┄┄┄┄┄╰──╯ ADR
    ╰────╯┄┄┄┄┄┄┄┄┄┄┄╰───────────╯ ADR
    """
    width = max(width, _NARROWEST)
    looks = labels if isinstance(labels, Looks) else Looks(labels)
    edges = character_edges(document.text)
    mentions = [
        _Drawn(mention, whole_characters(mention.fragments, edges), _clip(printable(mention.label), width))
        for mention in document.mentions
    ]
    waiting = deque(sorted(mentions, key=lambda drawn: (drawn.start, drawn.end)))
    current: list[_Drawn] = []
    rows: list[str] = []
    for line in wrap_text(document.text, edges, width):
        while waiting and waiting[0].start < line.end:
            current.append(waiting.popleft())
        current = [drawn for drawn in current if drawn.end > line.start]
        rows.append(line.shown)
        rows += _rows([item for drawn in current for item in drawn.items(line, width)], looks if colour else None)
    return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """A line of a terminal: the offsets and the columns where its characters begin, and where the last one ends."""

    shown: str
    offsets: list[int]
    columns: list[int]

    @property
    def start(self) -> int:
        return self.offsets[0]

    @property
    def end(self) -> int:
        return self.offsets[-1]

    def between(self, start: int, end: int) -> Span:
        """Find the columns of the part of a span that lies in the line."""
        first, last = (bisect_left(self.offsets, min(offset, self.end)) for offset in (start, end))
        return self.columns[first], self.columns[last]


@dataclass(frozen=True, slots=True)
class _Cell:
    """What readers see as one character, and how it is shown."""

    start: int
    end: int
    shown: str
    width: int
    is_blank: bool = False
    ends_line: bool = False


def wrap_text(text: str, edges: Iterable[int], width: int) -> Iterator[ScreenLine]:
    """Break a text into lines of at most that many columns, at white space and beside wide characters if possible."""
    line: list[_Cell] = []
    used = start_of_word = 0
    for start, end in pairwise(edges):
        cell = _cell(text, start, end)
        if cell.is_blank:  # what does not fit hangs over the margin, where nobody sees it
            cell = replace(cell, width=min(cell.width, width - used))
        while used + cell.width > width:
            cut = start_of_word or len(line)
            yield _line(line[:cut])
            line = line[cut:]
            used, start_of_word = sum(cell.width for cell in line), 0
        if cell.width == 2:
            start_of_word = len(line)
        line.append(cell)
        used += cell.width
        if cell.is_blank or cell.width == 2:
            start_of_word = len(line)
        if cell.ends_line:
            yield _line(line)
            line, used, start_of_word = [], 0, 0
    if line:
        yield _line(line)


def _line(cells: list[_Cell]) -> ScreenLine:
    return ScreenLine(
        "".join(cell.shown for cell in cells).rstrip(),
        [*(cell.start for cell in cells), cells[-1].end],
        list(accumulate((cell.width for cell in cells), initial=0)),
    )


def _cell(text: str, start: int, end: int) -> _Cell:
    character = text[start:end]
    if LINE_BREAK.fullmatch(character):
        return _Cell(start, end, "", 1, is_blank=True, ends_line=True)
    if character == "\t":
        return _Cell(start, end, _TAB, len(_TAB), is_blank=True)
    shown = "".join(map(_show, character))
    if not columns(shown):  # an accent on nothing, or a joiner of nothing
        shown = f"\N{DOTTED CIRCLE}{shown}" if shown.isprintable() else printable(shown)
    return _Cell(start, end, shown, columns(shown), is_blank=shown == " ")


def _show(character: str) -> str:
    if unicodedata.category(character) == "Zs":
        return " "
    return character if character in _JOINERS else printable(character)


@dataclass(frozen=True, slots=True)
class _Item:
    """What a line shows of a mention, and in which columns."""

    start: int
    end: int
    shown: str
    label: str


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A mention as it is drawn: in whole characters, its label short enough for a line."""

    mention: Mention
    fragments: list[Span]
    label: str

    @property
    def start(self) -> int:
        return self.fragments[0][0]

    @property
    def end(self) -> int:
        return self.fragments[-1][1]

    def items(self, line: ScreenLine, width: int) -> Iterator[_Item]:
        """Draw what the line shows of the mention, if anything: its marks, and its name beside or inside them."""
        start, end = line.between(self.start, self.end)
        if start < end:
            yield _add_name(_Item(start, end, self._marks(line), self.mention.label), self._name(line), width)

    def _name(self, line: ScreenLine) -> str:
        return f"…{self.label}" if self.start < line.start else f"{self.label} {score_text(self.mention)}".rstrip()

    def _marks(self, line: ScreenLine) -> str:
        """Draw the line's share of the fragments and of the gaps between them."""
        marks = ""
        previous = self.start
        for start, end in self.fragments:
            marks += "┄" * _length(line.between(previous, start))
            length = _length(line.between(start, end))
            if length:
                marks += _bar(length, opens=start >= line.start, closes=end <= line.end)
            previous = end
        return marks


def _length(span: Span) -> int:
    return span[1] - span[0]


def _bar(length: int, opens: bool, closes: bool) -> str:
    """Draw a fragment, with corners where it begins and where it ends."""
    if length == 1:
        return "┴" if opens or closes else "─"
    return ("╰" if opens else "─") + "─" * (length - 2) + ("╯" if closes else "─")


def _add_name(item: _Item, name: str, width: int) -> _Item:
    """Put a name behind the marks, before them or into them: wherever it has room, and else where it has most."""
    longest, middle = max(((len(run[0]), run.start()) for run in _RUN.finditer(item.shown)), default=(0, 0))
    rooms = (width - item.end - 1, item.start - 1, longest - 2)
    behind, before, _ = rooms
    room = next((room for room in rooms if room >= columns(name)), max(rooms))
    name = _clip(name, room)
    length = columns(name)
    if not name:
        return item
    if room == behind:
        return replace(item, end=item.end + 1 + length, shown=f"{item.shown} {name}")
    if room == before:
        return replace(item, start=item.start - 1 - length, shown=f"{name} {item.shown}")
    return replace(item, shown=f"{item.shown[:middle]} {name} {item.shown[middle + length + 2 :]}")


def _clip(name: str, width: int) -> str:
    """Shorten a name to a number of columns."""
    if columns(name) <= width:
        return name
    edges = character_edges(name)
    used = accumulate((columns(name[start:end]) for start, end in pairwise(edges)), initial=0)
    end = max((edge for edge, column in zip(edges, used, strict=True) if column < width), default=0)
    return f"{name[:end].rstrip()}…" if width > 1 else ""


def _rows(items: list[_Item], looks: Looks | None) -> list[str]:
    """Put the items of a line into as few rows as they need, a column or more between any two."""
    lanes = assign_lanes([(item.start, item.end + 1) for item in items])
    rows = [""] * len(set(lanes))
    ends = [0] * len(rows)
    for item, lane in sorted(zip(items, lanes, strict=True), key=lambda pair: pair[0].start):
        rows[lane] += " " * (item.start - ends[lane]) + _colour(item, looks)
        ends[lane] = item.end
    return rows


def _colour(item: _Item, looks: Looks | None) -> str:
    return f"\x1b[{HUES[looks[item.label].hue].terminal}m{item.shown}\x1b[0m" if looks else item.shown
