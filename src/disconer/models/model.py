"""What training and prediction need of a model, whichever it is."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from disconer.document import WordMention
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Packed
from disconer.models.reading import Numbers
from disconer.schemes import Scheme

Choices = Sequence[Mapping[str, Sequence[Any]]]

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""The probabilities from which on something may count, of which dev chooses."""


class Model(nn.Module, ABC):
    """An encoder with a head that learns the labels of a scheme."""

    encoder: WordEncoder
    scheme: Scheme
    """Turns what `outputs` gives into mentions; its settings are chosen on dev and kept with the model."""

    @abstractmethod
    def targets(self, mentions: Iterable[WordMention], words: int) -> Any:
        """Give what the model should answer for a sentence of so many words with these mentions, as `loss` wants it."""

    @abstractmethod
    def loss(self, packed: Packed, targets: Sequence[Any]) -> Tensor:
        """Give the training objective of a batch, a mean over its sentences."""

    @abstractmethod
    def outputs(self, packed: Packed, scheme: Any) -> list[Any]:
        """Give what a scheme needs to decode each sentence."""

    @property
    @abstractmethod
    def choices(self) -> Choices:
        """The scheme's fields that dev decides, each with the values worth trying.

        Fields that depend on each other stand in one group, of which all combinations are tried.
        """

    @property
    @abstractmethod
    def meanings(self) -> Mapping[str, Sequence[Sequence[Hashable]]]:
        """What the places of a parameter stand for, dimension by dimension, where its shape depends on the data.

        So another model, of other labels or of longer segments, can take over what the two have in common.
        """

    @property
    def lowest_scheme(self) -> Scheme:
        """The scheme whose `outputs` hold whatever any of the choices needs."""
        return self.scheme


def of_layer(name: str, meanings: Sequence[Hashable]) -> dict[str, Sequence[Sequence[Hashable]]]:
    """Give what the places of a linear layer's parameters stand for, by what its outputs do."""
    return {f"{name}.weight": [meanings], f"{name}.bias": [meanings]}


def single(tensor: Tensor) -> Tensor:
    """Give a tensor in single precision at least: half of it cannot tell probabilities near 1 apart."""
    return tensor.to(torch.promote_types(tensor.dtype, torch.float32))


def numbers(tensor: Tensor) -> Numbers:
    """Give numbers to numpy, in single precision at least."""
    given: Numbers = single(tensor.detach()).cpu().numpy()
    return given
