"""Comb: segments and merges, learned from true segments and asked about found ones."""

from itertools import combinations
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from disconer.models.baselines.comb import Comb
from disconer.models.settings import CombSettings
from disconer.passage import WordMention
from disconer.schemes import SegmentScheme
from disconer.schemes.segments import LabelledSegment, SegmentPair
from tests.models.given import WIDTH, GivenVectors, give, random_sentences

LABELS = ("ADR", "Drug")
MENTIONS = [
    [WordMention("ADR", ((0, 1), (4, 4))), WordMention("ADR", ((3, 4),)), WordMention("Drug", ((5, 5),))],
    [],
    [WordMention("ADR", ((0, 2),)), WordMention("Drug", ((0, 0),)), WordMention("Drug", ((2, 2), (3, 3)))],
]
LENGTHS = (6, 1, 4)
LONGEST = 3


def model_of(seed: int = 0) -> Comb:
    """Make a small model in which nothing is zero."""
    torch.manual_seed(seed)
    sizes = CombSettings(width=5, longest_segment=LONGEST, dropout=0.0)
    model = Comb(GivenVectors(), LABELS, SegmentScheme(), sizes).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.7)
    return model.eval()


def segment_logits(model: Comb, words: Tensor, first: int, last: int) -> Tensor:
    """Score one segment, straight from the definition."""
    seen = model.segment_words(words)
    ends = torch.relu(model.segment_ends.condition(seen[first]) + model.segment_ends.input(seen[last]))
    logits: Tensor = model.segment_classifier(ends + model.length.weight[last - first])
    return logits


def merge_logits(model: Comb, words: Tensor, pair: SegmentPair) -> Tensor:
    """Score one pair of segments, straight from the definition."""
    ends = model.merge_words(words)[[*pair.left, *pair.right]].flatten()
    logits: Tensor = model.merge_classifier(torch.relu(model.merge_ends(ends)))
    return logits[LABELS.index(pair.label)]


def literal_loss(model: Comb, words: Tensor, mentions: list[WordMention]) -> Tensor:
    total = torch.zeros((), dtype=torch.double)
    truth = model.scheme.encode(mentions)
    for first in range(len(words)):
        for last in range(first, min(first + LONGEST, len(words))):
            expected = torch.tensor(
                [float(LabelledSegment(label, first, last) in truth.segments) for label in LABELS]
            ).double()
            total = total + cross_entropy(segment_logits(model, words, first, last), expected)
    for label in LABELS:
        own = sorted((first, last) for one, first, last in truth.segments if one == label)
        for one, other in combinations(own, 2):
            if one[1] < other[0]:
                pair = SegmentPair(label, one, other)
                expected = torch.tensor(float(pair in truth.merges)).double()
                total = total + cross_entropy(merge_logits(model, words, pair), expected)
    return total


def cross_entropy(logits: Tensor, expected: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits, expected, reduction="sum")


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_is_that_of_all_segments_and_of_the_pairs_of_true_ones(seed: int) -> None:
    model, sentences = model_of(seed), random_sentences(*LENGTHS)
    targets = [model.targets(mentions, length) for mentions, length in zip(MENTIONS, LENGTHS, strict=True)]
    loss = model.loss(give(model, sentences), targets)
    expected = [literal_loss(model, words, mentions) for words, mentions in zip(sentences, MENTIONS, strict=True)]
    torch.testing.assert_close(loss, torch.stack(expected).sum() / 3)


def test_found_segments_are_paired_whether_they_are_true_or_not() -> None:
    model, sentences = model_of(2), random_sentences(5, 3)
    scheme = SegmentScheme(segment_threshold=0.4)
    for words, found in zip(sentences, model.outputs(give(model, sentences), scheme), strict=True):
        cells = [(first, last) for first in range(len(words)) for last in range(first, min(first + 3, len(words)))]
        probabilities = {
            LabelledSegment(label, *cell): segment_logits(model, words, *cell)[column].sigmoid().item()
            for cell in cells
            for column, label in enumerate(LABELS)
        }
        passing = {span: probability for span, probability in probabilities.items() if probability >= 0.4}
        assert found.segments == pytest.approx(passing)
        pairs = {
            SegmentPair(one.label, (one.first, one.last), (other.first, other.last))
            for one, other in combinations(sorted(passing), 2)
            if one.label == other.label and one.last < other.first
        }
        assert set(found.merges) == pairs
        for pair, probability in found.merges.items():
            assert probability == pytest.approx(merge_logits(model, words, pair).sigmoid().item())


def test_merging_learns_nothing_from_segments_that_are_not_true() -> None:
    """The bias of a pipeline: a pair with a wrong segment is met for the first time when predicting."""
    pairs: Any = model_of().targets(MENTIONS[0], 6).pairs
    assert pairs.tolist() == [[0, 1, 3, 4, 0, 0], [0, 1, 4, 4, 0, 1]]


def test_a_batch_without_any_word_has_nothing_to_find() -> None:
    model = model_of()
    found = model.outputs(give(model, [torch.zeros(0, WIDTH, dtype=torch.double)]), model.scheme)
    assert [(one.segments, one.merges) for one in found] == [({}, {})]
