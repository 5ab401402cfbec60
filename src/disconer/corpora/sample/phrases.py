"""Phrases whose parts know the mentions they belong to, so that offsets are right by construction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

from disconer.document import Document
from disconer.spans import Span


@dataclass(frozen=True, eq=False)
class Mark:
    """A mention in the making: all parts that carry the same mark are one."""

    label: str


@dataclass(frozen=True)
class Part:
    """A stretch of text and the mentions it belongs to."""

    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Phrase:
    """Parts in order; they bring their own spaces."""

    parts: tuple[Part, ...] = ()
    is_plural: bool = False
    """Whether a verb after it is plural."""

    def __add__(self, other: "Phrase | str") -> "Phrase":
        added = phrase(other) if isinstance(other, str) else other
        return Phrase(self.parts + added.parts, added.is_plural)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    def marked(self, *marks: Mark) -> "Phrase":
        """Make all of it belong to more mentions."""
        return replace(self, parts=tuple(Part(part.text, part.marks + marks) for part in self.parts))

    def document(self, text: str, identifier: str) -> Document:
        """Give it as a document whose text may be written otherwise, as long as no letter moves."""
        spans: dict[Mark, list[Span]] = {}
        end = 0
        for part in self.parts:
            start, end = end, end + len(part.text)
            for mark in part.marks:
                spans.setdefault(mark, []).append((start, end))
        return Document(text, [(mark.label, fragments) for mark, fragments in spans.items()], identifier)


def phrase(text: str, is_plural: bool = False) -> Phrase:
    """Make words that belong to no mention."""
    return Phrase((Part(text),), is_plural)


def mention(label: str, *phrases: Phrase | str) -> Phrase:
    """Make a continuous mention of phrases, which may hold mentions of their own."""
    return reduce(Phrase.__add__, phrases, Phrase()).marked(Mark(label))


def listed(phrases: Sequence[Phrase], conjunction: str = "and") -> Phrase:
    """Put phrases side by side: "a", "a and b", "a, b and c"."""
    listing = phrases[0]
    for position, following in enumerate(phrases[1:], start=2):
        listing += f" {conjunction} " if position == len(phrases) else ", "
        listing += following
    return replace(listing, is_plural=listing.is_plural or (len(phrases) > 1 and conjunction == "and"))


def distributed(label: str, *groups: Sequence[Phrase] | Phrase | str, conjunction: str = "and") -> Phrase:
    """Make a mention of every way to take one phrase of each group; what is not a group lies between them, unmarked.

    >>> groups = [phrase("hepatic"), phrase("renal")], " ", [phrase("failure")]
    >>> hepatic_and_renal = distributed("ADR", *groups)
    >>> [mention.text for mention in hepatic_and_renal.document(hepatic_and_renal.text, "1")]
    ['hepatic failure', 'renal failure']
    """
    sizes = [range(len(group)) for group in groups if not isinstance(group, Phrase | str)]
    marks = {taken: Mark(label) for taken in product(*sizes)}
    whole, position = Phrase(), 0
    for group in groups:
        if isinstance(group, Phrase | str):
            whole += group
            continue
        taking = [[mark for taken, mark in marks.items() if taken[position] == index] for index in sizes[position]]
        whole += listed([one.marked(*its) for one, its in zip(group, taking, strict=True)], conjunction)
        position += 1
    return replace(whole, is_plural=whole.is_plural or len(marks) > 1)
