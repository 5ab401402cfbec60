"""Chance that comes out the same everywhere: of `random.Random` only `random()` is promised never to change."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class Choices(Generic[Item]):
    """What there is to choose from."""

    common: tuple[Item, ...]
    unseen: tuple[Item, ...] = ()
    """Kept out of the training split."""


def weighted(weights: Mapping[Item, int]) -> Choices[Item]:
    """Make choices some of which come up more often."""
    return Choices(tuple(item for item, weight in weights.items() for _ in range(weight)))


class Writer:
    """Chooses for one split. It deals like cards, so that even a small split has some of everything."""

    def __init__(self, seed: str, is_training: bool) -> None:
        self._random = Random(seed).random  # noqa: S311 (nothing here is secret)
        self._is_training = is_training
        self._decks: dict[Choices[Any], list[Any]] = {}
        self._last: dict[Choices[Any], Any] = {}

    def pick(self, choices: Choices[Item]) -> Item:
        """Choose one; where no choice is listed twice, never the same as the last time."""
        deck = self._decks.setdefault(choices, [])
        if not deck:
            deck += self._shuffled(choices)
            if deck[-1] == self._last.get(choices):
                deck.reverse()
        card: Item = deck.pop()
        self._last[choices] = card
        return card

    def several(self, choices: Choices[Item], number: int) -> list[Item]:
        """Choose so many different ones."""
        chosen: list[Item] = []
        while len(chosen) < number:
            card = self.pick(choices)
            if card not in chosen:
                chosen.append(card)
        return chosen

    def _shuffled(self, choices: Choices[Item]) -> list[Item]:
        deck = list(choices.common if self._is_training else choices.common + choices.unseen)
        for last in range(len(deck) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            deck[last], deck[other] = deck[other], deck[last]
        return deck
