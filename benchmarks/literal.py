"""The paper's formulas as they stand, in batches: what one would write down first, to measure shortcuts against.

Every pair of words has a vector (words × words × width), the LSTM runs over every row, both grids are computed in full,
and networkx finds the cliques. It has the weights of a `Mac`, so what it finds is the same.
"""

from itertools import combinations

import networkx as nx
import torch
from torch import Tensor, nn
from torch.nn import functional

from disconer.encoders.batch import Batch
from disconer.models.mac.inner import InnerLSTM
from disconer.models.mac.network import Mac
from disconer.models.mac.pairs import ConditionalLayerNorm
from disconer.models.mac.tags import GridTargets
from disconer.passage import Segment, WordMention
from disconer.schemes.grid import EdgeTag, SegmentTag


class LiteralMac(nn.Module):
    """Mac without a shortcut, for the paper's settings."""

    def __init__(self, mac: Mac) -> None:
        super().__init__()
        if not isinstance(mac.inner, InnerLSTM) or mac.length is None or mac.word_scores is not None:
            raise TypeError("only the paper's own settings are measured")
        self.mac = mac
        self.lengths = mac.length
        width = mac.segment_words.out_features
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.lstm.weight_ih_l0 = mac.inner.words.weight
        self.lstm.weight_hh_l0 = mac.inner.states.weight
        self.lstm.bias_ih_l0 = mac.inner.words.bias
        self.lstm.bias_hh_l0 = nn.Parameter(torch.zeros_like(mac.inner.words.bias))

    def forward(self, words: Tensor, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Compute the logits of both grids, (sentence, word, word, tag), and tell words from padding."""
        mac = self.mac
        lengths = torch.from_numpy(batch.lengths)
        is_word = torch.arange(int(lengths.max())) < lengths[:, None]
        padded = words.new_zeros(*is_word.shape, words.shape[1])
        padded[is_word] = mac.dropout(words)
        segment_words, edge_words = mac.segment_words(padded), mac.edge_words(padded)
        segments = _pairs(mac.segment_pairs, segment_words) + self._inner(segment_words)
        segments = segments + self._lengths(is_word.shape[1])
        edges = _pairs(mac.edge_pairs, edge_words)
        return mac.segment_classifier(segments), mac.edge_classifier(edges), is_word

    def loss(self, batch: Batch, targets: list[GridTargets]) -> Tensor:
        segments, edges, is_word = self(self.mac.encoder(batch), batch)
        is_cell = is_word[:, :, None] & is_word[:, None, :]
        total = _cross_entropy(segments, [target.segments for target in targets], is_cell.triu())
        return (total + _cross_entropy(edges, [target.edges for target in targets], is_cell)) / len(targets)

    @torch.inference_mode()
    def mentions(self, batch: Batch, words: Tensor | None = None) -> list[set[WordMention]]:
        """Find the mentions of every sentence, whose words' vectors may be there already."""
        segments, edges, _ = self(self.mac.encoder(batch) if words is None else words, batch)
        grids = zip(segments.sigmoid(), edges.sigmoid(), batch.lengths.tolist(), strict=True)
        return [self._decode(one[:length, :length], other[:length, :length]) for one, other, length in grids]

    def _decode(self, segments: Tensor, edges: Tensor) -> set[WordMention]:
        scheme, tags = self.mac.scheme, self.mac.tags
        graphs: dict[str, nx.Graph] = {}
        found: set[WordMention] = set()
        thresholds = torch.tensor([scheme.threshold(tag) for _, tag in tags.segments])
        for first, last, column in (segments >= thresholds).nonzero().tolist():
            label, tag = tags.segments[column]
            if tag is SegmentTag.SINGLE and first <= last:
                found.add(WordMention(label, ((first, last),)))
            elif first <= last:
                graphs.setdefault(label, nx.Graph()).add_node((first, last))
        for label, graph in graphs.items():
            heads, tails = (edges[:, :, tags.edge_numbers[label, tag]] for tag in (EdgeTag.HEAD, EdgeTag.TAIL))
            joined = _find_edges(list(graph), heads >= scheme.edge_threshold, tails >= scheme.edge_threshold)
            graph.add_edges_from(joined)
            found |= {WordMention(label, tuple(sorted(clique))) for clique in nx.find_cliques(graph) if len(clique) > 1}
        return found

    def _inner(self, words: Tensor) -> Tensor:
        length = words.shape[1]
        rows = [functional.pad(self.lstm(words[:, first:])[0], (0, 0, first, 0)) for first in range(length)]
        return torch.stack(rows, dim=1)

    def _lengths(self, length: int) -> Tensor:
        distances = torch.arange(length)[None, :] - torch.arange(length)[:, None]
        vectors: Tensor = self.lengths(distances.clamp(0, self.mac.longest - 1))
        return vectors


def _find_edges(nodes: list[Segment], heads: Tensor, tails: Tensor) -> list[tuple[Segment, Segment]]:
    """Find the pairs of nodes that share no word and have both edges, in the same direction."""
    return [
        (one, other)
        for one, other in combinations(nodes, 2)
        if (one[1] < other[0] or other[1] < one[0])
        and any(heads[a[0], b[0]] and tails[a[1], b[1]] for a, b in ((one, other), (other, one)))
    ]


def _pairs(module: nn.Module, words: Tensor) -> Tensor:
    if not isinstance(module, ConditionalLayerNorm):
        raise TypeError("only conditional layer normalisation is measured")
    mean = words.mean(-1, keepdim=True)
    normalised = (words - mean) / (words.var(-1, correction=0, keepdim=True) + 1e-6).sqrt()
    vectors: Tensor = module.gain(words)[:, :, None] * normalised[:, None] + module.bias(words)[:, :, None]
    return vectors


def _cross_entropy(logits: Tensor, targets: list[object], is_cell: Tensor) -> Tensor:
    expected = torch.zeros_like(logits)
    for number, target in enumerate(targets):
        first, last, column = torch.from_numpy(target).unbind(1)
        expected[number, first, last, column] = 1
    return functional.binary_cross_entropy_with_logits(logits[is_cell], expected[is_cell], reduction="sum")
