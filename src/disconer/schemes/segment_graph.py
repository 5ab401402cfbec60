"""A graph of segments: parts of one mention are joined, and cliques are mentions. Mac and Comb decode with it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from disconer.foundation.spans import unite_spans
from disconer.passage import Segment, WordMention
from disconer.schemes.cliques import maximal_cliques
from disconer.schemes.masks import bits
from disconer.schemes.scheme import Decoding, keep_best


@dataclass(frozen=True)
class GraphRules:
    """What decides which mentions a graph holds."""

    edge_threshold: float
    """Two segments are joined from this score on."""
    keeps_lone: bool
    """Whether a segment that is joined to none is a mention."""
    budget: int
    """Steps of the clique search."""
    joins_overlapping: bool = False
    """Whether two segments that share a word can be joined."""


class SegmentGraph:
    """The segments of one label, the edges between them, and the mentions that its cliques are."""

    def __init__(
        self,
        label: str,
        scores: Mapping[Segment, float],
        pairs: Iterable[tuple[Segment, Segment]],
        edge_score: Callable[[Segment, Segment], float],
        rules: GraphRules,
    ) -> None:
        """Make the graph of segments, of which the first are looked at first when the budget runs out.

        Only the given pairs can be joined: of a long text's segments, hardly any two belong together.
        """
        self.label = label
        self.scores = scores
        self.rules = rules
        self.segments = list(scores)
        self.edge_scores: dict[tuple[int, int], float] = {}
        self.neighbours = [0] * len(self.segments)
        numbers = {segment: number for number, segment in enumerate(self.segments)}
        for pair in pairs:
            one, other = sorted(numbers[segment] for segment in pair)
            self._join(one, other, edge_score)

    def decode(self) -> Decoding:
        """Find the cliques that are mentions."""
        cliques, complete = maximal_cliques(self.neighbours, self.rules.budget)
        mentions: dict[WordMention, float] = {}
        for clique in cliques:
            nodes = list(bits(clique))
            if len(nodes) > 1 or self.rules.keeps_lone:
                mention = WordMention(self.label, _merge_in_order(self.segments[node] for node in nodes))
                keep_best(mentions, mention, self._score(nodes))
        return Decoding(mentions, complete)

    def _join(self, one: int, other: int, edge_score: Callable[[Segment, Segment], float]) -> None:
        if not self.rules.joins_overlapping and is_overlapping(self.segments[one], self.segments[other]):
            return
        score = edge_score(self.segments[one], self.segments[other])
        if score >= self.rules.edge_threshold:
            self.edge_scores[one, other] = score
            self.neighbours[one] |= 1 << other
            self.neighbours[other] |= 1 << one

    def _score(self, nodes: list[int]) -> float:
        parts = [self.scores[self.segments[node]] for node in nodes]
        return min(*parts, *(self.edge_scores[pair] for pair in combinations(nodes, 2)), 1.0)


def best_segments(scores: Mapping[Segment, float], most: int) -> dict[Segment, float]:
    """The segments that take part in a graph, the most probable first."""
    ordered = sorted(scores, key=lambda segment: (-scores[segment], segment))
    return {segment: scores[segment] for segment in ordered[:most]}


def is_overlapping(one: Segment, other: Segment) -> bool:
    """Whether two segments overlap."""
    return one[0] <= other[1] and other[0] <= one[1]


def _merge_in_order(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Put segments in the order of the text, those that share words made one."""
    return tuple((start, end - 1) for start, end in unite_spans((first, last + 1) for first, last in segments))
