"""Mac: discontinuous mentions as maximal cliques of a graph of segments, after the paper's sections 3.3 and 3.4."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import log

import torch
from torch import Tensor, nn

from disconer.document import WordMention
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Packed
from disconer.models.bands import band_length, band_targets, remaining_words
from disconer.models.inner import InnerLSTM, InnerScan
from disconer.models.losses import cross_entropy
from disconer.models.model import THRESHOLDS, Choices, Model, numbers, of_layer
from disconer.models.padding import rectangle, sentence_lengths, word_places
from disconer.models.pairs import Concatenation, ConditionalLayerNorm
from disconer.models.reading import Answers, GridReader
from disconer.models.settings import InnerKind, MacSettings, PairKind
from disconer.models.tags import GridTags, Targets
from disconer.schemes.grid import Grids, GridScheme, LoneNode, TagSet


class Mac(Model):
    """Two grids over the words of a sentence: one of segments, one of edges between segments."""

    scheme: GridScheme

    def __init__(self, encoder: WordEncoder, labels: Sequence[str], scheme: GridScheme, settings: MacSettings) -> None:
        super().__init__()
        width = settings.width
        self.encoder = encoder
        self.scheme = scheme
        self.tags = GridTags(labels, scheme)
        self.longest = settings.longest_segment
        """Words of the longest segment."""
        self.pairs = settings.pairs
        self.dropout = nn.Dropout(settings.dropout)
        self.segment_words = nn.Linear(encoder.width, width)
        self.edge_words = nn.Linear(encoder.width, width)
        self.segment_pairs = _pairs(settings.pairs, width)
        self.edge_pairs = _pairs(settings.pairs, width)
        self.inner = _inner(settings.inner, width)
        self.length = nn.Embedding(self.longest, width) if settings.length_embedding else None
        self.segment_classifier = nn.Linear(width, len(self.tags.segments))
        self.edge_classifier = nn.Linear(width, len(self.tags.edges))
        for classifier in (self.segment_classifier, self.edge_classifier):
            nn.init.constant_(classifier.bias, log(settings.prior / (1 - settings.prior)))

    def forward(self, packed: Packed) -> tuple[Tensor, Tensor]:
        """Give the words of a batch as the segment grid and as the edge grid see them, unpadded."""
        words = self.dropout(self.encoder(packed))
        return self.segment_words(words), self.edge_words(words)

    def targets(self, mentions: Iterable[WordMention], words: int) -> Targets:  # noqa: ARG002
        return self.tags.targets(mentions)

    def loss(self, packed: Packed, targets: Sequence[Targets]) -> Tensor:
        """Give the training objective, summed over the cells of both grids and averaged over sentences."""
        segment_words, edge_words = self(packed)
        lengths = sentence_lengths(packed, segment_words)
        segment_logits, is_segment = self.segment_logits(segment_words, lengths)
        edge_logits, is_edge = self.edge_logits(edge_words, lengths)
        expected = band_targets((target.segments for target in targets), lengths, segment_logits)
        segments = cross_entropy(segment_logits[is_segment], expected[is_segment])
        edges = cross_entropy(edge_logits[is_edge], self._edge_targets(targets, edge_logits)[is_edge])
        return (segments + edges) / len(targets)

    def segment_logits(self, words: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Give the logits of all segments of a batch, (length - 1, first word, tag), and which lie in one sentence."""
        remaining = remaining_words(lengths)
        longest = band_length(self.longest, lengths)
        is_segment = torch.arange(longest, device=lengths.device)[:, None] < remaining
        return self.band_logits(words, longest, remaining), is_segment

    def band_logits(self, words: Tensor, longest: int, remaining: Tensor | None = None) -> Tensor:
        """Give the logits of all segments of up to so many words, those that reach into the next sentence included.

        The score of a segment is a sum of linear parts, so each becomes logits on its own.
        """
        weight = self.segment_classifier.weight
        logits = self.segment_pairs.band(words, longest, weight) + self.segment_classifier.bias
        if self.inner is not None:
            logits = logits + self.inner.logits(words, longest, weight, remaining)
        if self.length is not None:
            logits = logits + (self.length.weight[:longest] @ weight.T)[:, None]
        return logits

    def edge_logits(self, words: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Give the logits of all pairs of words, padded: (sentences, words, words, tags), and which are no padding."""
        is_word = word_places(lengths)
        square = self.edge_pairs.square(rectangle(words, is_word), self.edge_classifier)
        return square, is_word[:, :, None] & is_word[:, None, :]

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
    def meanings(self) -> Mapping[str, Sequence[Sequence[Hashable]]]:
        return {
            **of_layer("segment_classifier", self.tags.segments),
            **of_layer("edge_classifier", self.tags.edges),
            "length.weight": [range(self.longest)],
        }

    @property
    def lowest_scheme(self) -> GridScheme:
        return self.scheme.from_score(THRESHOLDS[0])

    @torch.inference_mode()
    def outputs(self, packed: Packed, scheme: GridScheme) -> list[Grids]:
        """Give the grids of every sentence: segments that pass the threshold, and the edges that could join them."""
        answers = self.answers(self.encoder(packed), packed)
        return self.reader().grids(answers, packed.lengths, scheme)

    def answers(self, words: Tensor, packed: Packed) -> Answers:
        """Give what the heads say of the vectors of a batch's words."""
        logits, _ = self.segment_logits(self.segment_words(words), sentence_lengths(packed, words))
        return Answers(numbers(logits), tuple(map(numbers, self.edge_pairs.parts(self.edge_words(words)))))

    def reader(self) -> GridReader:
        """Give what turns answers into grids."""
        weight, bias = self.edge_classifier.weight.detach(), self.edge_classifier.bias.detach()
        return GridReader(self.tags, self.pairs, numbers(weight), numbers(bias))


def _pairs(kind: PairKind, width: int) -> ConditionalLayerNorm | Concatenation:
    return ConditionalLayerNorm(width) if kind is PairKind.CLN else Concatenation(width)


def _inner(kind: InnerKind, width: int) -> InnerLSTM | InnerScan | None:
    if kind is InnerKind.LSTM:
        return InnerLSTM(width)
    return InnerScan(width) if kind is InnerKind.SCAN else None
