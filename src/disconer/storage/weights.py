"""Tensors in safetensors files, and into the parameters they belong to. No pickle."""

import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from disconer.exceptions import InputError
from disconer.foundation.files import replace_path


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


def check_weights(model: nn.Module, path: Path) -> None:
    """Make sure that a file holds a model's weights, before any memory is taken for them."""
    if _read_shapes(path) != {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}:
        raise InputError("these weights belong to another model", path=path)


def check_layers(architecture: Mapping[str, Any], path: Path) -> None:
    """Make sure that a transformer has no more layers than a file has weights, before any of them is made."""
    most = len(_read_shapes(path))
    if any("layer" in name and type(value) is int and value > most for name, value in architecture.items()):
        raise InputError("these weights belong to another model", path=path)


def _read_shapes(path: Path) -> dict[str, tuple[int, ...]]:
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
