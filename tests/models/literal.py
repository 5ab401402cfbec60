"""The paper's equations, transcribed word by word: slow, without a single shortcut, to compare the model with.

Every pair of words has a vector of its own, every row an LSTM of its own. It reads the weights of a `Mac` and nothing
else of it.
"""

from collections.abc import Collection, Sequence
from math import exp

import torch
from torch import Tensor, nn

from disconer.models.mac.inner import InnerLSTM, InnerScan
from disconer.models.mac.network import Mac
from disconer.models.mac.pairs import Concatenation, ConditionalLayerNorm
from disconer.models.settings import LearnedEdges
from disconer.schemes.grid import SegmentTag


def pair(module: nn.Module, condition: Tensor, word: Tensor) -> Tensor:
    """CLN(c, x), or the ablation relu(W[c; x] + b)."""
    if isinstance(module, Concatenation):
        matrix = torch.cat((module.condition.weight, module.input.weight), dim=1)
        return torch.relu(matrix @ torch.cat((condition, word)) + module.condition.bias)
    assert isinstance(module, ConditionalLayerNorm)
    mean = word.sum() / len(word)
    deviation = (((word - mean) ** 2).sum() / len(word) + 1e-6).sqrt()
    gain = module.gain.weight @ condition + module.gain.bias
    bias = module.bias.weight @ condition + module.bias.bias
    return gain * ((word - mean) / deviation) + bias


def inner(model: Mac, words: Tensor) -> Tensor:
    """The last state of a recurrence over some words: torch's own LSTM with the model's weights, or the scan."""
    if isinstance(model.inner, InnerScan):
        state = torch.zeros_like(words[0])
        for word in words:
            forget = torch.sigmoid(model.inner.forget.weight @ word + model.inner.forget.bias)
            state = forget * state + (1 - forget) * (model.inner.candidate.weight @ word + model.inner.candidate.bias)
        return state
    assert isinstance(model.inner, InnerLSTM)
    width = words.shape[1]
    lstm = nn.LSTM(width, width).double()
    lstm_parameters = {
        "weight_ih_l0": model.inner.words.weight,
        "weight_hh_l0": model.inner.states.weight,
        "bias_ih_l0": model.inner.words.bias,
        "bias_hh_l0": torch.zeros_like(model.inner.words.bias),
    }
    states, _ = torch.func.functional_call(lstm, lstm_parameters, (words,))
    last: Tensor = states[-1]
    return last


def segment_logits(model: Mac, words: Tensor, first: int, last: int) -> Tensor:
    """The segment grid at one place, for the vectors of one sentence's words."""
    projected = words @ model.segment_words.weight.T + model.segment_words.bias
    vector = pair(model.segment_pairs, projected[first], projected[last])
    if model.inner is not None:
        vector = vector + inner(model, projected[first : last + 1])
    if model.length is not None:
        vector = vector + model.length.weight[last - first]
    logits = model.segment_classifier.weight @ vector + model.segment_classifier.bias
    if model.word_scores is not None:
        walk = word_logits(model, words, first)[0].sigmoid() * word_logits(model, words, last)[1].sigmoid()
        for number in range(first, last):
            walk = walk * word_logits(model, words, number)[2].sigmoid()
        walk = walk.clamp(exp(-30), exp(-1e-4))
        logits = logits + torch.log(walk / (1 - walk))
    return logits


def word_logits(model: Mac, words: Tensor, number: int) -> Tensor:
    """What a word and its neighbours say of a segment that begins here, ends here, goes on behind: (3, tags)."""
    scores = model.word_scores
    assert scores is not None
    hidden = scores.here.weight @ words[number] + scores.here.bias
    if number > 0:
        hidden = hidden + scores.previous.weight @ words[number - 1]
    if number + 1 < len(words):
        hidden = hidden + scores.next.weight @ words[number + 1]
    return (scores.steps.weight @ torch.relu(hidden) + scores.steps.bias).view(3, -1)


def edge_logits(model: Mac, words: Tensor, source: int, target: int) -> Tensor:
    """The edge grid at one place."""
    projected = words @ model.edge_words.weight.T + model.edge_words.bias
    vector = pair(model.edge_pairs, projected[source], projected[target])
    return model.edge_classifier.weight @ vector + model.edge_classifier.bias


def loss(model: Mac, sentences: list[Tensor], mentions: list[list[tuple[str, tuple[tuple[int, int], ...]]]]) -> Tensor:
    """The objective J, summed cell by cell, tag by tag; a mean over sentences."""
    total = torch.zeros((), dtype=torch.double)
    for words, of_sentence in zip(sentences, mentions, strict=True):
        grids = model.scheme.encode(of_sentence)  # type: ignore[arg-type]
        if model.word_scores is not None:
            short = [cell for cell in grids.segments if cell.last - cell.first < model.longest]
            total = total + _word_loss(model, words, short)
        for first in range(len(words)):
            for last in range(first, min(len(words), first + model.longest)):
                tags = {(label, tag) for label, tag, i, j in grids.segments if (i, j) == (first, last)}
                total = total + _cell(segment_logits(model, words, first, last), tags, model.tags.segments)
            for target in range(len(words)):
                ends = {end for _, _, *own in grids.segments for end in own}
                if model.learned_edges is LearnedEdges.SEGMENTS and not ends >= {first, target}:
                    continue
                edges = {(label, tag) for label, tag, i, j in grids.edges if (i, j) == (first, target)}
                total = total + _cell(edge_logits(model, words, first, target), edges, model.tags.edges)
    return total / len(sentences)


def _word_loss(model: Mac, words: Tensor, segments: Collection[tuple[str, SegmentTag, int, int]]) -> Tensor:
    total = torch.zeros((), dtype=torch.double)
    for number in range(len(words)):
        starts, ends, goes_on = word_logits(model, words, number)
        begun = {(label, tag) for label, tag, first, _ in segments if first == number}
        total = total + _cell(starts, begun, model.tags.segments)
        for column, key in enumerate(model.tags.segments):
            held = [last for label, tag, first, last in segments if (label, tag) == key and first <= number <= last]
            if held:
                end, going = ends[column].sigmoid(), goes_on[column].sigmoid()
                total = total - torch.log(end if number in held else 1 - end)
                total = total - torch.log(going if max(held) > number else 1 - going)
    return total


def _cell(logits: Tensor, tags: Collection[object], columns: Sequence[object]) -> Tensor:
    total = torch.zeros((), dtype=torch.double)
    for logit, column in zip(logits, columns, strict=True):
        probability = 1 / (1 + torch.exp(-logit if column in tags else logit))  # of being right
        total = total - torch.log(probability)
    return total
