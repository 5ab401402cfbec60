"""Where the items of a batch, and what lies on its stacks, have their vectors: rows of tables that grow.

Row 0 stands for what is not there: a free place of the stack, or a word behind the last. Then come all words of the
batch, and behind them the items that were merged.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from disconer.schemes.transitions import Item

TOP = 3
"""Items of the stack that are looked at."""
EMPTY_ROW = 0


class Merge(NamedTuple):
    """An item of a sentence that is made of two others, as rows of the table."""

    sentence: int
    lower: int
    upper: int


class Push(NamedTuple):
    """An item that is put onto the stack of a sentence, and what lies below it there, as rows of the tables."""

    sentence: int
    below: int
    item: int


class Table:
    """Rows of vectors that others are written behind: in prediction in the same place, so that long ones stay cheap."""

    def __init__(self, first: Tensor) -> None:
        self._room = first
        self._size = len(first)

    @property
    def rows(self) -> Tensor:
        return self._room[: self._size]

    def add(self, new: Tensor) -> range:
        """Add rows, and give their numbers."""
        first, self._size = self._size, self._size + len(new)
        new = new.to(self._room.dtype)
        if torch.is_grad_enabled():  # what was read before must stay as it was, for the way back
            self._room = torch.cat((self._room, new))
        else:
            if self._size > len(self._room):
                self._room = torch.cat((self._room, self._room.new_empty(self._size, *self._room.shape[1:])))
            self._room[first : self._size] = new
        return range(first, self._size)


@dataclass
class StackNodes:
    """What ever lay on the stack of a sentence: each item together with all that lay below it, counted once."""

    nodes: list[tuple[int, int]] = field(default_factory=list)
    """What lies below, as the number of a node, -1 for nothing; and the number of the item."""
    stack: list[int] = field(default_factory=list)
    """The nodes that lie there now."""

    def follow(self, items: Sequence[int]) -> None:
        """Bring the stack into the state in which these items lie there."""
        kept = count_kept([self.nodes[node][1] for node in self.stack], items)
        del self.stack[kept:]
        for item in items[kept:]:
            node = (self.stack[-1] if self.stack else -1, item)
            self.nodes.append(node)
            self.stack.append(len(self.nodes) - 1)


def count_kept(before: Sequence[int], after: Sequence[int]) -> int:
    """Count the items at the bottom of a stack that an action leaves where they are."""
    kept = 0
    while kept < min(len(before), len(after)) and before[kept] == after[kept]:
        kept += 1
    return kept


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
                    self.rows[sentence][number] = word_row(starts[sentence], item.words.bit_length() - 1)
                else:
                    self.by_depth[depths[-1]].append((sentence, number, item))

    def levels(self) -> Iterator[list[Merge]]:
        """The merges, those that need no other of their level together; their rows are noted."""
        row = self.first_row
        for _, level in sorted(self.by_depth.items()):
            merges = []
            for sentence, number, item in level:
                lower, upper = (self.rows[sentence][part] for part in item.parts or ())
                merges.append(Merge(sentence, lower, upper))
                self.rows[sentence][number] = row
                row += 1
            yield merges


def word_row(start: int, word: int) -> int:
    """The row of a word, in a sentence that begins at this word of the batch."""
    return EMPTY_ROW + 1 + start + word


def seen_rows(top: Sequence[int], position: int, length: int, start: int) -> list[int]:
    """The rows that a decision is made from: the top of the stack, from the top down, and the next word."""
    front = word_row(start, position) if position < length else EMPTY_ROW
    return [*top, *[EMPTY_ROW] * (TOP - len(top)), front]
