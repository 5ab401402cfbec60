"""A model that torch runs, and its way into a model directory and out of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import torch

from disconer.encoders.packing import Packed
from disconer.encoders.pretrained import architecture, check_reader, untrained
from disconer.encoders.reader import TextReader
from disconer.encoders.settings import EncoderSettings
from disconer.exceptions import located
from disconer.hardware import autocast, has_bfloat16
from disconer.models import directory, weights
from disconer.models.directory import Description
from disconer.models.inference import BUDGET
from disconer.models.model import Model
from disconer.models.networks import network
from disconer.models.settings import ModelName, ModelSettings
from disconer.runs import CONFIG, WEIGHTS
from disconer.schemes import Scheme

_GPU_BUDGET = 16_384
"""Pieces a batch: a GPU wants much to do at once."""


@dataclass(frozen=True)
class Trained:
    """A model with what it takes to use it and to build it again."""

    model: Model
    reader: TextReader
    labels: tuple[str, ...]
    encoder: EncoderSettings
    settings: ModelSettings
    """With all that was left open settled."""
    name: ModelName
    card: str = ""
    """What its model card says."""
    runtime: ClassVar[Literal["torch"]] = "torch"

    @property
    def scheme(self) -> Scheme:
        return self.model.scheme

    @property
    def description(self) -> Description:
        shape = architecture(self.model.encoder)
        return Description(self.name, self.labels, self.scheme, self.encoder, self.settings, self.reader, shape)

    @property
    def budget(self) -> int:
        return BUDGET if self._device.type == "cpu" else _GPU_BUDGET

    @property
    def smallest_batch(self) -> int:
        return self.budget  # a smaller one keeps all cores busy as well

    @property
    def cores(self) -> int:
        return torch.get_num_threads() if self._device.type == "cpu" else 1

    @contextmanager
    def workers(self) -> Iterator[int]:
        """Give every thread that asks one of the processor's cores."""
        count = self.cores
        if count == 1:
            yield 1
            return
        torch.set_num_threads(1)
        try:
            yield count
        finally:
            torch.set_num_threads(count)

    @property
    def _device(self) -> torch.device:
        return next(self.model.parameters()).device

    def outputs(self, packed: Packed, scheme: Any) -> Sequence[Any]:
        """Give what a scheme needs to decode each sentence of a batch."""
        device = self._device
        # On a processor, the last digits are worth the time.
        precision = "bfloat16" if device.type == "cuda" and has_bfloat16(device) else "float32"
        with autocast(device, precision):
            return self.model.outputs(packed, scheme)

    def save(self, path: Path) -> None:
        """Write a model directory, whole or not at all, in the place of one that is there."""
        save(self, path, self.card)


def save(trained: Trained, path: Path, card: str) -> None:
    """Write a model directory with this card, whole or not at all, in the place of one that is there."""
    with directory.new(path, trained.description, card) as folder:
        weights.save(weights.of(trained.model), folder / WEIGHTS)


def load(path: Path) -> Trained:
    """Read a model directory."""
    found = directory.described(path, WEIGHTS)
    with located(path / CONFIG), directory.damaged():
        weights.check_layers(found.architecture, path / WEIGHTS)
        with torch.device("meta"):  # where weights take no memory, however large a number somebody wrote
            sketch = _model(found)
        weights.check(sketch, path / WEIGHTS)
        model = _model(found)
        check_reader(found.reader, model.encoder)
    with located(path / WEIGHTS):
        weights.fill(model, weights.load(path / WEIGHTS))
    card = directory.card(path)
    return Trained(model.eval(), found.reader, found.labels, found.encoder, found.settings, found.model, card)


def _model(found: Description) -> Model:
    encoder = untrained(found.architecture, found.encoder)
    return network(found.model, encoder, found.labels, found.scheme, found.settings)
