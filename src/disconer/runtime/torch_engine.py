"""A model that torch runs, and its way into a model directory and out of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import torch

from disconer.encoders.batch import Batch
from disconer.encoders.pretrained import build_encoder, check_tokenizer, describe_architecture
from disconer.encoders.settings import EncoderSettings
from disconer.encoders.tokenizer import Tokenizer
from disconer.exceptions import locate_errors
from disconer.foundation.hardware import autocast, has_bfloat16
from disconer.models.model import Model
from disconer.models.registry import ModelName, build_network
from disconer.models.settings import ModelSettings
from disconer.runtime.engine import BUDGET
from disconer.schemes import Scheme
from disconer.storage.directory import (
    Description,
    is_exported,
    read_card,
    read_description,
    report_damage,
    write_model_directory,
)  # fmt: skip
from disconer.storage.paths import CONFIG, ENCODER, HEADS, REST, WEIGHTS
from disconer.storage.weights import (
    StoredWeights,
    check_layers,
    check_weights,
    collect_weights,
    fill_weights,
    save_tensors,
)  # fmt: skip

_GPU_BUDGET = 16_384
"""Subwords a batch: a GPU wants much to do at once."""


@dataclass(frozen=True)
class TorchEngine:
    """A model that torch runs, with what it takes to build it again."""

    model: Model
    tokenizer: Tokenizer
    labels: tuple[str, ...]
    encoder: EncoderSettings
    settings: ModelSettings
    """With all that was left open resolved."""
    name: ModelName
    card: str = ""
    """What its model card says."""
    runtime: ClassVar[Literal["torch"]] = "torch"

    @property
    def scheme(self) -> Scheme:
        return self.model.scheme

    @property
    def description(self) -> Description:
        shape = describe_architecture(self.model.encoder)
        return Description(self.name, self.labels, self.scheme, self.encoder, self.settings, self.tokenizer, shape)

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
        """Leave every thread one of the processor's cores."""
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

    def outputs(self, batch: Batch, scheme: Any) -> Sequence[Any]:
        """Predict what a scheme needs to decode each sentence of a batch."""
        device = self._device
        # On a processor, the last digits are worth the time.
        precision = "bfloat16" if device.type == "cuda" and has_bfloat16(device) else "float32"
        with autocast(device, precision):
            return self.model.outputs(batch, scheme)

    def save(self, path: Path, card: str | None = None) -> None:
        """Write a model directory, whole or not at all, in the place of one that is there; its card may be replaced."""
        with write_model_directory(path, self.description, self.card if card is None else card) as folder:
            save_tensors(collect_weights(self.model), folder / WEIGHTS)


def read_torch_description(path: Path) -> Description:
    """Read what a model directory says of its model, after making sure that torch can load it."""
    return read_description(path, *((ENCODER, HEADS, REST) if is_exported(path) else (WEIGHTS,)))


def load_torch_engine(path: Path) -> TorchEngine:
    """Read a model directory; an exported one, too, for those who want to go on from it."""
    description = read_torch_description(path)
    weights = StoredWeights.find(path)
    with locate_errors(path / CONFIG), report_damage():
        with locate_errors(weights.path):
            check_layers(description.architecture, weights.shapes)
        with torch.device("meta"):  # where weights take no memory, however large a number somebody wrote
            sketch = _build_model(description)
        with locate_errors(weights.path):
            check_weights(sketch, weights.shapes)
        model = _build_model(description)
        check_tokenizer(description.tokenizer, model.encoder)
    with locate_errors(weights.path):
        fill_weights(model, weights.load())
    return TorchEngine(
        model.eval(), description.tokenizer, description.labels, description.encoder, description.settings,
        description.model, read_card(path),
    )  # fmt: skip


def _build_model(found: Description) -> Model:
    encoder = build_encoder(found.architecture, found.encoder)
    return build_network(found.model, encoder, found.labels, found.scheme, found.settings)
