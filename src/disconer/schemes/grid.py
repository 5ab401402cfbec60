"""Mac's grid tagging scheme: mentions encoded as two tag grids, and decoded through a graph of segments.

Wang et al., "Discontinuous Named Entity Recognition as Maximal Clique Discovery", ACL 2021; "the paper" from here on.

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
from itertools import combinations, product
from math import exp, log
from typing import ClassVar, NamedTuple

from disconer.foundation.checks import as_choice
from disconer.passage import Segment, WordMention
from disconer.schemes.scheme import Decoding, Scheme, keep_best
from disconer.schemes.segment_graph import GraphRules, SegmentGraph, best_segments

_FEW_NODES, _FEW_STEPS = 32, 1_000
"""The limits of quick decoding."""


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


class Singles(StrEnum):
    """Where S segments belong."""

    APART = "apart"
    """They are mentions at once, and nothing is lost where one is a part of another mention too."""
    GRAPH = "graph"
    """Into the same graph as B and I segments, where any two may be joined: the paper's Algorithm 1 to the letter."""


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
class GridScheme(Scheme):
    """Encoding and decoding, with the choices the paper and its ablations leave open.

    The defaults are the paper's; those of training are in training/config.py.
    """

    name: ClassVar[str] = "grid"
    tags: TagSet = TagSet.BIS
    lone_node: LoneNode = LoneNode.NOTHING
    edge_rule: EdgeRule = EdgeRule.EITHER
    edges: EdgeSet = EdgeSet.ENDS
    singles: Singles = Singles.APART
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
        choices_of = {
            "tags": TagSet, "lone_node": LoneNode, "edge_rule": EdgeRule, "edges": EdgeSet, "singles": Singles,
        }  # fmt: skip
        for name, choices in choices_of.items():
            object.__setattr__(self, name, as_choice(choices, getattr(self, name), name))
        self._check_thresholds(may_be_zero=False)
        self._check_limits("budget", "most_nodes")

    def quick(self) -> "GridScheme":
        """Put only the most probable parts together, and not for long."""
        return replace(self, most_nodes=_FEW_NODES, budget=_FEW_STEPS)

    def threshold(self, tag: SegmentTag) -> float:
        """The probability from which on a segment's tag counts."""
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
            if not self._is_node(tag):
                keep_best(mentions, WordMention(label, ((first, last),)), score)
            else:
                keep_best(nodes[label], (first, last), score)
        complete = True
        heads = self._find_heads(grids.edges) if nodes else {}
        for label, scores in nodes.items():
            found = self._decode_cliques(label, scores, heads.get(label, ()), grids.edges)
            for mention, score in found.mentions.items():
                keep_best(mentions, mention, score)
            complete &= found.complete
        return Decoding(mentions, complete)

    def _find_heads(self, edges: Mapping[EdgeCell, float]) -> dict[str, set[tuple[int, int]]]:
        """The first words of segments that may be joined, label by label: without H2H there is no edge."""
        # One direction decides alone, but the mean of two may pass where neither says much.
        least = self.edge_threshold if self.edge_rule is EdgeRule.EITHER else 0.0
        heads: dict[str, set[tuple[int, int]]] = defaultdict(set)
        for (label, tag, source, target), score in edges.items():
            if tag == EdgeTag.HEAD and score >= least:
                heads[label].add((min(source, target), max(source, target)))
        return heads

    def _decode_cliques(
        self,
        label: str,
        scores: Mapping[Segment, float],
        heads: Iterable[tuple[int, int]],
        edges: Mapping[EdgeCell, float],
    ) -> Decoding:
        """Find the mentions that the segments of a label make together."""
        is_to_the_letter = self.tags is TagSet.ONE or self.singles is Singles.GRAPH
        keeps_lone = is_to_the_letter or self.lone_node is LoneNode.MENTION
        rules = GraphRules(self.edge_threshold, keeps_lone, self.budget, joins_overlapping=is_to_the_letter)
        best = best_segments(scores, self.most_nodes)
        pairs = _pairs_with_heads(best, heads)
        graph = SegmentGraph(label, best, pairs, lambda one, other: self.edge_score(label, one, other, edges), rules)
        decoding = graph.decode()
        return decoding if len(best) == len(scores) else replace(decoding, complete=False)

    def edge_score(self, label: str, one: Segment, other: Segment, edges: Mapping[EdgeCell, float]) -> float:
        """The probability that two segments are parts of one mention."""

        def probability(tag: EdgeTag, end: int, source: Segment, target: Segment) -> float:
            return edges.get(EdgeCell(label, tag, source[end], target[end]), 0.0)

        heads = probability(EdgeTag.HEAD, 0, one, other), probability(EdgeTag.HEAD, 0, other, one)
        tails = probability(EdgeTag.TAIL, 1, one, other), probability(EdgeTag.TAIL, 1, other, one)
        gap = edges.get(_gap_cell(label, one, other), 0.0) if self.edges is EdgeSet.GAPS else 1.0
        if self.edge_rule is EdgeRule.MEAN:
            return min(_mean_of_logits(*heads), _mean_of_logits(*tails), gap)
        return min(max(map(min, zip(heads, tails, strict=True))), gap)

    def parts(self, segments: Mapping[SegmentCell, float]) -> dict[str, dict[Segment, float]]:
        """The segments that may be parts of a mention, label by label: the most probable ones, best first."""
        found: dict[str, dict[Segment, float]] = defaultdict(dict)
        for cell, score in segments.items():
            if self._is_node(cell.tag):
                keep_best(found[cell.label], (cell.first, cell.last), score)
        return {label: best_segments(scores, self.most_nodes) for label, scores in found.items()}

    def _is_node(self, tag: SegmentTag) -> bool:
        """Whether segments of a tag take part in the graph."""
        return tag != SegmentTag.SINGLE or self.singles is Singles.GRAPH

    @property
    def edge_tags(self) -> tuple[EdgeTag, ...]:
        return tuple(tag for tag in EdgeTag if tag is not EdgeTag.GAP or self.edges is EdgeSet.GAPS)

    def edge_cells(self, label: str, one: Segment, other: Segment) -> Iterator[EdgeCell]:
        """List the cells that speak of two segments as parts of one mention."""
        for source, target in ((one, other), (other, one)):
            yield EdgeCell(label, EdgeTag.HEAD, source[0], target[0])
            yield EdgeCell(label, EdgeTag.TAIL, source[1], target[1])
        if self.edges is EdgeSet.GAPS:
            yield _gap_cell(label, one, other)

    def count(self, grids: Grids) -> int:
        """Count the segments that pass, which tells how much there is to decode."""
        return sum(score >= self.threshold(cell.tag) for cell, score in grids.segments.items())

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Decode what a perfect model would predict: where this is not `mentions`, the scheme cannot express them."""
        # A truth has many segments only in a long text; the limit on nodes is for models that are confused.
        return replace(self, most_nodes=sys.maxsize).decode(self.encode(mentions))

    def _tag(self, position: int, parts: int) -> SegmentTag:
        if self.tags is TagSet.ONE:
            return SegmentTag.ANY
        if parts == 1:
            return SegmentTag.SINGLE
        return SegmentTag.INSIDE if position else SegmentTag.BEGIN


def _pairs_with_heads(
    segments: Iterable[Segment], heads: Iterable[tuple[int, int]]
) -> Iterator[tuple[Segment, Segment]]:
    """Every two segments that begin with two given words."""
    beginning: dict[int, list[Segment]] = defaultdict(list)
    for segment in segments:
        beginning[segment[0]].append(segment)
    for one, other in heads:
        found = beginning.get(one, []), beginning.get(other, [])
        yield from product(*found) if one != other else combinations(found[0], 2)


def _gap_cell(label: str, one: Segment, other: Segment) -> EdgeCell:
    before, behind = sorted((one, other))
    return EdgeCell(label, EdgeTag.GAP, before[1], behind[0])


def _mean_of_logits(one: float, other: float) -> float:
    """Average two probabilities as logits; certainty is taken as one part in 10^12 short of it."""
    if one == other:
        return one
    nearly_certain = 1e-12
    clipped = (min(max(probability, nearly_certain), 1 - nearly_certain) for probability in (one, other))
    return 1 / (1 + exp(-sum(log(probability / (1 - probability)) for probability in clipped) / 2))
