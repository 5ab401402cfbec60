"""Batches of unlike sentences: from one long list of words to a padded rectangle."""

import numpy as np
import torch
from torch import Tensor

from disconer.encoders.packing import Packed


def sentence_lengths(packed: Packed, like: Tensor) -> Tensor:
    """Give how many words each sentence of a batch has, beside another tensor."""
    return torch.from_numpy(packed.lengths).to(like.device)


def sentence_starts(packed: Packed) -> list[int]:
    """Give the number of each sentence's first word in the batch."""
    starts: list[int] = (np.cumsum(packed.lengths) - packed.lengths).tolist()
    return starts


def word_places(lengths: Tensor) -> Tensor:
    """Tell which places of a padded batch hold a word: (sentences, words)."""
    longest = int(lengths.max()) if len(lengths) else 0
    return torch.arange(longest, device=lengths.device) < lengths[:, None]


def rectangle(words: Tensor, is_word: Tensor) -> Tensor:
    """Lay out what belongs to the words of a batch, sentence by sentence: (sentences, words, …)."""
    laid_out = words.new_zeros(*is_word.shape, *words.shape[1:])
    laid_out[is_word] = words
    return laid_out
