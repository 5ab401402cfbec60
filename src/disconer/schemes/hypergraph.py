"""The mention hypergraph of Muis and Lu (2016): every mention is a path, and the paths of a label share nodes.

At each word i, for each label: T_i decides whether a mention begins here, that is, whether it has the child B_{i,0}.
B_{i,m}, the word is in component m, has any of three children: B_{i+1,m}, the component goes on; O_{i+1,m}, a gap
begins; X, the mention ends. O_{i,m}, the word is in the gap behind component m, has any of two: O_{i+1,m} and
B_{i+1,m+1}. A node with all the children that some mention needs is a hyperedge. Which mentions a graph stands for is
ambiguous: all its paths, or as few as it takes to walk every link.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntFlag, StrEnum
from heapq import heapify, heappop, heappush
from itertools import count
from typing import ClassVar, NamedTuple

from disconer.foundation.checks import as_choice
from disconer.passage import WordMention
from disconer.schemes.covers import fewest_paths
from disconer.schemes.masks import runs, word_mask
from disconer.schemes.scheme import Decoding, Scheme

MOST_COMPONENTS = 3
"""Of a mention, unless somebody wants more: 94 to 97% of discontinuous mentions have two, and hardly any over three."""


class Interpretation(StrEnum):
    """Which of the paths through a graph are mentions."""

    COVER = "cover"
    """A smallest set that walks every link."""
    ALL = "all"
    """Every one."""


class Links(IntFlag):
    """The children of a node: those of its hyperedge, or a single one."""

    INSIDE = 1
    """To the next word as a part of a component: the same one, or from a gap the next."""
    GAP = 2
    """To the next word as a part of a gap."""
    END = 4
    """The mention ends here."""


class Node(NamedTuple):
    """A word in a component, or in the gap behind it."""

    word: int
    component: int
    is_gap: bool

    def child(self, link: Links) -> "Node | None":
        """The node that a link leads to; none at the end of a mention."""
        if link is Links.END:
            return None
        return Node(self.word + 1, self.component + (self.is_gap and link is Links.INSIDE), link is Links.GAP)


class Step(NamedTuple):
    """A link of a graph."""

    node: Node
    link: Links


@dataclass
class Graph:
    """The nodes of a label and their children, each with its probability once the node is reached."""

    starts: dict[int, float] = field(default_factory=dict)
    """The words at which mentions begin."""
    links: dict[Node, dict[Links, float]] = field(default_factory=lambda: defaultdict(dict))

    def steps(self) -> list[Step]:
        """List all links, those of earlier words first."""
        return [Step(node, link) for node in sorted(self.links) for link in self.links[node]]

    def roots(self) -> list[Node]:
        return [Node(word, 0, is_gap=False) for word in sorted(self.starts)]

    def score(self, path: Iterable[Step]) -> float:
        """The probability that a path is taken, if every visit of a node chooses on its own."""
        steps = list(path)
        score = self.starts[steps[0].node.word]
        for node, link in steps:
            score *= self.links[node][link]
        return score


@dataclass(frozen=True)
class HypergraphScheme(Scheme):
    """Encoding and decoding, with the choices that the original leaves open."""

    name: ClassVar[str] = "graph"
    components: int = MOST_COMPONENTS
    """Of a mention at most; mentions with more are left out."""
    interpretation: Interpretation = Interpretation.COVER
    mention_threshold: float = 0.0
    """A mention counts from this score on."""
    budget: int = 10_000
    """Steps of the search for the mentions of a label."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "interpretation", as_choice(Interpretation, self.interpretation, "interpretation"))
        self._check_limits("components", "budget")
        self._check_thresholds()

    def encode(self, mentions: Iterable[WordMention]) -> dict[str, Graph]:
        """Build the graph of every label."""
        graphs: dict[str, Graph] = {}
        for label, segments in mentions:
            parts = runs(word_mask(segments))
            if len(parts) > self.components:
                continue
            graph = graphs.setdefault(label, Graph())
            graph.starts[parts[0][0]] = 1.0
            for node, link in walk_mention(parts):
                graph.links[node][link] = 1.0
        return graphs

    def decode(self, labels: Mapping[str, Graph]) -> Decoding:
        """Read mentions off the graphs."""
        mentions: dict[WordMention, float] = {}
        complete = True
        for label, graph in labels.items():
            paths, is_whole = self._find_paths(graph)
            complete &= is_whole
            for path in paths:
                words = sum(1 << step.node.word for step in path if not step.node.is_gap)
                mentions[WordMention(label, runs(words))] = graph.score(path)
        return Decoding(mentions, complete).with_min_score(self.mention_threshold)

    def _find_paths(self, graph: Graph) -> tuple[list[list[Step]], bool]:
        if self.interpretation is Interpretation.COVER:
            return _find_cover(graph, self.budget)
        return _find_all_paths(graph, self.budget, self.mention_threshold)

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Decode what a perfect model would predict; the budget is for models that are confused."""
        return replace(self, budget=sys.maxsize).decode(self.encode(mentions))


class _Trail(NamedTuple):
    """The last step of a path, and the path before it, which others may share."""

    last: Step
    before: "_Trail | None"

    def steps(self) -> list[Step]:
        found: list[Step] = []
        trail: _Trail | None = self
        while trail is not None:
            found.append(trail.last)
            trail = trail.before
        return found[::-1]


def walk_mention(parts: tuple[tuple[int, int], ...]) -> Iterator[Step]:
    """Walk the links of a mention with these components."""
    for component, (first, last) in enumerate(parts):
        for word in range(first, last):
            yield Step(Node(word, component, is_gap=False), Links.INSIDE)
        if component == len(parts) - 1:
            yield Step(Node(last, component, is_gap=False), Links.END)
            return
        yield Step(Node(last, component, is_gap=False), Links.GAP)
        following = parts[component + 1][0]
        for word in range(last + 1, following):
            link = Links.INSIDE if word == following - 1 else Links.GAP
            yield Step(Node(word, component, is_gap=True), link)


def _find_all_paths(graph: Graph, budget: int, lowest: float) -> tuple[list[list[Step]], bool]:
    """Every path from a score on, the most probable first, as far as the budget of steps goes."""
    paths: list[list[Step]] = []
    numbers = count()  # of ways that are equally probable, the one that was found first comes first
    ways: list[tuple[float, int, Node, _Trail | None]]
    ways = [(-graph.starts[root.word], next(numbers), root, None) for root in graph.roots()]
    heapify(ways)
    while ways:
        if budget <= 0:
            return paths, False
        score, _, node, trail = heappop(ways)
        budget -= 1
        for link, probability in sorted(graph.links[node].items()):
            walked, child = _Trail(Step(node, link), trail), node.child(link)
            if -score * probability < lowest:
                continue
            if child is None:
                paths.append(walked.steps())
            else:
                heappush(ways, (score * probability, next(numbers), child, walked))
    return paths, True


def _find_cover(graph: Graph, budget: int) -> tuple[list[list[Step]], bool]:
    """As few paths as it takes to walk every link and every start; also tells whether there are none fewer."""
    roots, steps = graph.roots(), graph.steps()
    of_node: dict[Node, list[int]] = defaultdict(list)
    for number, (node, _) in enumerate(steps, start=len(roots)):
        of_node[node].append(number)
    children = (node.child(link) for node, link in steps)
    successors = [*(of_node[root] for root in roots), *([] if child is None else of_node[child] for child in children)]
    paths, is_whole = fewest_paths(successors, budget)
    return [[steps[number - len(roots)] for number in path[1:]] for path in paths], is_whole
