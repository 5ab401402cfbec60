"""What single words say of segments: that one begins here, that one ends here, that one holds this word.

A segment's share of it is start(i) + end(j) + the sum of inside(i … j), so that every word of a mention teaches the
model something, and not only the cell of the grid that stands for all of them. Along the band it is a running sum.
"""

from collections.abc import Iterable
from math import log
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from disconer.encoders.batch import Integers
from disconer.models.mac.pairs import shift
from disconer.models.tensors import binary_cross_entropy


class WordLogits(NamedTuple):
    """Of every word of a batch, for every tag of the segment grid: (words, tags)."""

    starts: Tensor
    ends: Tensor
    inside: Tensor

    def band(self, longest: int) -> Tensor:
        """The logits of all segments of up to `longest` words: (length - 1, first word, tag)."""
        held = torch.zeros_like(self.inside)
        found = []
        for ends, inside in zip(shift(self.ends, longest), shift(self.inside, longest), strict=True):
            held = held + inside
            found.append(self.starts + held + ends)
        return torch.stack(found)

    def loss(self, targets: Iterable[Integers], starts: Iterable[int], longest: int) -> Tensor:
        """Binary cross-entropy, summed.

        Targets are rows of first word, last word and tag for each sentence; longer segments are left out.
        """
        expected = WordLogits(*(torch.zeros_like(part) for part in self))
        for start, rows in zip(starts, targets, strict=True):
            for first, last, tag in rows[rows[:, 1] - rows[:, 0] < longest].tolist():
                expected.starts[start + first, tag] = 1
                expected.ends[start + last, tag] = 1
                expected.inside[start + first : start + last + 1, tag] = 1
        return binary_cross_entropy(torch.cat(self), torch.cat(expected))


class WordScores(nn.Module):
    """Scores words, each from its own vector and its two neighbours'."""

    def __init__(self, encoder_width: int, width: int, tags: int, prior: float) -> None:
        super().__init__()
        self.here = nn.Linear(encoder_width, width)
        self.previous = nn.Linear(encoder_width, width, bias=False)
        self.next = nn.Linear(encoder_width, width, bias=False)
        self.classifier = nn.Linear(width, len(WordLogits._fields) * tags)
        nn.init.constant_(self.classifier.bias, log(prior / (1 - prior)))

    def forward(self, words: Tensor, is_first: Tensor) -> WordLogits:
        """Score the words of a batch, of which some begin a sentence."""
        follows_one = (~is_first).to(words.dtype)[:, None]
        is_followed = functional.pad(follows_one, (0, 0, 0, 1))[1:]
        previous = functional.pad(self.previous(words), (0, 0, 1, 0))[:-1] * follows_one
        following = functional.pad(self.next(words), (0, 0, 0, 1))[1:] * is_followed
        hidden = torch.relu(self.here(words) + previous + following)
        return WordLogits(*self.classifier(hidden).chunk(len(WordLogits._fields), dim=1))
