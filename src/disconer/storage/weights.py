"""Tensors in the files of a model directory, and into the parameters they belong to. No pickle."""

import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from disconer.exceptions import InputError
from disconer.foundation.extras import require_extra
from disconer.foundation.files import replace_path
from disconer.storage.directory import is_exported
from disconer.storage.paths import ENCODER, HEADS, REST, WEIGHTS

Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class StoredWeights:
    """The weights of a model directory: how large they are is known before they are read."""

    path: Path
    """The file that errors name."""
    shapes: Shapes
    load: Callable[[], Mapping[str, Tensor]]

    @classmethod
    def find(cls, folder: Path) -> "StoredWeights":
        """Find what torch can load, which an exported model has as well, in the precision that it was exported with."""
        if not is_exported(folder):
            path = folder / WEIGHTS
            return cls(path, _read_shapes(path), lambda: load_tensors(path))
        with require_extra("export"):
            from disconer.storage.graph_weights import read_graph_weights  # noqa: PLC0415 (only here onnx is needed)
        read = read_graph_weights((folder / ENCODER, folder / HEADS))
        tensors = {name: torch.from_numpy(array) for name, array in read.items()} | load_tensors(folder / REST)
        return cls(folder / ENCODER, {name: tuple(one.shape) for name, one in tensors.items()}, lambda: tensors)


def save_tensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write tensors, whole or not at all."""
    with replace_path(path) as temporary:
        temporary.touch()
        mode = temporary.stat().st_mode  # safetensors would let nobody else read it
        try:
            safetensors.torch.save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, temporary)
        except SafetensorError as error:  # a full disk, most likely; its errors do not say more than a text
            raise OSError(None, str(error)) from None
        temporary.chmod(stat.S_IMODE(mode))


def load_tensors(path: Path) -> dict[str, Tensor]:
    try:
        return safetensors.torch.load_file(path)
    except (SafetensorError, OSError):
        raise InputError("these weights are corrupt or incomplete", path=path) from None


def check_weights(model: nn.Module, shapes: Shapes) -> None:
    """Make sure that weights of these shapes are a model's, before any memory is taken for them."""
    if shapes != {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}:
        raise InputError("these weights belong to another model")


def check_layers(architecture: Mapping[str, Any], shapes: Shapes) -> None:
    """Make sure that a transformer has no more layers than there are weights, before any of them is made."""
    if any("layer" in name and type(value) is int and value > len(shapes) for name, value in architecture.items()):
        raise InputError("these weights belong to another model")


def _read_shapes(path: Path) -> Shapes:
    try:
        with safetensors.safe_open(path, "pt") as file:
            return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError):
        raise InputError("these weights are corrupt or incomplete", path=path) from None


def collect_weights(model: nn.Module) -> dict[str, Tensor]:
    """A model's weights by name; those that go under two names, under the first only."""
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


def fill_weights(model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Put weights into a model, which must be all that it has."""
    parameters = dict(model.named_parameters())
    shapes = {name: parameter.shape for name, parameter in parameters.items()}
    if shapes != {name: tensor.shape for name, tensor in tensors.items()}:
        raise InputError("these weights belong to another model")
    if not all(tensor.is_floating_point() and tensor.isfinite().all() for tensor in tensors.values()):
        raise InputError("these weights are not all numbers")
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(tensors[name])
