"""Mac: discontinuous mentions as maximal cliques of a graph of segments, after the paper's sections 3.3 and 3.4."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import log

import numpy as np
import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch
from disconer.encoders.encoder import WordEncoder
from disconer.models.mac.grid_builder import GridBuilder, HeadOutputs
from disconer.models.mac.inner import InnerLSTM, InnerScan
from disconer.models.mac.pairs import Concatenation, ConditionalLayerNorm
from disconer.models.mac.tags import GridTags, GridTargets
from disconer.models.mac.words import WordLogits, WordScores
from disconer.models.model import THRESHOLDS, Model, ParameterKeys, SearchSpace, linear_keys
from disconer.models.settings import InnerKind, LearnedEdges, MacSettings, PairKind
from disconer.models.tensors import (
    band_length,
    band_loss,
    binary_cross_entropy,
    count_remaining_words,
    pad,
    sentence_lengths,
    sentence_starts,
    to_numpy,
    valid_positions,
)  # fmt: skip
from disconer.passage import WordMention
from disconer.schemes.grid import Grids, GridScheme, LoneNode, TagSet

PART_THRESHOLDS = (0.02, 0.05, *THRESHOLDS)
"""For nodes and edges: a mention needs several of them, so that each alone may be doubtful."""


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
        self.learned_edges = settings.learned_edges
        self.dropout = nn.Dropout(settings.dropout)
        self.segment_words = nn.Linear(encoder.width, width)
        self.edge_words = nn.Linear(encoder.width, width)
        self.segment_pairs = _build_pairs(settings.pairs, width)
        self.edge_pairs = _build_pairs(settings.pairs, width)
        self.inner = _build_inner(settings.inner, width)
        self.length = nn.Embedding(self.longest, width) if settings.length_embedding else None
        tags = len(self.tags.segments)
        self.word_scores = WordScores(encoder.width, width, tags, settings.prior) if settings.words else None
        self.segment_classifier = nn.Linear(width, tags)
        self.edge_classifier = nn.Linear(width, len(self.tags.edges))
        prior = log(settings.prior / (1 - settings.prior))
        nn.init.constant_(self.edge_classifier.bias, prior)
        nn.init.constant_(self.segment_classifier.bias, 0.0 if settings.words else prior)  # words bring their own

    def targets(self, mentions: Iterable[WordMention], words: int) -> GridTargets:  # noqa: ARG002
        return self.tags.targets(mentions)

    def head_loss(self, words: Tensor, batch: Batch, targets: Sequence[GridTargets]) -> Tensor:
        """The training objective, summed over the cells that are learned and averaged over sentences."""
        lengths = sentence_lengths(batch, words)
        word_logits = self.word_logits(words, batch)
        segment_logits = self.segment_logits(words, lengths, word_logits)
        total = band_loss(segment_logits, (target.segments for target in targets), lengths)
        total = total + self._edge_loss(words, batch, targets)
        if word_logits is not None:
            segments = (target.segments for target in targets)
            total = total + word_logits.loss(segments, sentence_starts(batch), self.longest)
        return total / len(targets)

    def word_logits(self, words: Tensor, batch: Batch) -> WordLogits | None:
        """Score the words of a batch by themselves, if that is a part of this model."""
        if self.word_scores is None:
            return None
        logits: WordLogits = self.word_scores(words, torch.from_numpy(batch.is_first).to(words.device))
        return logits

    def segment_logits(self, words: Tensor, lengths: Tensor, word_logits: WordLogits | None) -> Tensor:
        """Score all segments of a batch, as a band: (length - 1, first word, tag)."""
        return self.band_logits(words, band_length(self.longest, lengths), word_logits, count_remaining_words(lengths))

    def band_logits(
        self, words: Tensor, longest: int, word_logits: WordLogits | None, remaining: Tensor | None = None
    ) -> Tensor:
        """Score all segments of up to `longest` words, those that reach into the next sentence included.

        The score of a segment is a sum of linear parts, so each becomes logits on its own.
        """
        projected, weight = self.segment_words(words), self.segment_classifier.weight
        logits = self.segment_pairs.band(projected, longest, weight) + self.segment_classifier.bias
        if self.inner is not None:
            logits = logits + self.inner.logits(projected, longest, weight, remaining)
        if self.length is not None:
            logits = logits + (self.length.weight[:longest] @ weight.T)[:, None]
        if word_logits is not None:
            logits = logits + word_logits.band(longest)
        return logits

    def _edge_loss(self, words: Tensor, batch: Batch, targets: Sequence[GridTargets]) -> Tensor:
        """The part of the edge grid in the objective: of all words, or of the ends of annotated segments."""
        if self.learned_edges is LearnedEdges.ALL:
            places = [np.arange(length) for length in batch.lengths]
        else:
            places = [np.unique(target.segments[:, :2]) for target in targets]
        starts = sentence_starts(batch)
        chosen = np.concatenate([start + own for start, own in zip(starts, places, strict=True)])
        counts = torch.tensor([len(own) for own in places], device=words.device)
        logits, is_edge = self.edge_logits(words[torch.from_numpy(chosen).to(words.device)], counts)
        expected = torch.zeros_like(logits)
        for number, (target, own) in enumerate(zip(targets, places, strict=True)):
            source, goal = torch.from_numpy(np.searchsorted(own, target.edges[:, :2])).to(words.device).unbind(1)
            expected[number, source, goal, torch.from_numpy(target.edges[:, 2]).to(words.device)] = 1
        return binary_cross_entropy(logits[is_edge], expected[is_edge])

    def edge_logits(self, words: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Score all pairs of words, padded: (sentences, words, words, tags); also tells which are no padding."""
        is_word = valid_positions(lengths)
        square = self.edge_pairs.square(pad(self.edge_words(words), is_word), self.edge_classifier)
        return square, is_word[:, :, None] & is_word[:, None, :]

    @property
    def search_space(self) -> SearchSpace:
        if self.scheme.tags is TagSet.ONE:
            return [{"segment_threshold": THRESHOLDS, "edge_threshold": PART_THRESHOLDS}]
        parts = {"node_threshold": PART_THRESHOLDS, "edge_threshold": PART_THRESHOLDS, "lone_node": tuple(LoneNode)}
        return [{"segment_threshold": THRESHOLDS}, parts]

    @property
    def parameter_keys(self) -> ParameterKeys:
        return {
            **linear_keys("segment_classifier", self.tags.segments),
            **linear_keys("edge_classifier", self.tags.edges),
            **linear_keys("word_scores.steps", [*product(WordLogits._fields, self.tags.segments)]),
            "length.weight": [range(self.longest)],
        }

    @property
    def lowest_scheme(self) -> GridScheme:
        return self.scheme.with_min_score(PART_THRESHOLDS[0])

    @torch.inference_mode()
    def outputs(self, batch: Batch, scheme: GridScheme) -> list[Grids]:
        """Predict the grids of every sentence: segments that pass the threshold, and edges that could join them."""
        return self.grid_builder().build(self.head_outputs(self.encoder(batch), batch), batch.lengths, scheme)

    def head_outputs(self, words: Tensor, batch: Batch) -> HeadOutputs:
        """Run the heads on the vectors of a batch's words."""
        logits = self.segment_logits(words, sentence_lengths(batch, words), self.word_logits(words, batch))
        return HeadOutputs(to_numpy(logits), tuple(map(to_numpy, self.edge_pairs.parts(self.edge_words(words)))))

    def grid_builder(self) -> GridBuilder:
        """What turns the heads' outputs into grids."""
        weight, bias = self.edge_classifier.weight.detach(), self.edge_classifier.bias.detach()
        return GridBuilder(self.tags, self.pairs, to_numpy(weight), to_numpy(bias))


def _build_pairs(kind: PairKind, width: int) -> ConditionalLayerNorm | Concatenation:
    return ConditionalLayerNorm(width) if kind is PairKind.CLN else Concatenation(width)


def _build_inner(kind: InnerKind, width: int) -> InnerLSTM | InnerScan | None:
    if kind is InnerKind.LSTM:
        return InnerLSTM(width)
    return InnerScan(width) if kind is InnerKind.SCAN else None
