"""Segments of a batch as a band: (length - 1, first word of all the batch's, column)."""

from collections.abc import Iterable

import torch
from torch import Tensor

from disconer.encoders.packing import Integers


def remaining_words(lengths: Tensor) -> Tensor:
    """Tell for every word of a batch how many words of its sentence follow, itself included."""
    ends = lengths.cumsum(0).repeat_interleave(lengths)
    return ends - torch.arange(len(ends), device=lengths.device)


def band_length(longest: int, lengths: Tensor) -> int:
    """Give the length of the longest segment that a batch can have, at least 1."""
    return max(min(longest, int(lengths.max()) if len(lengths) else 1), 1)


def band_targets(rows: Iterable[Integers], lengths: Tensor, like: Tensor) -> Tensor:
    """Give a band with 1 where the rows of sentences, first word, last word and column, say so, but for longer ones."""
    expected = torch.zeros_like(like)
    for start, own in zip((lengths.cumsum(0) - lengths).tolist(), rows, strict=True):
        first, last, column = torch.from_numpy(own).to(like.device).unbind(1)
        inside = last - first < len(like)
        expected[(last - first)[inside], start + first[inside], column[inside]] = 1
    return expected
