"""A sentence of GENIA: its text, and where in it what is marked stands."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from xml.etree.ElementTree import Element

from disconer.corpora.genia_coordination import is_coordination
from disconer.spans import Span
from disconer.tokenize.sentences import trimmed


class Mark(NamedTuple):
    """An element within a sentence."""

    tag: str
    lex: str
    """The name of a term or of a piece of one."""
    sem: str
    """Its class, or those of a coordination, as they are written; nothing for a piece."""
    span: Span
    first: int
    """The number of the first mark inside it; those from there to its own number are inside."""

    @property
    def is_coordination(self) -> bool:
        return is_coordination(self.lex) or is_coordination(self.sem)


@dataclass(frozen=True)
class MarkedSentence:
    """The text of a sentence without blanks around it and its marks, inner ones before outer ones."""

    text: str
    marks: tuple[Mark, ...]
    blank_terms: int
    """How many terms have no text, and so no mark."""

    def surface(self, mark: Mark) -> str:
        return self.text[slice(*mark.span)]

    def inside(self, number: int) -> tuple[Mark, ...]:
        """Give the marks inside the one with a number."""
        return self.marks[self.marks[number].first : number]

    @property
    def words(self) -> list[Span]:
        """Where the words are, if they are marked: `w` elements, some of them only a part of what blanks separate."""
        words, latest = [], -1
        for number, mark in enumerate(self.marks):
            if mark.tag == "w":
                if latest < mark.first:  # there is none inside
                    words.append(mark.span)
                latest = number
        return words


def marked_sentence(element: Element) -> MarkedSentence:
    """Take text and marks of a sentence apart; marks without text are left out, and the terms among them counted."""
    text = "".join(element.itertext())
    begin = len(text) - len(text.lstrip())
    marks: list[Mark] = []
    blank_terms = 0
    opened: list[int] = []
    for inner, start, end in _extents(element):
        if end < 0:
            opened.append(len(marks))
            continue
        first, span, sem = opened.pop(), trimmed(text, start, end), inner.get("sem", "").strip()
        if span:
            span = (span[0] - begin, span[1] - begin)
            marks.append(Mark(inner.tag, inner.get("lex", ""), sem, span, first))
        elif inner.tag == "cons" and sem:
            blank_terms += 1
    return MarkedSentence(text.strip(), tuple(marks), blank_terms)


def _extents(root: Element) -> Iterator[tuple[Element, int, int]]:
    """Give every element below when it opens, with its start and -1, and again when it closes, with its end.

    There is no recursion: a file may be nested deeper than Python's stack.
    """
    position = len(root.text or "")
    stack = [(root, 0, iter(root))]
    while stack:
        element, start, children = stack[-1]
        child = next(children, None)
        if child is not None:
            yield child, position, -1
            stack.append((child, position, iter(child)))
            position += len(child.text or "")
        else:
            stack.pop()
            if stack:
                yield element, start, position
                position += len(element.tail or "")
