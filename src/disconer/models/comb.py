"""Comb: segments first, then pairs of them that merge, after Wang and Lu (2019) on a transformer.

The original finds segments with a neural segmental hypergraph; a span classifier stands in for it. The second
classifier learns from pairs of true segments and is asked about pairs of found ones: the exposure bias of a pipeline.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

import numpy as np
import torch
from torch import Tensor, nn

from disconer.document import Segment, WordMention
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Integers, Packed
from disconer.models.bands import band_length, band_targets, remaining_words
from disconer.models.losses import cross_entropy
from disconer.models.model import THRESHOLDS, Choices, Model, numbers, of_layer
from disconer.models.padding import sentence_lengths, sentence_starts
from disconer.models.pairs import Concatenation
from disconer.models.reading import as_probabilities, passing_segments
from disconer.models.settings import CombSettings
from disconer.schemes.segment_graph import best_segments, share_a_word
from disconer.schemes.segments import Pair, Segments, SegmentScheme, Span

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

    def forward(self, packed: Packed) -> tuple[Tensor, Tensor, Tensor]:
        """Give the words of a batch as the two classifiers see them, and how many each sentence has."""
        words = self.encoder(packed)
        kept = self.dropout(words)
        return self.segment_words(kept), self.merge_words(kept), sentence_lengths(packed, words)

    def segment_logits(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Give the logits of all segments: (length - 1, first word, label). Some reach into the next sentence."""
        longest, weight = band_length(self.longest, lengths), self.segment_classifier.weight
        lengthy: Tensor = (self.length.weight[:longest] @ weight.T)[:, None]
        return self.segment_ends.band(words, longest, weight) + lengthy + self.segment_classifier.bias

    def merge_logits(self, words: Tensor, ends: Tensor, labels: Tensor) -> Tensor:
        """Give the logits of pairs of segments, each given by its four ends in the batch and its label."""
        hidden = torch.relu(self.merge_ends(words[ends].flatten(1)))
        logits: Tensor = self.merge_classifier(hidden).gather(1, labels[:, None])[:, 0]
        return logits

    def targets(self, mentions: Iterable[WordMention], words: int) -> CombTargets:  # noqa: ARG002
        """Give the segments, and which pairs of them merge."""
        truth = self.scheme.encode(mentions)
        segments = [(first, last, self.labels.index(label)) for label, first, last in truth.spans]
        pairs = [
            (*pair.left, *pair.right, self.labels.index(pair.label), pair in truth.merges)
            for pair in _pairs(self.scheme.by_label(truth.spans))
        ]
        return CombTargets(
            np.array(segments, dtype=np.int64).reshape(-1, 3), np.array(pairs, dtype=np.int64).reshape(-1, 6)
        )

    def loss(self, packed: Packed, targets: Sequence[CombTargets]) -> Tensor:
        """Give the losses of both classifiers, summed over all segments and pairs and averaged over sentences."""
        segment_words, merge_words, lengths = self(packed)
        logits = self.segment_logits(segment_words, lengths)
        is_segment = torch.arange(len(logits), device=logits.device)[:, None] < remaining_words(lengths)
        expected = band_targets((target.segments for target in targets), lengths, logits)
        segments = cross_entropy(logits[is_segment], expected[is_segment])
        shifts = [np.array([*[start] * 4, 0, 0]) for start in sentence_starts(packed)]
        placed = [target.pairs + shift for target, shift in zip(targets, shifts, strict=True)]
        rows = torch.from_numpy(np.concatenate(placed)).to(logits.device)
        merges = cross_entropy(self.merge_logits(merge_words, rows[:, :4], rows[:, 4]), rows[:, 5].to(logits.dtype))
        return (segments + merges) / len(targets)

    @property
    def choices(self) -> Choices:
        return [{"segment_threshold": THRESHOLDS, "merge_threshold": THRESHOLDS}]

    @property
    def meanings(self) -> Mapping[str, Sequence[Sequence[Hashable]]]:
        return {
            **of_layer("segment_classifier", self.labels),
            **of_layer("merge_classifier", self.labels),
            "length.weight": [range(self.longest)],
        }

    @property
    def lowest_scheme(self) -> SegmentScheme:
        return self.scheme.from_score(THRESHOLDS[0])

    @torch.inference_mode()
    def outputs(self, packed: Packed, scheme: SegmentScheme) -> list[Segments]:
        """Give the segments that pass the threshold, and all pairs of them that could merge."""
        segment_words, merge_words, lengths = self(packed)
        found: list[dict[Span, float]] = [{} for _ in packed.lengths]
        thresholds = np.full(len(self.labels), scheme.segment_threshold)
        logits = numbers(self.segment_logits(segment_words, lengths))
        for sentence, first, last, column, probability in passing_segments(logits, packed.lengths, thresholds):
            found[sentence][Span(self.labels[column], first, last)] = probability
        return [
            Segments(spans, self._merges(spans, merge_words[start : start + length], scheme))
            for spans, start, length in zip(found, sentence_starts(packed), packed.lengths.tolist(), strict=True)
        ]

    def _merges(self, spans: dict[Span, float], words: Tensor, scheme: SegmentScheme) -> dict[Pair, float]:
        merges: dict[Pair, float] = {}
        best = {label: best_segments(own, scheme.most_segments) for label, own in scheme.by_label(spans).items()}
        pairs = _pairs(best)
        for start in range(0, len(pairs), _MOST_PAIRS):
            some = pairs[start : start + _MOST_PAIRS]
            ends = torch.tensor([(*pair.left, *pair.right) for pair in some], device=words.device)
            labels = torch.tensor([self.labels.index(pair.label) for pair in some], device=words.device)
            probabilities = as_probabilities(numbers(self.merge_logits(words, ends, labels))).tolist()
            merges |= zip(some, probabilities, strict=True)
        return merges


def _pairs(segments: Mapping[str, Iterable[Segment]]) -> list[Pair]:
    """Give all pairs of a label's segments that share no word, in the order of the text."""
    return [
        Pair(label, one, other)
        for label, own in segments.items()
        for one, other in combinations(sorted(own), 2)
        if not share_a_word(one, other)
    ]
