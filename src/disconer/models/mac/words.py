"""What single words say of segments: that one begins here, and, of one that has come so far, that it ends or goes on.

A segment's words give it the probability of a walk: to begin at the first, to go on behind each but the last, to end at
the last. So every word of a mention teaches the model something, and not only the cell of the grid that stands for all
of them, and the ends that a segment may have compete. Along the band it is a running sum of logarithms.
"""

from collections.abc import Iterable
from math import log
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from disconer.encoders.batch import Integers
from disconer.models.mac.pairs import shift
from disconer.models.tensors import binary_cross_entropy, to_float32

_LEAST, _GREATEST = -30.0, -1e-4
"""Of the logarithm of a probability, so that its log-odds are numbers."""


class WordLogits(NamedTuple):
    """Of every word of a batch, for every tag of the segment grid: (words, tags)."""

    starts: Tensor
    """Of a segment that begins here."""
    ends: Tensor
    """Of a segment that ends here, if it has come so far."""
    goes_on: Tensor
    """Of a segment that goes on behind this word, if it has come so far."""

    def band(self, longest: int) -> Tensor:
        """The log-odds of all segments of up to `longest` words: (length - 1, first word, tag)."""
        reached, ends, goes_on = (functional.logsigmoid(to_float32(part)) for part in self)
        found = []
        for end, going in zip(shift(ends, longest), shift(goes_on, longest), strict=True):
            found.append(reached + end)
            reached = reached + going
        return log_odds(torch.stack(found))

    def loss(self, targets: Iterable[Integers], starts: Iterable[int], longest: int) -> Tensor:
        """Binary cross-entropy, summed; of ends and of going on, over the words that a true segment holds.

        Targets are rows of first word, last word and tag for each sentence; longer segments are left out.
        """
        expected = WordLogits(*(torch.zeros_like(part) for part in self))
        is_held = torch.zeros_like(self.ends, dtype=torch.bool)
        for start, rows in zip(starts, targets, strict=True):
            for first, last, tag in rows[rows[:, 1] - rows[:, 0] < longest].tolist():
                expected.starts[start + first, tag] = 1
                expected.ends[start + last, tag] = 1
                expected.goes_on[start + first : start + last, tag] = 1
                is_held[start + first : start + last + 1, tag] = True
        inside = (torch.cat((own.ends[is_held], own.goes_on[is_held])) for own in (self, expected))
        return binary_cross_entropy(self.starts, expected.starts) + binary_cross_entropy(*inside)


def log_odds(log_probability: Tensor) -> Tensor:
    """Turn log p into log p / (1 - p), within bounds."""
    return -(torch.exp(-log_probability.clamp(_LEAST, _GREATEST)) - 1).log()


class WordScores(nn.Module):
    """Scores words, each from its own vector and its two neighbours'."""

    def __init__(self, encoder_width: int, width: int, tags: int, prior: float) -> None:
        super().__init__()
        self.here = nn.Linear(encoder_width, width)
        self.previous = nn.Linear(encoder_width, width, bias=False)
        self.next = nn.Linear(encoder_width, width, bias=False)
        self.steps = nn.Linear(width, len(WordLogits._fields) * tags)
        nn.init.zeros_(self.steps.bias)
        nn.init.constant_(self.steps.bias[:tags], log(prior / (1 - prior)))

    def forward(self, words: Tensor, is_first: Tensor) -> WordLogits:
        """Score the words of a batch, of which some begin a sentence."""
        follows_one = (~is_first).to(words.dtype)[:, None]
        is_followed = functional.pad(follows_one, (0, 0, 0, 1))[1:]
        previous = functional.pad(self.previous(words), (0, 0, 1, 0))[:-1] * follows_one
        following = functional.pad(self.next(words), (0, 0, 0, 1))[1:] * is_followed
        hidden = torch.relu(self.here(words) + previous + following)
        return WordLogits(*self.steps(hidden).chunk(len(WordLogits._fields), dim=1))
