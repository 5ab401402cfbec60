"""A text as lines of a terminal, in which every character has its columns."""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from disconer.drawing.characters import columns, printable
from disconer.spans import Span
from disconer.tokenize.sentences import LINE_BREAK

_TAB = " " * 4
_JOINERS = "\u200c\u200d"  # invisible, but how emoji are composed and Persian is spelled


@dataclass(frozen=True, slots=True)
class Line:
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
        """Give the columns of what the line has of a stretch of text."""
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


def wrapped(text: str, edges: Iterable[int], width: int) -> Iterator[Line]:
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


def _line(cells: list[_Cell]) -> Line:
    return Line(
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
    shown = "".join(map(_shown, character))
    if not columns(shown):  # an accent on nothing, or a joiner of nothing
        shown = f"\N{DOTTED CIRCLE}{shown}" if shown.isprintable() else printable(shown)
    return _Cell(start, end, shown, columns(shown), is_blank=shown == " ")


def _shown(character: str) -> str:
    if unicodedata.category(character) == "Zs":
        return " "
    return character if character in _JOINERS else printable(character)
