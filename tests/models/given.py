"""An encoder that has been told its answer, so that models can be tested with vectors of one's own."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Packed
from disconer.models.model import Model

WIDTH = 6


class GivenVectors(WordEncoder):
    """An encoder that has been told its answer."""

    width = WIDTH

    def __init__(self) -> None:
        super().__init__()
        self.vectors = nn.Parameter(torch.zeros(0, WIDTH))

    def forward(self, _: Packed) -> Tensor:
        return self.vectors


def packed_of(lengths: Sequence[int]) -> Packed:
    nothing = np.zeros(0, dtype=np.int64)
    return Packed(nothing, nothing.astype(np.bool_), nothing, nothing, np.array(lengths, dtype=np.int64))


def give(model: Model, sentences: Sequence[Tensor]) -> Packed:
    """Have the model read these word vectors."""
    cast("GivenVectors", model.encoder).vectors = nn.Parameter(torch.cat(list(sentences)))
    return packed_of([len(words) for words in sentences])


def random_sentences(*lengths: int) -> list[Tensor]:
    return [torch.randn(length, WIDTH, dtype=torch.double) for length in lengths]
