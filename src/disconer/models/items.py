"""Where the items of transitions are: every word and every item of a batch has a row in one table.

Row 0 stands for nothing: an empty place of the stack, or the end of the words. Then come all words of the batch, and
behind them the items that were merged.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from disconer.schemes.transitions import Action, Item, State

TOP = 3
"""Items of the stack that are looked at."""
_NOTHING = 0


class Merge(NamedTuple):
    """An item of a sentence that is made of two others, as rows of the table."""

    sentence: int
    lower: int
    upper: int


@dataclass
class Walk:
    """A sentence on its way: its state, what was done, and the table's row of each of its items."""

    state: State
    start: int
    """The number of its first word in the batch."""
    actions: list[Action] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)

    def seen(self) -> list[int]:
        """Give the rows that the next decision is made from."""
        top = [self.rows[item] for item in self.state.stack[: -TOP - 1 : -1]]
        return seen_rows(top, self.state.position, self.state.length, self.start)

    def follow(self, action: Action, column: int) -> tuple[int, int] | None:
        """Do something; where it makes an item of two, give their rows: the caller makes its own."""
        known, word = len(self.state.items), self.state.position
        self.state.apply(action)
        self.actions.append(action)
        self.columns.append(column)
        if len(self.state.items) == known:
            return None
        parts = self.state.items[-1].parts
        if parts is None:
            self.rows.append(_word_row(self.start, word))
            return None
        return self.rows[parts[0]], self.rows[parts[1]]


class ItemLayout:
    """Which row of the table each item of a batch has, when all are known beforehand: words, then merges by depth."""

    def __init__(self, items: Sequence[Sequence[Item]], starts: Sequence[int], first_row: int) -> None:
        self.first_row = first_row
        self.rows: list[dict[int, int]] = [{} for _ in items]
        self.by_depth: dict[int, list[tuple[int, int, Item]]] = defaultdict(list)
        for sentence, own in enumerate(items):
            depths: list[int] = []
            for number, item in enumerate(own):
                depths.append(0 if item.parts is None else 1 + max(depths[part] for part in item.parts))
                if item.parts is None:
                    self.rows[sentence][number] = _word_row(starts[sentence], item.words.bit_length() - 1)
                else:
                    self.by_depth[depths[-1]].append((sentence, number, item))

    def levels(self) -> Iterator[list[Merge]]:
        """Give the merges, such as need no other of their level together, and note their rows."""
        row = self.first_row
        for _, level in sorted(self.by_depth.items()):
            merges = []
            for sentence, number, item in level:
                lower, upper = (self.rows[sentence][part] for part in item.parts or ())
                merges.append(Merge(sentence, lower, upper))
                self.rows[sentence][number] = row
                row += 1
            yield merges


def _word_row(start: int, word: int) -> int:
    return _NOTHING + 1 + start + word


def seen_rows(top: Sequence[int], position: int, length: int, start: int) -> list[int]:
    """Give the rows that a decision is made from: the top of the stack, from the top down, and the next word."""
    front = _word_row(start, position) if position < length else _NOTHING
    return [*top, *[_NOTHING] * (TOP - len(top)), front]
