"""Tensors that the networks share: words of a batch, padded or not, and the band of all segments.

A band is (length - 1, first word, column), with the words of the batch one after the other. Its segments include some
that reach into the next sentence, which mean nothing.
"""

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from disconer.encoders.batch import Batch, Integers
from disconer.models.logits import Floats


def to_float32(tensor: Tensor) -> Tensor:
    """Promote to single precision at least: half of it cannot tell probabilities near 1 apart."""
    return tensor.to(torch.promote_types(tensor.dtype, torch.float32))


def to_numpy(tensor: Tensor) -> Floats:
    """Copy to numpy, in single precision at least."""
    array: Floats = to_float32(tensor.detach()).cpu().numpy()
    return array


def sentence_lengths(batch: Batch, like: Tensor) -> Tensor:
    """Words of each sentence, on the device of another tensor."""
    return torch.from_numpy(batch.lengths).to(like.device)


def sentence_starts(batch: Batch) -> list[int]:
    """The number of each sentence's first word in the batch."""
    starts: list[int] = (np.cumsum(batch.lengths) - batch.lengths).tolist()
    return starts


def valid_positions(lengths: Tensor) -> Tensor:
    """Which positions of a padded batch hold a word: (sentences, words)."""
    longest = int(lengths.max()) if len(lengths) else 0
    return torch.arange(longest, device=lengths.device) < lengths[:, None]


def pad(words: Tensor, is_word: Tensor) -> Tensor:
    """Lay out what belongs to the words of a batch, sentence by sentence: (sentences, words, …)."""
    padded = words.new_zeros(*is_word.shape, *words.shape[1:])
    padded[is_word] = words
    return padded


def count_remaining_words(lengths: Tensor) -> Tensor:
    """For every word of a batch, how many words of its sentence follow, itself included."""
    ends = lengths.cumsum(0).repeat_interleave(lengths)
    return ends - torch.arange(len(ends), device=lengths.device)


def band_length(longest: int, lengths: Tensor) -> int:
    """Words of the longest segment that a batch can have, at least 1."""
    return max(min(longest, int(lengths.max()) if len(lengths) else 1), 1)


def band_loss(logits: Tensor, targets: Iterable[Integers], lengths: Tensor) -> Tensor:
    """Binary cross-entropy over the segments of a band that lie in one sentence.

    Targets are rows of first word, last word and column for each sentence; longer segments are left out.
    """
    expected = torch.zeros_like(logits)
    for start, rows in zip((lengths.cumsum(0) - lengths).tolist(), targets, strict=True):
        first, last, column = torch.from_numpy(rows).to(logits.device).unbind(1)
        inside = last - first < len(logits)
        expected[(last - first)[inside], start + first[inside], column[inside]] = 1
    in_sentence = torch.arange(len(logits), device=logits.device)[:, None] < count_remaining_words(lengths)
    return binary_cross_entropy(logits[in_sentence], expected[in_sentence])


def binary_cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Sum the paper's binary cross-entropy over all cells and tags."""
    return functional.binary_cross_entropy_with_logits(logits, targets, reduction="sum")
