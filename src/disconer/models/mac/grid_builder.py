"""From logits to sparse grids, with numpy alone, whatever computed the logits; schemes/grid.py decodes the grids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from disconer.encoders.batch import Integers
from disconer.models.logits import Floats, as_probabilities, find_segments
from disconer.models.mac.tags import GridTags
from disconer.models.settings import PairKind
from disconer.schemes.grid import EdgeCell, Grids, GridScheme, SegmentCell

_EDGE_CHUNK = 10_000
"""Edges that are computed at once: a confused model may ask for millions."""


@dataclass(frozen=True)
class HeadOutputs:
    """What the two heads give for a batch."""

    segments: Floats
    """Logits of segments: (length - 1, first word of all the batch's, tag). Some reach into the next sentence."""
    edges: tuple[Floats, ...]
    """What each word brings into the edge grid: (word, width)."""


@dataclass(frozen=True)
class GridBuilder:
    """Makes grids of the heads' outputs: segments that pass a threshold, and the edges that could join them."""

    tags: GridTags
    pairs: PairKind
    edge_weights: Floats
    edge_biases: Floats

    def build(self, outputs: HeadOutputs, lengths: Integers, scheme: GridScheme) -> list[Grids]:
        """Build the grids of each sentence of a batch."""
        segments = self._find_segments(outputs.segments, lengths, scheme)
        edges = self._score_edges(segments, outputs.edges, lengths, scheme)
        return [Grids(*both) for both in zip(segments, edges, strict=True)]

    def _find_segments(self, logits: Floats, lengths: Integers, scheme: GridScheme) -> list[dict[SegmentCell, float]]:
        found: list[dict[SegmentCell, float]] = [{} for _ in range(len(lengths))]
        thresholds = np.array([scheme.threshold(tag) for _, tag in self.tags.segments])
        for sentence, first, last, column, probability in find_segments(logits, lengths, thresholds):
            label, tag = self.tags.segments[column]
            found[sentence][SegmentCell(label, tag, first, last)] = probability
        return found

    def _score_edges(
        self,
        segments: Sequence[Mapping[SegmentCell, float]],
        parts: tuple[Floats, ...],
        lengths: Integers,
        scheme: GridScheme,
    ) -> list[dict[EdgeCell, float]]:
        """Compute only the edges between segments that were found."""
        found: list[dict[EdgeCell, float]] = [{} for _ in segments]
        for sentence, (nodes, start) in enumerate(zip(segments, np.cumsum(lengths) - lengths, strict=True)):
            cells = list(_possible_edges(nodes, scheme))
            for first in range(0, len(cells), _EDGE_CHUNK):
                chosen = cells[first : first + _EDGE_CHUNK]
                found[sentence] |= zip(chosen, self._edge_probabilities(parts, start, chosen), strict=True)
        return found

    def _edge_probabilities(self, parts: tuple[Floats, ...], start: int, cells: list[EdgeCell]) -> list[float]:
        """Score cells of the sentence that begins at a word of the batch."""
        sources, targets = (np.array([cell[end] for cell in cells]) + start for end in (2, 3))
        columns = [self.tags.edge_numbers[cell.label, cell.tag] for cell in cells]
        vectors = pair_vectors(self.pairs, parts, sources, targets)
        logits = np.einsum("cw,cw->c", vectors, self.edge_weights[columns]) + self.edge_biases[columns]
        probabilities: list[float] = as_probabilities(logits).tolist()
        return probabilities


def pair_vectors(kind: PairKind, parts: tuple[Floats, ...], conditions: Integers, inputs: Integers) -> Floats:
    """The vectors of listed pairs of words."""
    if kind is PairKind.CLN:
        gains, biases, normalised = parts
        return gains[conditions] * normalised[inputs] + biases[conditions]
    left, right = parts
    return np.maximum(left[conditions] + right[inputs], 0)


def _possible_edges(segments: Mapping[SegmentCell, float], scheme: GridScheme) -> set[EdgeCell]:
    """Every cell of the edge grid that decoding might look at."""
    pairs = ((label, *pair) for label, scores in scheme.parts(segments).items() for pair in combinations(scores, 2))
    return {cell for label, one, other in pairs for cell in scheme.edge_cells(label, one, other)}
