"""Phrases whose parts know the mentions they belong to, so that offsets are right by construction, and their choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from random import Random
from typing import Any, Generic, TypeVar

from disconer.document import Document
from disconer.foundation.spans import Span

Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class Mark:
    """A mention in the making: all parts that carry the same mark are one."""

    label: str


@dataclass(frozen=True)
class PhrasePart:
    """A stretch of text and the mentions it belongs to."""

    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Phrase:
    """Parts in order; they bring their own spaces."""

    parts: tuple[PhrasePart, ...] = ()
    is_plural: bool = False
    """Whether a verb after it is plural."""

    def __add__(self, other: "Phrase | str") -> "Phrase":
        added = phrase(other) if isinstance(other, str) else other
        return Phrase(self.parts + added.parts, added.is_plural)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    def mark(self, *marks: Mark) -> "Phrase":
        """Make all of it belong to more mentions."""
        return replace(self, parts=tuple(PhrasePart(part.text, part.marks + marks) for part in self.parts))

    def document(self, text: str, identifier: str) -> Document:
        """Make a document of it; its text may be written otherwise, as long as no letter moves."""
        spans: dict[Mark, list[Span]] = {}
        end = 0
        for part in self.parts:
            start, end = end, end + len(part.text)
            for mark in part.marks:
                spans.setdefault(mark, []).append((start, end))
        return Document(text, [(mark.label, fragments) for mark, fragments in spans.items()], identifier)


@dataclass(frozen=True, eq=False)
class Choices(Generic[Item]):
    """What there is to choose from."""

    common: tuple[Item, ...]
    unseen: tuple[Item, ...] = ()
    """Kept out of the training split."""


def phrase(text: str, is_plural: bool = False) -> Phrase:
    """Make words that belong to no mention."""
    return Phrase((PhrasePart(text),), is_plural)


def mention(label: str, *phrases: Phrase | str) -> Phrase:
    """Make a continuous mention of phrases, which may hold mentions of their own."""
    return reduce(Phrase.__add__, phrases, Phrase()).mark(Mark(label))


def join_phrases(phrases: Sequence[Phrase], conjunction: str = "and") -> Phrase:
    """Put phrases side by side: "a", "a and b", "a, b and c"."""
    listing = phrases[0]
    for position, following in enumerate(phrases[1:], start=2):
        listing += f" {conjunction} " if position == len(phrases) else ", "
        listing += following
    return replace(listing, is_plural=listing.is_plural or (len(phrases) > 1 and conjunction == "and"))


def distribute(label: str, *groups: Sequence[Phrase] | Phrase | str, conjunction: str = "and") -> Phrase:
    """Make a mention of every way to take one phrase of each group; what is not a group lies between them, unmarked.

    >>> groups = [phrase("hepatic"), phrase("renal")], " ", [phrase("failure")]
    >>> hepatic_and_renal = distribute("ADR", *groups)
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
        whole += join_phrases([one.mark(*its) for one, its in zip(group, taking, strict=True)], conjunction)
        position += 1
    return replace(whole, is_plural=whole.is_plural or len(marks) > 1)


def repeat_by_weight(weights: Mapping[Item, int]) -> Choices[Item]:
    """Make choices some of which come up more often."""
    return Choices(tuple(item for item, weight in weights.items() for _ in range(weight)))


class Writer:
    """Chooses for one split. It deals like cards, so that even a small split has some of everything.

    Chance comes out the same everywhere: of `random.Random` only `random()` is promised never to change.
    """

    def __init__(self, seed: str, is_training: bool) -> None:
        self._random = Random(seed).random  # noqa: S311 (nothing here is secret)
        self._is_training = is_training
        self._decks: dict[Choices[Any], list[Any]] = {}
        self._last: dict[Choices[Any], Any] = {}

    def pick(self, choices: Choices[Item]) -> Item:
        """Choose one; where no choice is listed twice, never the same as the last time."""
        deck = self._decks.setdefault(choices, [])
        if not deck:
            deck += self._shuffle(choices)
            if deck[-1] == self._last.get(choices):
                deck.reverse()
        card: Item = deck.pop()
        self._last[choices] = card
        return card

    def pick_several(self, choices: Choices[Item], number: int) -> list[Item]:
        """Choose different ones."""
        chosen: list[Item] = []
        while len(chosen) < number:
            card = self.pick(choices)
            if card not in chosen:
                chosen.append(card)
        return chosen

    def _shuffle(self, choices: Choices[Item]) -> list[Item]:
        deck = list(choices.common if self._is_training else choices.common + choices.unseen)
        for last in range(len(deck) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            deck[last], deck[other] = deck[other], deck[last]
        return deck
