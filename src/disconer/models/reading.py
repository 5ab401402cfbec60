"""From a model's numbers to sparse grids, with numpy alone, whatever computed the numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disconer.encoders.packing import Integers
from disconer.models.settings import PairKind
from disconer.models.tags import GridTags
from disconer.schemes.grid import EdgeCell, Grids, GridScheme, SegmentCell

Numbers = NDArray[np.floating[Any]]

_MOST_CELLS = 10_000
"""Edges that are computed at once: a confused model may ask for millions."""
_HIGHEST_FLOOR = 15.0
"""Logits from here on are always looked at."""
_MARGIN = 1e-3
"""Logits this far below a threshold are not looked at: more than rounding can ever be."""


@dataclass(frozen=True)
class Answers:
    """What a model says of a batch."""

    segments: Numbers
    """Logits of segments: (length - 1, first word of all the batch's, tag). Some reach into the next sentence."""
    edges: tuple[Numbers, ...]
    """What each word brings into the edge grid: (word, width)."""


@dataclass(frozen=True)
class GridReader:
    """Reads what a model says as grids: segments that pass a threshold, and the edges that could join them."""

    tags: GridTags
    pairs: PairKind
    edge_weights: Numbers
    edge_biases: Numbers

    def grids(self, answers: Answers, lengths: Integers, scheme: GridScheme) -> list[Grids]:
        """Give the grids of the sentences of a batch, which have these numbers of words."""
        segments = self._segments(answers.segments, lengths, scheme)
        edges = self._edges(segments, answers.edges, lengths, scheme)
        return [Grids(*both) for both in zip(segments, edges, strict=True)]

    def _segments(self, logits: Numbers, lengths: Integers, scheme: GridScheme) -> list[dict[SegmentCell, float]]:
        found: list[dict[SegmentCell, float]] = [{} for _ in range(len(lengths))]
        thresholds = np.array([scheme.threshold(tag) for _, tag in self.tags.segments])
        for sentence, first, last, column, probability in passing_segments(logits, lengths, thresholds):
            label, tag = self.tags.segments[column]
            found[sentence][SegmentCell(label, tag, first, last)] = probability
        return found

    def _edges(
        self,
        segments: Sequence[Mapping[SegmentCell, float]],
        parts: tuple[Numbers, ...],
        lengths: Integers,
        scheme: GridScheme,
    ) -> list[dict[EdgeCell, float]]:
        """Compute only the edges between segments that were found."""
        found: list[dict[EdgeCell, float]] = [{} for _ in segments]
        for sentence, (nodes, start) in enumerate(zip(segments, np.cumsum(lengths) - lengths, strict=True)):
            cells = list(_possible_edges(nodes, scheme))
            for first in range(0, len(cells), _MOST_CELLS):
                chosen = cells[first : first + _MOST_CELLS]
                found[sentence] |= zip(chosen, self._edge_probabilities(parts, start, chosen), strict=True)
        return found

    def _edge_probabilities(self, parts: tuple[Numbers, ...], start: int, cells: list[EdgeCell]) -> list[float]:
        """Give the probabilities of cells of a sentence that begins at a word."""
        sources, targets = (np.array([cell[end] for cell in cells]) + start for end in (2, 3))
        columns = [self.tags.edge_numbers[cell.label, cell.tag] for cell in cells]
        vectors = pair_vectors(self.pairs, parts, sources, targets)
        logits = np.einsum("cw,cw->c", vectors, self.edge_weights[columns]) + self.edge_biases[columns]
        probabilities: list[float] = as_probabilities(logits).tolist()
        return probabilities


def passing_segments(logits: Numbers, lengths: Integers, thresholds: Numbers) -> Iterator[tuple[Any, ...]]:
    """Find the segments of a batch that pass their column's threshold.

    Each is the number of its sentence, its first and last word there, its column, and its probability.
    """
    with np.errstate(divide="ignore"):  # a threshold of 1 has no logit
        floor = np.minimum(np.log(thresholds) - np.log1p(-thresholds), _HIGHEST_FLOOR) - _MARGIN
    steps, firsts, columns = np.nonzero(logits >= floor.astype(logits.dtype))
    ends = np.cumsum(lengths)
    sentences = np.searchsorted(ends, firsts, side="right")
    probabilities = as_probabilities(logits[steps, firsts, columns])
    passing = (firsts + steps < ends[sentences]) & (probabilities >= thresholds[columns])
    firsts = firsts - (ends - lengths)[sentences]
    rows = (sentences, firsts, firsts + steps, columns, probabilities)
    yield from zip(*(row[passing].tolist() for row in rows), strict=True)


def pair_vectors(kind: PairKind, parts: tuple[Numbers, ...], conditions: Integers, inputs: Integers) -> Numbers:
    """Give the vectors of listed pairs of words."""
    if kind is PairKind.CLN:
        gains, biases, normalised = parts
        return gains[conditions] * normalised[inputs] + biases[conditions]
    left, right = parts
    return np.maximum(left[conditions] + right[inputs], 0)


def as_probabilities(logits: Numbers) -> Numbers:
    """Turn logits into probabilities, in double precision."""
    with np.errstate(over="ignore"):  # what is far too large for the one is a 0 of the other
        return 1 / (1 + np.exp(-logits.astype(np.float64)))


def _possible_edges(segments: Mapping[SegmentCell, float], scheme: GridScheme) -> set[EdgeCell]:
    """Give every cell of the edge grid that decoding might look at."""
    pairs = ((label, *pair) for label, scores in scheme.parts(segments).items() for pair in combinations(scores, 2))
    return {cell for label, one, other in pairs for cell in scheme.edge_cells(label, one, other)}
