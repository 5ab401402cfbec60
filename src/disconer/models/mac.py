"""Mac: discontinuous mentions as maximal cliques of a graph of segments, after the paper's sections 3.3 and 3.4."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log
from typing import NamedTuple

import torch
from torch import Tensor, nn

from disconer.document import Segment, WordMention
from disconer.encoders.packing import Packed
from disconer.encoders.transformer import Encoder
from disconer.models.inner import InnerLSTM
from disconer.models.losses import cross_entropy
from disconer.models.model import Choices, Model
from disconer.models.pairs import Concatenation, ConditionalLayerNorm
from disconer.models.settings import InnerKind, MacSettings, PairKind
from disconer.models.tags import GridTags, Targets
from disconer.schemes.grid import EdgeCell, Grids, GridScheme, LoneNode, SegmentCell, SegmentTag, TagSet

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""The probabilities from which on a tag may count, of which dev chooses."""


_MOST_CELLS = 50_000
"""Edges that are computed at once: a confused model may ask for millions."""


class Band(NamedTuple):
    """The segments of a batch that are short enough, the one-word segments first, then those of two words…"""

    firsts: Tensor
    lasts: Tensor
    remaining: Tensor
    """Of each word, how many words of its sentence follow, itself included."""
    longest: int
    """Words of the longest of them."""


class Mac(Model):
    """Two grids over the words of a sentence: one of segments, one of edges between segments."""

    scheme: GridScheme

    def __init__(self, encoder: Encoder, labels: Sequence[str], scheme: GridScheme, settings: MacSettings) -> None:
        super().__init__()
        width = settings.width
        self.encoder = encoder
        self.scheme = scheme
        self.tags = GridTags(labels, scheme)
        self.longest = settings.longest_segment
        """Words of the longest segment."""
        self.dropout = nn.Dropout(settings.dropout)
        self.segment_words = nn.Linear(encoder.width, width)
        self.edge_words = nn.Linear(encoder.width, width)
        self.segment_pairs = _pairs(settings.pairs, width)
        self.edge_pairs = _pairs(settings.pairs, width)
        self.inner = InnerLSTM(width) if settings.inner is InnerKind.LSTM else None
        self.length = nn.Embedding(self.longest, width) if settings.length_embedding else None
        self.segment_classifier = nn.Linear(width, len(self.tags.segments))
        self.edge_classifier = nn.Linear(width, len(self.tags.edges))
        for classifier in (self.segment_classifier, self.edge_classifier):
            nn.init.constant_(classifier.bias, log(settings.prior / (1 - settings.prior)))

    def forward(self, packed: Packed) -> tuple[Tensor, Tensor]:
        """Give the words of a batch as the segment grid and as the edge grid see them, unpadded."""
        words = self.dropout(self.encoder(packed))
        return self.segment_words(words), self.edge_words(words)

    def targets(self, mentions: Iterable[WordMention]) -> Targets:
        return self.tags.targets(mentions)

    def loss(self, packed: Packed, targets: Sequence[Targets]) -> Tensor:
        """Give the training objective, summed over the cells of both grids and averaged over sentences."""
        segment_words, edge_words = self(packed)
        lengths = torch.from_numpy(packed.lengths).to(segment_words.device)
        band = self.band(lengths)
        segment_logits = self.segment_logits(segment_words, band)
        segments = cross_entropy(segment_logits, self._segment_targets(band, lengths, targets, segment_logits))
        edge_logits, is_cell = self.edge_logits(edge_words, lengths)
        edges = cross_entropy(edge_logits[is_cell], self._edge_targets(targets, edge_logits)[is_cell])
        return (segments + edges) / len(targets)

    def band(self, lengths: Tensor) -> Band:
        """List the segments of sentences with these numbers of words."""
        ends = lengths.cumsum(0).repeat_interleave(lengths)
        words = torch.arange(len(ends), device=lengths.device)
        remaining = ends - words
        longest = max(min(self.longest, int(lengths.max())), 1)
        alive = [words[remaining >= length] for length in range(1, longest + 1)]
        lasts = [firsts + steps for steps, firsts in enumerate(alive)]
        return Band(torch.cat(alive), torch.cat(lasts), remaining, longest)

    def segment_logits(self, words: Tensor, band: Band) -> Tensor:
        """Give the logits of all segments of a batch: (segments, tags)."""
        vectors = self.segment_pairs.cells(words, band.firsts, band.lasts)
        if self.inner is not None:
            vectors = vectors + self.inner(words, band.remaining, band.longest)
        logits: Tensor = self.segment_classifier(vectors)
        if self.length is not None:
            by_length = self.length.weight @ self.segment_classifier.weight.T
            logits = logits + by_length[band.lasts - band.firsts]
        return logits

    def edge_logits(self, words: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Give the logits of all pairs of words, padded: (sentences, words, words, tags), and which are no padding."""
        is_word = torch.arange(int(lengths.max()), device=words.device) < lengths[:, None]
        padded = words.new_zeros(*is_word.shape, words.shape[1])
        padded[is_word] = words
        return self.edge_pairs.square(padded, self.edge_classifier), is_word[:, :, None] & is_word[:, None, :]

    def _segment_targets(self, band: Band, lengths: Tensor, targets: Sequence[Targets], like: Tensor) -> Tensor:
        number = torch.full((len(band.remaining), self.longest), -1, device=like.device)
        number[band.firsts, band.lasts - band.firsts] = torch.arange(len(band.firsts), device=like.device)
        starts = (lengths.cumsum(0) - lengths).tolist()
        expected = torch.zeros_like(like)
        for start, target in zip(starts, targets, strict=True):
            first, last, column = torch.from_numpy(target.segments).to(like.device).unbind(1)
            inside = last - first < self.longest
            expected[number[start + first[inside], (last - first)[inside]], column[inside]] = 1
        return expected

    def _edge_targets(self, targets: Sequence[Targets], like: Tensor) -> Tensor:
        expected = torch.zeros_like(like)
        for number, target in enumerate(targets):
            source, goal, column = torch.from_numpy(target.edges).to(like.device).unbind(1)
            expected[number, source, goal, column] = 1
        return expected

    @property
    def choices(self) -> Choices:
        if self.scheme.tags is TagSet.ONE:
            return [{"segment_threshold": THRESHOLDS, "edge_threshold": THRESHOLDS}]
        parts = {"node_threshold": THRESHOLDS, "edge_threshold": THRESHOLDS, "lone_node": tuple(LoneNode)}
        return [{"segment_threshold": THRESHOLDS}, parts]

    @property
    def lowest_scheme(self) -> GridScheme:
        return self.scheme.with_thresholds(THRESHOLDS[0], THRESHOLDS[0], THRESHOLDS[0])

    @torch.inference_mode()
    def outputs(self, packed: Packed, scheme: GridScheme) -> list[Grids]:
        """Give the grids of every sentence: segments that pass the threshold, and the edges that could join them."""
        segment_words, edge_words = self(packed)
        lengths = torch.from_numpy(packed.lengths).to(segment_words.device)
        band = self.band(lengths)
        segments = self._segments(_probabilities(self.segment_logits(segment_words, band)), band, lengths, scheme)
        edges = self._edges(segments, edge_words, lengths, scheme)
        return [Grids(*grids) for grids in zip(segments, edges, strict=True)]

    def _segments(
        self, probabilities: Tensor, band: Band, lengths: Tensor, scheme: GridScheme
    ) -> list[dict[SegmentCell, float]]:
        # On the processor: Python compares doubles, which not every device has, and what follows are small lists.
        probabilities, lengths = probabilities.cpu().double(), lengths.cpu()
        thresholds = [scheme.threshold(tag) for _, tag in self.tags.segments]
        segments, columns = (probabilities >= torch.tensor(thresholds, dtype=torch.double)).nonzero(as_tuple=True)
        firsts, lasts = band.firsts.cpu()[segments], band.lasts.cpu()[segments]
        ends = lengths.cumsum(0)
        sentences = torch.searchsorted(ends, firsts, right=True)
        starts = (ends - lengths)[sentences]
        found: list[dict[SegmentCell, float]] = [{} for _ in range(len(lengths))]
        rows = zip(
            sentences.tolist(), (firsts - starts).tolist(), (lasts - starts).tolist(), columns.tolist(),
            probabilities[segments, columns].tolist(), strict=True,
        )  # fmt: skip
        for sentence, first, last, column, probability in rows:
            label, tag = self.tags.segments[column]
            found[sentence][SegmentCell(label, tag, first, last)] = probability
        return found

    def _edges(
        self, segments: Sequence[dict[SegmentCell, float]], words: Tensor, lengths: Tensor, scheme: GridScheme
    ) -> list[dict[EdgeCell, float]]:
        """Compute only the edges between segments that were found, both ways."""
        found: list[dict[EdgeCell, float]] = [{} for _ in segments]
        cells = [(sentence, cell) for sentence, nodes in enumerate(segments) for cell in _possible_edges(nodes, scheme)]
        if cells:
            starts = (lengths.cumsum(0) - lengths).tolist()
            places = [(starts[sentence] + cell.source, starts[sentence] + cell.target) for sentence, cell in cells]
            columns = [self.tags.edge_numbers[cell.label, cell.tag] for _, cell in cells]
            sources, targets = torch.tensor(places, device=words.device).unbind(1)
            probabilities = self._edge_probabilities(
                words, sources, targets, torch.tensor(columns, device=words.device)
            )
            for (sentence, cell), probability in zip(cells, probabilities.tolist(), strict=True):
                found[sentence][cell] = probability
        return found

    def _edge_probabilities(self, words: Tensor, sources: Tensor, targets: Tensor, columns: Tensor) -> Tensor:
        parts = zip(*(torch.split(part, _MOST_CELLS) for part in (sources, targets, columns)), strict=True)
        return torch.cat([_probabilities(self._edge_logits_at(words, *part)) for part in parts])

    def _edge_logits_at(self, words: Tensor, sources: Tensor, targets: Tensor, columns: Tensor) -> Tensor:
        vectors = self.edge_pairs.cells(words, sources, targets)
        weights, biases = self.edge_classifier.weight[columns], self.edge_classifier.bias[columns]
        return (vectors * weights).sum(1) + biases


def _probabilities(logits: Tensor) -> Tensor:
    """Give probabilities, in single precision at least: half of it cannot tell those near 1 apart."""
    return logits.to(torch.promote_types(logits.dtype, torch.float32)).sigmoid()


def _possible_edges(segments: Mapping[SegmentCell, float], scheme: GridScheme) -> set[EdgeCell]:
    """Give every cell of the edge grid that decoding might look at."""
    nodes: dict[str, dict[Segment, float]] = {}
    for cell, probability in segments.items():
        if cell.tag is not SegmentTag.SINGLE:
            best = nodes.setdefault(cell.label, {})
            best[cell.first, cell.last] = max(probability, best.get((cell.first, cell.last), 0.0))
    pairs = ((label, *pair) for label, scores in nodes.items() for pair in combinations(scheme.ranked(scores), 2))
    return {cell for label, one, other in pairs for cell in scheme.edge_cells(label, one, other)}


def _pairs(kind: PairKind, width: int) -> ConditionalLayerNorm | Concatenation:
    return ConditionalLayerNorm(width) if kind is PairKind.CLN else Concatenation(width)
