"""What training and prediction need of a model, whichever it is."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from torch import Tensor, nn

from disconer.document import WordMention
from disconer.encoders.packing import Packed
from disconer.encoders.transformer import Encoder

Choices = Sequence[Mapping[str, Sequence[Any]]]


class Model(nn.Module, ABC):
    """An encoder with a head that learns the labels of a scheme."""

    encoder: Encoder
    scheme: Any
    """Turns what `outputs` gives into mentions; its settings are chosen on dev and kept with the model."""

    @abstractmethod
    def targets(self, mentions: Iterable[WordMention]) -> Any:
        """Give what the model should answer for a sentence with these mentions, as `loss` wants it."""

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
    def lowest_scheme(self) -> Any:
        """The scheme whose `outputs` hold whatever any of the choices needs."""
