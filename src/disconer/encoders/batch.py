"""Sentences of subwords into the batch that an encoder reads, and the way back to words.

A sentence that is longer than the encoder's window is read in several overlapping windows. Every subword is then
taken from the window in which it has the most context, so nothing is cut off and no word is read twice.

Prediction calls this from runtime/engine.py; training draws its batches in training/dataset.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disconer.exceptions import InputError

Integers = NDArray[np.int64]
SubwordIds = tuple[int, ...]
"""The input ids of a word's subwords."""


class Window(NamedTuple):
    """A stretch of subwords or sentences that is read at once, and which of them are taken from this window."""

    start: int
    end: int
    kept_start: int
    kept_end: int


@dataclass(frozen=True)
class Batch:
    """What an encoder reads of several sentences, and where the words are in it."""

    input_ids: Integers
    """Rows of subwords, padded."""
    attention_mask: NDArray[np.bool_]
    """Where those rows are not padding."""
    subword_positions: Integers
    """For every subword of the sentences, in the order of the text, its position in the flattened rows."""
    word_starts: Integers
    """For every word of the batch, the number of its first subword."""
    lengths: Integers
    """Words of each sentence."""
    character_ids: Integers | None = None
    """For encoders that read letters: those of every distinct word, of which `input_ids` are then the rows."""

    @property
    def is_first(self) -> NDArray[np.bool_]:
        """Which words of the batch begin a sentence."""
        is_first = np.zeros(self.lengths.sum(), dtype=np.bool_)
        is_first[(np.cumsum(self.lengths) - self.lengths)[self.lengths > 0]] = True
        return is_first

    @property
    def word_rows(self) -> tuple[Integers, Integers]:
        """The numbers of the words, a row a sentence, and the same turned round; padding is numbered behind the last.

        >>> empty = np.empty(0, dtype=np.int64)
        >>> for rows in Batch(empty, empty, empty, empty, np.array([3, 1])).word_rows:
        ...     print(rows.tolist())
        [[0, 1, 2], [3, 4, 4]]
        [[2, 1, 0], [3, 4, 4]]
        """
        ends = np.cumsum(self.lengths)[:, None]
        starts, padding = ends - self.lengths[:, None], int(self.lengths.sum())
        steps = np.arange(max(self.lengths, default=0) or 1)
        is_word = steps < self.lengths[:, None]
        return np.where(is_word, starts + steps, padding), np.where(is_word, ends - 1 - steps, padding)

    def mask_subwords(self, is_masked: NDArray[np.bool_], mask_id: int) -> "Batch":
        """Put a mask in the place of some subwords, which are counted in the order of the text."""
        input_ids = self.input_ids.flatten()
        input_ids[self.subword_positions[is_masked]] = mask_id
        return replace(self, input_ids=input_ids.reshape(self.input_ids.shape))


def check_window(window: int, special: int) -> None:
    """Refuse a window that has no room for a subword beside the special ones around a text."""
    if window <= special:
        raise InputError(f"encoder.window must be above {special}, the special tokens around a text, not {window}")


def collate(
    sentences: Sequence[Sequence[SubwordIds]], before: SubwordIds, after: SubwordIds, padding: int, window: int
) -> Batch:
    """Lay out sentences, each a list of its words' subwords, for an encoder that takes `window` subwords at once.

    Every window is opened by the subwords `before` and closed by those `after`, which count too.
    """
    room = window - len(before) - len(after)
    rows: list[Sequence[int]] = []
    kept: list[tuple[int, int]] = []
    """The columns of each row that are taken."""
    for words in sentences:
        flat = [subword for word in words for subword in word]
        for start, end, kept_start, kept_end in windows(len(flat), room):
            rows.append((*before, *flat[start:end], *after))
            shift = len(before) - start
            kept.append((kept_start + shift, kept_end + shift))
    width = max(map(len, rows), default=0)
    input_ids = np.full((len(rows), width), padding, dtype=np.int64)
    attention_mask = np.zeros((len(rows), width), dtype=np.bool_)
    for index, row in enumerate(rows):
        input_ids[index, : len(row)] = row
        attention_mask[index, : len(row)] = True
    positions = [np.arange(start, end) + index * width for index, (start, end) in enumerate(kept)]
    counts = np.array([len(word) for words in sentences for word in words], dtype=np.int64)
    return Batch(
        input_ids,
        attention_mask,
        np.concatenate([*positions, np.empty(0, dtype=np.int64)]),
        np.cumsum(counts) - counts,
        np.array([len(words) for words in sentences], dtype=np.int64),
    )


def windows(length: int, window: int) -> Iterator[Window]:
    """Cover a number of subwords or sentences with windows that overlap by half.

    >>> list(windows(5, 8))
    [Window(start=0, end=5, kept_start=0, kept_end=5)]
    >>> list(windows(10, 4))[1]
    Window(start=2, end=6, kept_start=3, kept_end=5)
    """
    if length <= window:
        yield Window(0, length, 0, length)
        return
    step = max(window // 2, 1)
    starts = [*range(0, length - window, step), length - window]
    borders = [
        0,
        *((previous + window + start) // 2 for previous, start in pairwise(starts)),
        length,
    ]
    for start, kept_start, kept_end in zip(starts, borders, borders[1:], strict=False):
        yield Window(start, start + window, kept_start, kept_end)


def rows_at_once(input_ids: Integers, most_subwords: int) -> int:
    """How many rows of a batch make up at most this many subwords, padding included; at least one."""
    width = int(input_ids.shape[1])
    return max(most_subwords // max(width, 1), 1)


def group_by_cost(costs: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Group items of like cost, so that a batch of n whose dearest costs c keeps n · c within the budget.

    >>> list(group_by_cost([5, 50, 6, 48], budget=100))
    [[0, 2], [3, 1]]
    """
    batch: list[int] = []
    for index in sorted(range(len(costs)), key=costs.__getitem__):
        if batch and (len(batch) + 1) * costs[index] > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
