"""Sentences of pieces into the rectangle an encoder reads, and the way back to words.

A sentence that is longer than the encoder's window is read in several overlapping windows. Every piece is then
taken from the window in which it has the most context, so nothing is cut off and no word is read twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disconer.encoders.subwords import Pieces
from disconer.exceptions import InputError

Integers = NDArray[np.int64]


class Window(NamedTuple):
    """A stretch of pieces or sentences that is read at once, and which of them are taken from this reading."""

    start: int
    end: int
    kept_start: int
    kept_end: int


@dataclass(frozen=True)
class Packed:
    """What an encoder reads of a batch, and where the words are in it."""

    pieces: Integers
    """Rows of pieces, padded."""
    is_piece: NDArray[np.bool_]
    """Where those rows are not padding."""
    places: Integers
    """For every piece of the batch, in the order of the text, its place in the flattened rows."""
    word_starts: Integers
    """For every word of the batch, the number of its first piece."""
    lengths: Integers
    """How many words each sentence has."""
    spellings: Integers | None = None
    """For encoders that read letters: those of every distinct piece, of which `pieces` are then the numbers."""

    def with_hidden(self, is_hidden: NDArray[np.bool_], mask: int) -> "Packed":
        """Put a mask in the place of some of the words' pieces, which are in the order of the text."""
        pieces = self.pieces.flatten()
        pieces[self.places[is_hidden]] = mask
        return replace(self, pieces=pieces.reshape(self.pieces.shape))


def check_window(window: int, frame: int) -> None:
    """Refuse a window that has no room for a piece beside those that open and close a text."""
    if window <= frame:
        raise InputError(f"encoder.window must be above {frame}, the pieces around a text, not {window}")


def pack(sentences: Sequence[Sequence[Pieces]], before: Pieces, after: Pieces, padding: int, window: int) -> Packed:
    """Lay out sentences, each a list of its words' pieces, for an encoder that takes `window` pieces at once.

    What it reads at once is opened by the pieces `before` and closed by those `after`, which count too.
    """
    room = window - len(before) - len(after)
    rows: list[Sequence[int]] = []
    kept: list[tuple[int, int]] = []
    """The columns of each row that are taken."""
    for words in sentences:
        flat = [piece for pieces in words for piece in pieces]
        for start, end, kept_start, kept_end in windows(len(flat), room):
            rows.append((*before, *flat[start:end], *after))
            shift = len(before) - start
            kept.append((kept_start + shift, kept_end + shift))
    width = max(map(len, rows), default=0)
    pieces = np.full((len(rows), width), padding, dtype=np.int64)
    is_piece = np.zeros((len(rows), width), dtype=np.bool_)
    for index, row in enumerate(rows):
        pieces[index, : len(row)] = row
        is_piece[index, : len(row)] = True
    places = [np.arange(start, end) + index * width for index, (start, end) in enumerate(kept)]
    counts = np.array([len(word) for words in sentences for word in words], dtype=np.int64)
    return Packed(
        pieces,
        is_piece,
        np.concatenate([*places, np.empty(0, dtype=np.int64)]),
        np.cumsum(counts) - counts,
        np.array([len(words) for words in sentences], dtype=np.int64),
    )


def windows(length: int, window: int) -> Iterator[Window]:
    """Cover so many pieces or sentences with windows that overlap by half.

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


def rows_at_once(pieces: Integers, most: int) -> int:
    """Tell how many rows can be read at once, when so many pieces can."""
    width = int(pieces.shape[1])
    return max(most // max(width, 1), 1)


def as_batches(costs: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Group items of like cost, so that a batch of n whose dearest costs c keeps n · c within the budget.

    >>> list(as_batches([5, 50, 6, 48], budget=100))
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
