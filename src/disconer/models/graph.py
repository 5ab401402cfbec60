"""Graph: the mention hypergraph of Muis and Lu (2016), its hyperedges scored from the encoder's vectors.

What is learned is the likelihood of a derivation, normalised over all of them by the inside algorithm. Each visit of a
node chooses its hyperedge on its own. So a node that two paths reach counts twice, and derivations in which its visits
choose differently take their share of the probability though they stand for no graph: the known over-count of this
family of models.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from disconer.document import WordMention
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Integers, Packed
from disconer.models.derivations import BestGraphs, hyperedge, visits
from disconer.models.hyperedges import CHILDREN, GAP_EDGES, INSIDE_EDGES, Scores, Shape
from disconer.models.model import THRESHOLDS, Choices, Model, numbers, of_layer, single
from disconer.models.padding import rectangle, sentence_lengths, word_places
from disconer.models.settings import GraphSettings
from disconer.schemes.hypergraph import Graph, HypergraphScheme, Interpretation, Links

_GREATEST = 1e4
"""Of a score: no sum of them, whatever the weights, comes near what cannot be."""
_NEVER = -1e30
"""The logarithm of the weight of what cannot be: finite, so that gradients stay numbers, and below any sum."""


@dataclass(frozen=True)
class Chart:
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
        self.shape = Shape(len(labels), scheme.components)
        self.dropout = nn.Dropout(settings.dropout)
        self.here = nn.Linear(encoder.width, settings.width)
        self.next = nn.Linear(encoder.width, settings.width, bias=False)
        self.classifier = nn.Linear(settings.width, self.shape.columns)
        with torch.no_grad():
            self.classifier.bias.copy_(self.shape.priors(settings.prior))

    def forward(self, packed: Packed) -> tuple[Scores, Tensor]:
        """Score the hyperedges of each word with its vector and the next word's; tell which places hold a word."""
        words = self.dropout(self.encoder(packed))
        is_word = word_places(sentence_lengths(packed, words))
        following = functional.pad(rectangle(self.next(words), is_word)[:, 1:], (0, 0, 0, 1))
        hidden = torch.relu(rectangle(self.here(words), is_word) + following)
        scores = single(self.classifier(hidden)).clamp(-_GREATEST, _GREATEST)
        return self.shape.split(scores), is_word

    def targets(self, mentions: Iterable[WordMention], words: int) -> Integers:  # noqa: ARG002
        """Give the hyperedges of the true derivation: rows of word, column and how often it is visited."""
        rows: Counter[tuple[int, int]] = Counter()
        for label, graph in self.scheme.encode(mentions).items():
            number = self.labels.index(label)
            for word in graph.starts:
                rows[word, self.shape.start(number)] += 1
            for node, count in visits(graph).items():
                rows[node.word, self.shape.edge(number, node, hyperedge(graph, node))] += count
        return np.array([(*place, count) for place, count in rows.items()], dtype=np.int64).reshape(-1, 3)

    def loss(self, packed: Packed, targets: Sequence[Integers]) -> Tensor:
        """Give the negative log-likelihood of the true derivation."""
        scores, is_word = self(packed)
        flat = self.shape.joined(scores)
        total = self.log_partition(scores, is_word).sum()
        for number, target in enumerate(targets):
            words, columns, counts = torch.from_numpy(target).to(flat.device).unbind(1)
            total = total - (flat[number, words, columns] * counts).sum()
        return total / len(targets)

    def log_partition(self, scores: Scores, is_word: Tensor) -> Tensor:
        """Give the logarithm of the summed weights of all derivations of each sentence."""
        begun = self.chart(scores, is_word, _log_sum).starts
        return (functional.softplus(begun) * is_word[..., None]).sum((1, 2))

    def chart(self, scores: Scores, is_word: Tensor, combine: Callable[[Tensor], Tensor]) -> Chart:
        """Run the inside algorithm from the last words to the first; with the maximum it is Viterbi's."""
        subsets = {edges: _subsets(edges, links, scores.inside) for edges, links in CHILDREN.items()}
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
        return Chart(*(torch.stack(parts[::-1], 1) for parts in zip(*found, strict=True)))

    @property
    def choices(self) -> Choices:
        return [{"mention_threshold": (0.0, *THRESHOLDS), "interpretation": tuple(Interpretation)}]

    @property
    def meanings(self) -> Mapping[str, Sequence[Sequence[Hashable]]]:
        return of_layer("classifier", [(label, what) for label in self.labels for what in self.shape.meanings])

    @torch.inference_mode()
    def outputs(self, packed: Packed, scheme: HypergraphScheme) -> list[dict[str, Graph]]:  # noqa: ARG002
        """Give the graphs of the best derivation of each sentence."""
        scores, is_word = self(packed)
        if not is_word.any():
            return [{} for _ in packed.lengths]
        best, summed = (self.chart(scores, is_word, combine) for combine in (_maximum, _log_sum))
        best_graphs = BestGraphs(
            numbers(best.starts), best.inside.argmax(-1).cpu().numpy(), best.gaps.argmax(-1).cpu().numpy(),
            numbers(summed.starts), numbers(summed.inside), numbers(summed.gaps),
        )  # fmt: skip
        return [
            {label: best_graphs.graph(sentence, number, length) for number, label in enumerate(self.labels)}
            for sentence, length in enumerate(packed.lengths.tolist())
        ]


def _subsets(edges: Sequence[Links], links: Sequence[Links], like: Tensor) -> Tensor:
    """Give a matrix that sums, for every hyperedge, over its children: (links, hyperedges)."""
    return torch.tensor([[link in edge for edge in edges] for link in links], dtype=like.dtype, device=like.device)


def _sums(children: Tensor, subsets: Tensor) -> Tensor:
    """Sum over the children of every hyperedge: a matrix product, but never in half precision, which ruins it."""
    return (children[..., None] * subsets).sum(-2)


def _log_sum(values: Tensor) -> Tensor:
    return values.logsumexp(-1)


def _maximum(values: Tensor) -> Tensor:
    return values.amax(-1)
