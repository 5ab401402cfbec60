"""Derivations of the mention hypergraph: how often the true one visits each node, and the best one as a graph."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from disconer.encoders.packing import Integers
from disconer.models.hyperedges import CHILDREN, GAP_EDGES, INSIDE_EDGES
from disconer.models.reading import Numbers, as_probabilities
from disconer.schemes.hypergraph import Graph, Links, Node


@dataclass(frozen=True)
class BestGraphs:
    """Walks the best derivation of each sentence, and gives each of its links its probability."""

    begins: Numbers
    """Above 0 where the best derivation begins a mention."""
    inside: Integers
    """The number of the best hyperedge of each node."""
    gaps: Integers
    begins_summed: Numbers
    inside_summed: Numbers
    gaps_summed: Numbers

    def graph(self, sentence: int, label: int, length: int) -> Graph:
        """Give the graph of a label: only what a mention reaches."""
        graph = Graph()
        words = np.nonzero(self.begins[sentence, :length, label] > 0)[0].tolist()
        graph.starts.update(
            zip(words, as_probabilities(self.begins_summed[sentence, words, label]).tolist(), strict=True)
        )
        pending = graph.roots()
        while pending:
            node = pending.pop()
            if node not in graph.links:
                graph.links[node] = dict(self._links(sentence, label, node))
                pending += (child for link in graph.links[node] if (child := node.child(link)) is not None)
        return graph

    def _links(self, sentence: int, label: int, node: Node) -> Iterator[tuple[Links, float]]:
        place = sentence, node.word, label, node.component
        best, summed = (self.gaps, self.gaps_summed) if node.is_gap else (self.inside, self.inside_summed)
        edges = GAP_EDGES if node.is_gap else INSIDE_EDGES
        weights = np.exp(summed[place].astype(np.float64) - summed[place].max())
        for link in CHILDREN[edges]:
            if link in edges[int(best[place])]:
                share = sum(weight for weight, edge in zip(weights, edges, strict=True) if link in edge)
                yield link, float(share / weights.sum())


def visits(graph: Graph) -> Counter[Node]:
    """Count how often the derivation of a graph comes to each node: once for every way that leads there."""
    found: Counter[Node] = Counter(graph.roots())
    for node in sorted(graph.links):
        for link in graph.links[node]:
            child = node.child(link)
            if child is not None:
                found[child] += found[node]
    return found


def hyperedge(graph: Graph, node: Node) -> Links:
    """Give all children of a node."""
    children = Links(0)
    for link in graph.links[node]:
        children |= link
    return children
