"""Comb: segments first, then pairs of them that merge, after Wang and Lu (2019) on a transformer.

The original finds segments with a neural segmental hypergraph; a span classifier stands in for it. The second
classifier learns from pairs of true segments and is asked about pairs of found ones: the exposure bias of a pipeline.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

import numpy as np
import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch, Integers
from disconer.encoders.encoder import WordEncoder
from disconer.models.logits import as_probabilities, find_segments
from disconer.models.mac.pairs import Concatenation
from disconer.models.model import THRESHOLDS, Model, ParameterKeys, SearchSpace, linear_keys
from disconer.models.settings import CombSettings
from disconer.models.tensors import (
    band_length,
    band_loss,
    binary_cross_entropy,
    sentence_lengths,
    sentence_starts,
    to_numpy,
)  # fmt: skip
from disconer.passage import Segment, WordMention
from disconer.schemes.segment_graph import best_segments, is_overlapping
from disconer.schemes.segments import LabelledSegment, SegmentPair, SegmentScheme, SegmentScores

_MOST_PAIRS = 4096
"""That are looked at at once: a confused model may ask about many."""


@dataclass(frozen=True)
class CombTargets:
    """What is true of a sentence."""

    segments: Integers
    """First word, last word, number of the label."""
    pairs: Integers
    """The ends of the left segment, those of the right one, number of the label, and whether they merge."""


class Comb(Model):
    """Two classifiers on one encoder: of segments, and of pairs of segments."""

    scheme: SegmentScheme

    def __init__(
        self, encoder: WordEncoder, labels: Sequence[str], scheme: SegmentScheme, settings: CombSettings
    ) -> None:
        super().__init__()
        width = settings.width
        self.encoder = encoder
        self.scheme = scheme
        self.labels = tuple(labels)
        self.longest = settings.longest_segment
        self.dropout = nn.Dropout(settings.dropout)
        self.segment_words = nn.Linear(encoder.width, width)
        self.segment_ends = Concatenation(width)
        self.length = nn.Embedding(self.longest, width)
        self.segment_classifier = nn.Linear(width, len(labels))
        nn.init.constant_(self.segment_classifier.bias, log(settings.prior / (1 - settings.prior)))
        self.merge_words = nn.Linear(encoder.width, width)
        self.merge_ends = nn.Linear(4 * width, width)
        self.merge_classifier = nn.Linear(width, len(labels))

    def forward(self, words: Tensor, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Project the words of a batch for the two classifiers; also tells how many words each sentence has."""
        return self.segment_words(words), self.merge_words(words), sentence_lengths(batch, words)

    def segment_logits(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Score all segments of a batch, as a band: (length - 1, first word, label)."""
        longest, weight = band_length(self.longest, lengths), self.segment_classifier.weight
        of_lengths: Tensor = (self.length.weight[:longest] @ weight.T)[:, None]
        return self.segment_ends.band(words, longest, weight) + of_lengths + self.segment_classifier.bias

    def merge_logits(self, words: Tensor, ends: Tensor, labels: Tensor) -> Tensor:
        """Score pairs of segments, each given by its four ends in the batch and its label."""
        hidden = torch.relu(self.merge_ends(words[ends].flatten(1)))
        logits: Tensor = self.merge_classifier(hidden).gather(1, labels[:, None])[:, 0]
        return logits

    def targets(self, mentions: Iterable[WordMention], words: int) -> CombTargets:  # noqa: ARG002
        """Encode the segments, and which pairs of them merge."""
        truth = self.scheme.encode(mentions)
        segments = [(first, last, self.labels.index(label)) for label, first, last in truth.segments]
        pairs = [
            (*pair.left, *pair.right, self.labels.index(pair.label), pair in truth.merges)
            for pair in _list_pairs(self.scheme.by_label(truth.segments))
        ]
        return CombTargets(
            np.array(segments, dtype=np.int64).reshape(-1, 3), np.array(pairs, dtype=np.int64).reshape(-1, 6)
        )

    def head_loss(self, words: Tensor, batch: Batch, targets: Sequence[CombTargets]) -> Tensor:
        """The losses of both classifiers, summed over all segments and pairs and averaged over sentences."""
        segment_words, merge_words, lengths = self(words, batch)
        logits = self.segment_logits(segment_words, lengths)
        segments = band_loss(logits, (target.segments for target in targets), lengths)
        shifts = [np.array([*[start] * 4, 0, 0]) for start in sentence_starts(batch)]
        placed = [target.pairs + shift for target, shift in zip(targets, shifts, strict=True)]
        rows = torch.from_numpy(np.concatenate(placed)).to(logits.device)
        merges = binary_cross_entropy(
            self.merge_logits(merge_words, rows[:, :4], rows[:, 4]), rows[:, 5].to(logits.dtype)
        )
        return (segments + merges) / len(targets)

    @property
    def search_space(self) -> SearchSpace:
        return [{"segment_threshold": THRESHOLDS, "merge_threshold": THRESHOLDS}]

    @property
    def parameter_keys(self) -> ParameterKeys:
        return {
            **linear_keys("segment_classifier", self.labels),
            **linear_keys("merge_classifier", self.labels),
            "length.weight": [range(self.longest)],
        }

    @property
    def lowest_scheme(self) -> SegmentScheme:
        return self.scheme.with_min_score(THRESHOLDS[0])

    @torch.inference_mode()
    def outputs(self, batch: Batch, scheme: SegmentScheme) -> list[SegmentScores]:
        """Predict the segments that pass the threshold, and all pairs of them that could merge."""
        segment_words, merge_words, lengths = self(self.encoder(batch), batch)
        found: list[dict[LabelledSegment, float]] = [{} for _ in batch.lengths]
        thresholds = np.full(len(self.labels), scheme.segment_threshold)
        logits = to_numpy(self.segment_logits(segment_words, lengths))
        for sentence, first, last, column, probability in find_segments(logits, batch.lengths, thresholds):
            found[sentence][LabelledSegment(self.labels[column], first, last)] = probability
        return [
            SegmentScores(segments, self._score_merges(segments, merge_words[start : start + length], scheme))
            for segments, start, length in zip(found, sentence_starts(batch), batch.lengths.tolist(), strict=True)
        ]

    def _score_merges(
        self, segments: Mapping[LabelledSegment, float], words: Tensor, scheme: SegmentScheme
    ) -> dict[SegmentPair, float]:
        merges: dict[SegmentPair, float] = {}
        best = {label: best_segments(own, scheme.most_segments) for label, own in scheme.by_label(segments).items()}
        pairs = _list_pairs(best)
        for start in range(0, len(pairs), _MOST_PAIRS):
            some = pairs[start : start + _MOST_PAIRS]
            ends = torch.tensor([(*pair.left, *pair.right) for pair in some], device=words.device)
            labels = torch.tensor([self.labels.index(pair.label) for pair in some], device=words.device)
            probabilities = as_probabilities(to_numpy(self.merge_logits(words, ends, labels))).tolist()
            merges |= zip(some, probabilities, strict=True)
        return merges


def _list_pairs(segments: Mapping[str, Iterable[Segment]]) -> list[SegmentPair]:
    """All pairs of a label's segments that share no word, in the order of the text."""
    return [
        SegmentPair(label, one, other)
        for label, own in segments.items()
        for one, other in combinations(sorted(own), 2)
        if not is_overlapping(one, other)
    ]
