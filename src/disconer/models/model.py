"""What training and prediction need of a model, whichever it is."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from torch import Tensor, nn

from disconer.encoders.batch import Batch
from disconer.encoders.encoder import WordEncoder
from disconer.passage import WordMention
from disconer.schemes import Scheme

SearchSpace = Sequence[Mapping[str, Sequence[Any]]]
"""Fields of a scheme, each with the values to try; all combinations of a group are tried."""
ParameterKeys = Mapping[str, Sequence[Sequence[Hashable]]]
"""By a parameter's name, what each index of its first dimensions stands for."""

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""The probabilities from which on something may count, of which dev chooses."""


class Model(nn.Module, ABC):
    """An encoder with a head that learns the labels of a scheme."""

    encoder: WordEncoder
    dropout: nn.Dropout
    """Of the encoder's vectors."""
    scheme: Scheme
    """Turns what `outputs` gives into mentions; its settings are chosen on dev and kept with the model."""

    @abstractmethod
    def targets(self, mentions: Iterable[WordMention], words: int) -> Any:
        """Encode the mentions of a sentence, which has this number of words, as `loss` wants them."""

    def loss(self, batch: Batch, targets: Sequence[Any]) -> Tensor:
        """The training objective of a batch, a mean over its sentences."""
        return self.head_loss(self.dropout(self.encoder(batch)), batch, targets)

    @abstractmethod
    def head_loss(self, words: Tensor, batch: Batch, targets: Sequence[Any]) -> Tensor:
        """The same for vectors of words that the encoder has given, for who needs them more than once."""

    @abstractmethod
    def outputs(self, batch: Batch, scheme: Any) -> list[Any]:
        """Predict what a scheme needs to decode each sentence."""

    @property
    @abstractmethod
    def search_space(self) -> SearchSpace:
        """The scheme's fields that dev decides; those that depend on each other stand in one group."""

    @property
    @abstractmethod
    def parameter_keys(self) -> ParameterKeys:
        """The keys of every parameter whose shape depends on the data.

        So another model, of other labels or of longer segments, can take over what the two have in common.
        """

    @property
    def lowest_scheme(self) -> Scheme:
        """The scheme whose `outputs` hold whatever any scheme of the search space needs."""
        return self.scheme


def linear_keys(name: str, output_keys: Sequence[Hashable]) -> dict[str, Sequence[Sequence[Hashable]]]:
    """The parameter keys of a linear layer, by what its outputs stand for."""
    return {f"{name}.weight": [output_keys], f"{name}.bias": [output_keys]}
