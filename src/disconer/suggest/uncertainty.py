"""How uncertain a model is, in bits: of its nodes, its edges, and the mentions that its cliques make.

- *nodes*: every segment with a tag that is neither certain nor hardly possible, by the entropy of its probability.
- *edges*: every two parts that may belong together, by the entropy of the edge, as far as both parts are there.
- *cliques*: every mention, by the entropy of how often it is found when the threshold goes from 0 to 1. A probable
  part may belong to this mention or to that: which one it is shows only once the cliques are searched.

Other models than Mac have neither nodes nor edges to look at, but their mentions come and go in the same way.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log2
from typing import Any

from disconer.encoders.batch import Batch
from disconer.passage import Passage, Segment
from disconer.runtime.engine import Engine, map_batches
from disconer.schemes import Scheme
from disconer.schemes.grid import Grids, GridScheme
from disconer.schemes.segment_graph import is_overlapping

DECODED_THRESHOLDS = tuple((2 * step + 1) / 20 for step in range(10))
"""Where mentions are decoded: the middle of each tenth."""

_Source = tuple[float, Sequence[Segment]]
"""Bits, and the runs of words that they are about."""


@dataclass(frozen=True)
class Uncertainty:
    """How uncertain a model is of a sentence, in bits."""

    nodes: float
    edges: float
    cliques: float
    words: Mapping[int, float]
    """The same bits, shared out over the words that they are about."""

    @property
    def total(self) -> float:
        return self.nodes + self.edges + self.cliques


def measure_sentences(engine: Engine, passages: Sequence[Passage]) -> list[Uncertainty]:
    """Measure how uncertain a model is of each sentence."""
    lowest, *_ = schemes = [engine.scheme.with_min_score(threshold).quick() for threshold in DECODED_THRESHOLDS]

    def measure_batch(batch: Batch) -> list[Uncertainty]:
        return [measure(output, schemes) for output in engine.outputs(batch, lowest)]

    return map_batches(engine, passages, measure_batch)


def measure(output: Any, schemes: Sequence[Scheme]) -> Uncertainty:
    """Measure the uncertainty of a model's output for a sentence, decoded by schemes of rising thresholds."""
    nodes: list[_Source] = []
    edges: list[_Source] = []
    if isinstance(output, Grids) and isinstance(schemes[0], GridScheme):
        nodes, edges = list(_nodes(output)), list(_edges(output, schemes[0]))
    cliques = list(_cliques(output, schemes))
    return Uncertainty(_sum(nodes), _sum(edges), _sum(cliques), _share_out([*nodes, *edges, *cliques]))


def entropy(probability: float) -> float:
    """Compute the entropy, in bits, of a yes or no of this probability.

    >>> entropy(0.5), entropy(1.0)
    (1.0, 0.0)
    """
    if not 0 < probability < 1:
        return 0.0
    return -probability * log2(probability) - (1 - probability) * log2(1 - probability)


def _nodes(grids: Grids) -> Iterator[_Source]:
    for cell, probability in grids.segments.items():
        yield entropy(probability), [(cell.first, cell.last)]


def _edges(grids: Grids, scheme: GridScheme) -> Iterator[_Source]:
    for label, scores in scheme.parts(grids.segments).items():
        for one, other in combinations(scores, 2):
            if not is_overlapping(one, other):
                probability = scheme.edge_score(label, one, other, grids.edges)
                yield scores[one] * scores[other] * entropy(probability), [one, other]


def _cliques(output: Any, schemes: Sequence[Scheme]) -> Iterator[_Source]:
    found = Counter(mention for scheme in schemes for mention in scheme.decode(output).mentions)
    for mention, times in found.items():
        yield entropy(times / len(schemes)), mention.segments


def _sum(sources: Iterable[_Source]) -> float:
    return sum((bits for bits, _ in sources), 0.0)


def _share_out(sources: Iterable[_Source]) -> dict[int, float]:
    words: dict[int, float] = {}
    for bits, segments in sources:
        covered = [word for first, last in segments for word in range(first, last + 1)]
        for word in covered:
            words[word] = words.get(word, 0.0) + bits / len(covered)
    return words
