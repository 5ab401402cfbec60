"""The paper's grid tagging scheme: mentions into two tag grids, and back through a segment graph.

For each label X, over the words of a sentence:

- segment cells, first word ≤ last word: S, the segment is a whole continuous mention; B, it opens a discontinuous one;
  I, it is a later part of one;
- edge cells, over the full square: H2H between the first words, T2T between the last words, of two segments of one
  mention, in both directions. T2H, which the paper does not have, from the last word before to the first word behind
  a gap, is a setting.

A cell may carry any number of tags. Decoding builds the graph of B and I segments and takes every maximal clique as a
mention.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from math import exp, log
from typing import NamedTuple, TypeVar

from disconer.checks import as_choice
from disconer.document import Segment, WordMention
from disconer.exceptions import InputError
from disconer.schemes.cliques import maximal_cliques
from disconer.schemes.scheme import Decoding
from disconer.spans import united

Key = TypeVar("Key")


class TagSet(StrEnum):
    """How many classes of segments there are."""

    BIS = "bis"
    """Begin, inside and single: the paper's tags."""
    ONE = "one"
    """A single class, the paper's first ablation; decoding is then its Algorithm 1 to the letter."""


class LoneNode(StrEnum):
    """What a B or I segment without an edge becomes."""

    NOTHING = "nothing"
    MENTION = "mention"
    """A continuous mention, as the paper's Algorithm 1 has it."""


class EdgeRule(StrEnum):
    """How the two directions of an edge are read."""

    EITHER = "either"
    """H2H and T2T must both pass in the same direction, whichever it is: Algorithm 1."""
    MEAN = "mean"
    """The two directions' logits are averaged first."""


class EdgeSet(StrEnum):
    """Which tags say that two segments belong to one mention."""

    ENDS = "ends"
    """H2H and T2T: the paper's. Those of two mentions can combine into an edge that belongs to neither."""
    GAPS = "gaps"
    """T2H too, which keeps most of these apart."""


class SegmentTag(StrEnum):
    """What a segment is."""

    BEGIN = "B"
    INSIDE = "I"
    SINGLE = "S"
    ANY = "X"
    """The one class of `TagSet.ONE`."""


class EdgeTag(StrEnum):
    """Which ends of two segments an edge cell joins."""

    HEAD = "H2H"
    TAIL = "T2T"
    GAP = "T2H"
    """From the last word of the earlier one to the first word of the later one."""


class SegmentCell(NamedTuple):
    """A tag at a place of the segment grid."""

    label: str
    tag: SegmentTag
    first: int
    last: int


class EdgeCell(NamedTuple):
    """A tag at a place of the edge grid, from the word of one segment to the word of another."""

    label: str
    tag: EdgeTag
    source: int
    target: int


@dataclass(frozen=True)
class Grids:
    """The two grids of a sentence, sparse: the probability of every tag worth mentioning."""

    segments: Mapping[SegmentCell, float]
    edges: Mapping[EdgeCell, float]


@dataclass(frozen=True)
class GridScheme:
    """Encoding and decoding, with the choices the paper and its ablations leave open."""

    tags: TagSet = TagSet.BIS
    lone_node: LoneNode = LoneNode.NOTHING
    edge_rule: EdgeRule = EdgeRule.EITHER
    edges: EdgeSet = EdgeSet.ENDS
    segment_threshold: float = 0.5
    """The tag of a whole mention (S, or the one class) counts from this probability on."""
    node_threshold: float = 0.5
    """The tag of a part of a mention (B, I) counts from this probability on."""
    edge_threshold: float = 0.5
    """An edge tag counts from this probability on."""
    budget: int = 10_000
    """Steps of the clique search, for each label of a sentence."""
    most_nodes: int = 256
    """Only this many segments of a label, the most probable ones, take part in the graph."""

    def __post_init__(self) -> None:
        choices_of = {"tags": TagSet, "lone_node": LoneNode, "edge_rule": EdgeRule, "edges": EdgeSet}
        for name, choices in choices_of.items():
            object.__setattr__(self, name, as_choice(choices, getattr(self, name), name))
        if not all(0 < threshold <= 1 for threshold in self.thresholds.values()):
            raise InputError("a threshold must lie above 0 and not above 1")
        if not all(type(limit) is int and limit >= 1 for limit in (self.budget, self.most_nodes)):
            raise InputError("the budget and the number of nodes must be whole numbers from 1 on")

    @property
    def thresholds(self) -> dict[str, float]:
        """All thresholds, by what they are for."""
        return {"segment": self.segment_threshold, "node": self.node_threshold, "edge": self.edge_threshold}

    def with_thresholds(self, segment: float, node: float, edge: float) -> "GridScheme":
        """Give the same scheme with other thresholds."""
        return replace(self, segment_threshold=segment, node_threshold=node, edge_threshold=edge)

    def threshold(self, tag: SegmentTag) -> float:
        """Give the probability from which on a segment's tag counts."""
        return self.node_threshold if tag in (SegmentTag.BEGIN, SegmentTag.INSIDE) else self.segment_threshold

    def encode(self, mentions: Iterable[WordMention]) -> Grids:
        """Turn the mentions of a sentence into grids of certain tags."""
        segments: dict[SegmentCell, float] = {}
        edges: dict[EdgeCell, float] = {}
        for label, parts in mentions:
            for position, (first, last) in enumerate(parts):
                segments[SegmentCell(label, self._tag(position, len(parts)), first, last)] = 1.0
            for one, other in combinations(parts, 2):
                edges |= dict.fromkeys(self.edge_cells(label, one, other), 1.0)
        return Grids(segments, edges)

    def decode(self, grids: Grids) -> Decoding:
        """Turn grids into mentions; a mention found on two ways has the higher of its scores."""
        mentions: dict[WordMention, float] = {}
        nodes: dict[str, dict[Segment, float]] = defaultdict(dict)
        for (label, tag, first, last), score in grids.segments.items():
            if score < self.threshold(tag):
                continue
            if tag == SegmentTag.SINGLE:
                _keep_best(mentions, WordMention(label, ((first, last),)), score)
            else:
                _keep_best(nodes[label], (first, last), score)
        complete = True
        for label, scores in nodes.items():
            cliques = _SegmentGraph(label, scores, grids.edges, self).decoding()
            for mention, score in cliques.mentions.items():
                _keep_best(mentions, mention, score)
            complete &= cliques.complete
        return Decoding(mentions, complete)

    @property
    def edge_tags(self) -> tuple[EdgeTag, ...]:
        return tuple(tag for tag in EdgeTag if tag is not EdgeTag.GAP or self.edges is EdgeSet.GAPS)

    def edge_cells(self, label: str, one: Segment, other: Segment) -> Iterator[EdgeCell]:
        """List the cells that speak of two segments as parts of one mention."""
        for source, target in ((one, other), (other, one)):
            yield EdgeCell(label, EdgeTag.HEAD, source[0], target[0])
            yield EdgeCell(label, EdgeTag.TAIL, source[1], target[1])
        if self.edges is EdgeSet.GAPS:
            yield _gap(label, one, other)

    def count(self, grids: Grids) -> int:
        """Count the segments that pass, which tells how much there is to decode."""
        return sum(score >= self.threshold(cell.tag) for cell, score in grids.segments.items())

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Give what a perfect model would predict: where this is not `mentions`, the scheme cannot express them."""
        # A truth has many segments only in a long text; the limit on nodes is for models that are confused.
        return replace(self, most_nodes=sys.maxsize).decode(self.encode(mentions))

    def ranked(self, scores: Mapping[Segment, float]) -> list[Segment]:
        """Give the segments of a label that take part in its graph.

        The best come first: for the limit on nodes, and for the clique search when its budget runs out.
        """
        return sorted(scores, key=lambda segment: (-scores[segment], segment))[: self.most_nodes]

    def _tag(self, position: int, parts: int) -> SegmentTag:
        if self.tags is TagSet.ONE:
            return SegmentTag.ANY
        if parts == 1:
            return SegmentTag.SINGLE
        return SegmentTag.INSIDE if position else SegmentTag.BEGIN


class _SegmentGraph:
    """The segments of one label, the edges between them, and the mentions that its cliques are."""

    def __init__(
        self, label: str, scores: Mapping[Segment, float], edges: Mapping[EdgeCell, float], scheme: GridScheme
    ) -> None:
        self.label = label
        self.scheme = scheme
        self.scores = scores
        self.to_the_letter = scheme.tags is TagSet.ONE
        self.segments = scheme.ranked(scores)
        self.edge_scores: dict[tuple[int, int], float] = {}
        self.neighbours = [0] * len(self.segments)
        for one, other in combinations(range(len(self.segments)), 2):
            self._join(one, other, edges)

    def decoding(self) -> Decoding:
        """Find the cliques that are mentions."""
        cliques, complete = maximal_cliques(self.neighbours, self.scheme.budget)
        mentions: dict[WordMention, float] = {}
        for clique in cliques:
            nodes = [node for node in range(len(self.segments)) if clique >> node & 1]
            if len(nodes) > 1 or self.to_the_letter or self.scheme.lone_node is LoneNode.MENTION:
                mention = WordMention(self.label, _in_order(self.segments[node] for node in nodes))
                _keep_best(mentions, mention, self._score(nodes))
        return Decoding(mentions, complete and len(self.segments) == len(self.scores))

    def _join(self, one: int, other: int, edges: Mapping[EdgeCell, float]) -> None:
        if not self.to_the_letter and _share_a_word(self.segments[one], self.segments[other]):
            return
        score = self._edge_score(self.segments[one], self.segments[other], edges)
        if score >= self.scheme.edge_threshold:
            self.edge_scores[one, other] = score
            self.neighbours[one] |= 1 << other
            self.neighbours[other] |= 1 << one

    def _edge_score(self, one: Segment, other: Segment, edges: Mapping[EdgeCell, float]) -> float:
        def probability(tag: EdgeTag, end: int, source: Segment, target: Segment) -> float:
            return edges.get(EdgeCell(self.label, tag, source[end], target[end]), 0.0)

        heads = probability(EdgeTag.HEAD, 0, one, other), probability(EdgeTag.HEAD, 0, other, one)
        tails = probability(EdgeTag.TAIL, 1, one, other), probability(EdgeTag.TAIL, 1, other, one)
        gap = edges.get(_gap(self.label, one, other), 0.0) if self.scheme.edges is EdgeSet.GAPS else 1.0
        if self.scheme.edge_rule is EdgeRule.MEAN:
            return min(_mean_of_logits(*heads), _mean_of_logits(*tails), gap)
        return min(max(map(min, zip(heads, tails, strict=True))), gap)

    def _score(self, nodes: list[int]) -> float:
        parts = [self.scores[self.segments[node]] for node in nodes]
        return min(*parts, *(self.edge_scores[pair] for pair in combinations(nodes, 2)), 1.0)


def _keep_best(scores: dict[Key, float], key: Key, score: float) -> None:
    scores[key] = max(score, scores.get(key, 0.0))


def _gap(label: str, one: Segment, other: Segment) -> EdgeCell:
    before, behind = sorted((one, other))
    return EdgeCell(label, EdgeTag.GAP, before[1], behind[0])


def _share_a_word(one: Segment, other: Segment) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _in_order(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Put segments in the order of the text, those that share words made one."""
    return tuple((start, end - 1) for start, end in united((first, last + 1) for first, last in segments))


def _mean_of_logits(one: float, other: float) -> float:
    """Average two probabilities as logits; certainty is taken as one part in 10^12 short of it."""
    if one == other:
        return one
    nearly_certain = 1e-12
    clipped = (min(max(probability, nearly_certain), 1 - nearly_certain) for probability in (one, other))
    return 1 / (1 + exp(-sum(log(probability / (1 - probability)) for probability in clipped) / 2))
