"""Graph: the mention hypergraph of Muis and Lu (2016), its hyperedges scored from the encoder's vectors.

What is learned is the likelihood of a derivation, normalised over all of them by the inside algorithm. Each visit of a
node chooses its hyperedge on its own. So a node that two paths reach counts twice, and derivations in which its visits
choose differently take their share of the probability though they stand for no graph: the known over-count of this
family of models.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from disconer.encoders.batch import Batch, Integers
from disconer.encoders.encoder import WordEncoder
from disconer.models.logits import Floats, as_probabilities
from disconer.models.model import THRESHOLDS, Model, ParameterKeys, SearchSpace, linear_keys
from disconer.models.settings import GraphSettings
from disconer.models.tensors import pad, sentence_lengths, to_float32, to_numpy, valid_positions
from disconer.passage import WordMention
from disconer.schemes.hypergraph import Graph, HypergraphScheme, Interpretation, Links, Node

INSIDE_EDGES = tuple(Links(children) for children in range(1, 8))
"""The hyperedges of B: every set of children but the empty one."""
GAP_EDGES = tuple(Links(children) for children in range(1, 4))
"""The hyperedges of O."""
CHILDREN = {INSIDE_EDGES: (Links.INSIDE, Links.GAP, Links.END), GAP_EDGES: (Links.INSIDE, Links.GAP)}
"""What can be a child in a hyperedge of which kind."""
_PRIOR = {1: 0.3, 2: 0.03, 3: 0.01}
"""How probable a hyperedge with so many children is before anything is learned."""
_GREATEST = 1e4
"""Of a score: no sum of them, whatever the weights, comes near what cannot be."""
_NEVER = -1e30
"""The logarithm of the weight of what cannot be: finite, so that gradients stay numbers, and below any sum."""


class HyperedgeScores(NamedTuple):
    """The scores of hyperedges, padded."""

    starts: Tensor
    """Of beginning a mention: (sentences, words, labels). Not to begin one scores 0."""
    inside: Tensor
    """Of B: (sentences, words, labels, components, hyperedges)."""
    gaps: Tensor
    """Of O: (sentences, words, labels, components - 1, hyperedges)."""


@dataclass(frozen=True)
class Columns:
    """Which column of the classifier scores which hyperedge."""

    labels: int
    components: int

    @property
    def count(self) -> int:
        return self.labels * self._per_label

    @property
    def _per_label(self) -> int:
        return 1 + self.components * len(INSIDE_EDGES) + (self.components - 1) * len(GAP_EDGES)

    @property
    def keys(self) -> list[tuple[Node | None, Links | None]]:
        """What the columns of a label score: the beginning of a mention, and each hyperedge of each node."""
        inside = [(Node(0, component, False), edge) for component in range(self.components) for edge in INSIDE_EDGES]
        gaps = [(Node(0, component, True), edge) for component in range(self.components - 1) for edge in GAP_EDGES]
        return [(None, None), *inside, *gaps]

    def start(self, label: int) -> int:
        """The column of beginning a mention."""
        return label * self._per_label

    def edge(self, label: int, node: Node, children: Links) -> int:
        """The column of a node's hyperedge."""
        behind = self.start(label) + 1
        if not node.is_gap:
            return behind + node.component * len(INSIDE_EDGES) + INSIDE_EDGES.index(children)
        behind += self.components * len(INSIDE_EDGES)
        return behind + node.component * len(GAP_EDGES) + GAP_EDGES.index(children)

    def split(self, flat: Tensor) -> HyperedgeScores:
        """Sort the columns by what they score."""
        by_label = flat.view(*flat.shape[:-1], self.labels, self._per_label)
        sizes = [1, self.components * len(INSIDE_EDGES), (self.components - 1) * len(GAP_EDGES)]
        starts, inside, gaps = torch.split(by_label, sizes, -1)
        shape = inside.shape[:-1]
        inside = inside.reshape(*shape, self.components, len(INSIDE_EDGES))
        return HyperedgeScores(starts[..., 0], inside, gaps.reshape(*shape, self.components - 1, len(GAP_EDGES)))

    def join(self, scores: HyperedgeScores) -> Tensor:
        """Put the columns together again: the inverse of `split`."""
        parts = scores.starts[..., None], scores.inside.flatten(-2), scores.gaps.flatten(-2)
        return torch.cat(parts, -1).flatten(-2)

    def priors(self, start: float) -> Tensor:
        """Scores of hyperedges before anything is learned: mentions are rare, shared nodes rarer."""
        inside = torch.tensor([log(_PRIOR[edge.bit_count()]) for edge in INSIDE_EDGES])
        gaps = torch.tensor([log(_PRIOR[edge.bit_count()]) for edge in GAP_EDGES])
        of_label = (torch.tensor([log(start)]), inside.repeat(self.components), gaps.repeat(self.components - 1))
        return torch.cat(of_label).repeat(self.labels)


@dataclass(frozen=True)
class InsideChart:
    """What an inside algorithm finds: for every node, the weight of each of its hyperedges with all that is below."""

    starts: Tensor
    inside: Tensor
    gaps: Tensor


class HypergraphModel(Model):
    """For each label and word, which hyperedges there are."""

    scheme: HypergraphScheme

    def __init__(
        self, encoder: WordEncoder, labels: Sequence[str], scheme: HypergraphScheme, settings: GraphSettings
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.scheme = scheme
        self.labels = tuple(labels)
        self.columns = Columns(len(labels), scheme.components)
        self.dropout = nn.Dropout(settings.dropout)
        self.here = nn.Linear(encoder.width, settings.width)
        self.next = nn.Linear(encoder.width, settings.width, bias=False)
        self.classifier = nn.Linear(settings.width, self.columns.count)
        with torch.no_grad():
            self.classifier.bias.copy_(self.columns.priors(settings.prior))

    def forward(self, words: Tensor, batch: Batch) -> tuple[HyperedgeScores, Tensor]:
        """Score the hyperedges of each word from its vector and the next word's; also tells which are words."""
        is_word = valid_positions(sentence_lengths(batch, words))
        following = functional.pad(pad(self.next(words), is_word)[:, 1:], (0, 0, 0, 1))
        hidden = torch.relu(pad(self.here(words), is_word) + following)
        scores = to_float32(self.classifier(hidden)).clamp(-_GREATEST, _GREATEST)
        return self.columns.split(scores), is_word

    def targets(self, mentions: Iterable[WordMention], words: int) -> Integers:  # noqa: ARG002
        """The hyperedges of the true derivation: rows of word, column and how often it is visited."""
        rows: Counter[tuple[int, int]] = Counter()
        for label, graph in self.scheme.encode(mentions).items():
            number = self.labels.index(label)
            for word in graph.starts:
                rows[word, self.columns.start(number)] += 1
            for node, count in count_visits(graph).items():
                rows[node.word, self.columns.edge(number, node, find_hyperedge(graph, node))] += count
        return np.array([(*cell, count) for cell, count in rows.items()], dtype=np.int64).reshape(-1, 3)

    def head_loss(self, words: Tensor, batch: Batch, targets: Sequence[Integers]) -> Tensor:
        """The negative log-likelihood of the true derivation."""
        scores, is_word = self(words, batch)
        flat = self.columns.join(scores)
        total = self.log_partition(scores, is_word).sum()
        for number, target in enumerate(targets):
            visited, columns, counts = torch.from_numpy(target).to(flat.device).unbind(1)
            total = total - (flat[number, visited, columns] * counts).sum()
        return total / len(targets)

    def log_partition(self, scores: HyperedgeScores, is_word: Tensor) -> Tensor:
        """The logarithm of the summed weights of all derivations of each sentence."""
        begun = self.chart(scores, is_word, _log_sum).starts
        return (functional.softplus(begun) * is_word[..., None]).sum((1, 2))

    def chart(self, scores: HyperedgeScores, is_word: Tensor, combine: Callable[[Tensor], Tensor]) -> InsideChart:
        """Run the inside algorithm from the last words to the first; with the maximum it is Viterbi's."""
        subsets = {edges: _child_matrix(edges, links, scores.inside) for edges, links in CHILDREN.items()}
        inside = scores.inside.new_full(scores.inside[:, 0, ..., 0].shape, _NEVER)
        gaps = scores.gaps.new_full(scores.gaps[:, 0, ..., 0].shape, _NEVER)
        found: list[tuple[Tensor, Tensor, Tensor]] = []
        for word in reversed(range(is_word.shape[1])):
            begins_gap = functional.pad(gaps, (0, 1), value=_NEVER)  # there is none behind the last component
            children = torch.stack((inside, begins_gap, torch.zeros_like(inside)), -1)
            of_inside = scores.inside[:, word] + _sums(children, subsets[INSIDE_EDGES])
            of_gaps = scores.gaps[:, word] + _sums(torch.stack((inside[..., 1:], gaps), -1), subsets[GAP_EDGES])
            is_here = is_word[:, word, None, None]
            inside = torch.where(is_here, combine(of_inside), _NEVER)
            gaps = torch.where(is_here, combine(of_gaps), _NEVER)
            found.append((scores.starts[:, word] + inside[..., 0], of_inside, of_gaps))
        return InsideChart(*(torch.stack(parts[::-1], 1) for parts in zip(*found, strict=True)))

    @property
    def search_space(self) -> SearchSpace:
        return [{"mention_threshold": (0.0, *THRESHOLDS), "interpretation": tuple(Interpretation)}]

    @property
    def parameter_keys(self) -> ParameterKeys:
        return linear_keys("classifier", [(label, key) for label in self.labels for key in self.columns.keys])

    @torch.inference_mode()
    def outputs(self, batch: Batch, scheme: HypergraphScheme) -> list[dict[str, Graph]]:  # noqa: ARG002
        """Predict the graphs of the best derivation of each sentence."""
        scores, is_word = self(self.encoder(batch), batch)
        if not is_word.any():
            return [{} for _ in batch.lengths]
        best, summed = (self.chart(scores, is_word, combine) for combine in (_maximum, _log_sum))
        best_graphs = BestGraphs(
            to_numpy(best.starts), best.inside.argmax(-1).cpu().numpy(), best.gaps.argmax(-1).cpu().numpy(),
            to_numpy(summed.starts), to_numpy(summed.inside), to_numpy(summed.gaps),
        )  # fmt: skip
        return [
            {label: best_graphs.graph(sentence, number, length) for number, label in enumerate(self.labels)}
            for sentence, length in enumerate(batch.lengths.tolist())
        ]


def _child_matrix(edges: Sequence[Links], links: Sequence[Links], like: Tensor) -> Tensor:
    """A matrix that sums, for every hyperedge, over its children: (links, hyperedges)."""
    return torch.tensor([[link in edge for edge in edges] for link in links], dtype=like.dtype, device=like.device)


def _sums(children: Tensor, subsets: Tensor) -> Tensor:
    """Sum over the children of every hyperedge: a matrix product, but never in half precision, which ruins it."""
    return (children[..., None] * subsets).sum(-2)


def _log_sum(values: Tensor) -> Tensor:
    return values.logsumexp(-1)


def _maximum(values: Tensor) -> Tensor:
    return values.amax(-1)


@dataclass(frozen=True)
class BestGraphs:
    """Walks the best derivation of each sentence, each of whose links gets its probability."""

    begins: Floats
    """Above 0 where the best derivation begins a mention."""
    inside: Integers
    """The number of the best hyperedge of each node."""
    gaps: Integers
    begins_summed: Floats
    inside_summed: Floats
    gaps_summed: Floats

    def graph(self, sentence: int, label: int, length: int) -> Graph:
        """The graph of a label: only what a mention reaches."""
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
        index = sentence, node.word, label, node.component
        best, summed = (self.gaps, self.gaps_summed) if node.is_gap else (self.inside, self.inside_summed)
        edges = GAP_EDGES if node.is_gap else INSIDE_EDGES
        weights = np.exp(summed[index].astype(np.float64) - summed[index].max())
        for link in CHILDREN[edges]:
            if link in edges[int(best[index])]:
                share = sum(weight for weight, edge in zip(weights, edges, strict=True) if link in edge)
                yield link, float(share / weights.sum())


def count_visits(graph: Graph) -> Counter[Node]:
    """Count how often the derivation of a graph comes to each node: once for every way that leads there."""
    found: Counter[Node] = Counter(graph.roots())
    for node in sorted(graph.links):
        for link in graph.links[node]:
            child = node.child(link)
            if child is not None:
                found[child] += found[node]
    return found


def find_hyperedge(graph: Graph, node: Node) -> Links:
    """All children of a node."""
    children = Links(0)
    for link in graph.links[node]:
        children |= link
    return children
