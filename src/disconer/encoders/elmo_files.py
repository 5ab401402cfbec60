"""An ELMo from the two files in which it is published."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import torch
from torch import Tensor

from disconer.encoders.elmo import CharacterNetwork, Direction, ElmoEncoder, ElmoOptions
from disconer.encoders.tokenizer import CHARACTERS
from disconer.exceptions import FormatError, InputError, locate_errors
from disconer.foundation.files import read_text

_FORGET_BIAS = 1.0
"""What TensorFlow adds to the forget gate's bias when it runs an LSTM; the file's is without."""


def load_elmo(folder: Path) -> ElmoEncoder:
    """Read the one `*options.json` and the one `*weights.hdf5` of a folder."""
    if folder == Path():
        raise InputError("ELMo needs the folder of its options.json and its weights.hdf5: --encoder elmo:FOLDER")
    if not folder.is_dir():
        raise InputError(
            "there is no such folder: ELMo needs one with its options.json and its weights.hdf5", path=folder
        )
    options, weights = _read_options(_find_only(folder, "options.json")), _find_only(folder, "weights.hdf5")
    tensors = _read_tensors(weights, _expected_shapes(options))
    encoder = ElmoEncoder(options)
    with torch.no_grad():
        _fill_characters(encoder.characters, tensors)
        _fill_direction(encoder.forwards, tensors, 0)
        _fill_direction(encoder.backwards, tensors, 1)
    return encoder


def _find_only(folder: Path, ending: str) -> Path:
    found = list(folder.glob(f"*{ending}"))
    if len(found) != 1:
        raise InputError(f"there must be one file here whose name ends in {ending}, not {len(found)}", path=folder)
    return found[0]


def _read_options(path: Path) -> ElmoOptions:
    text = read_text(path)
    with locate_errors(path):
        try:
            parsed: Any = json.loads(text)
        except (ValueError, RecursionError):
            raise FormatError("this is not JSON") from None
        return ElmoOptions.from_json(parsed)


def _expected_shapes(options: ElmoOptions) -> dict[str, tuple[int, ...]]:
    """The names of a file's datasets, with the shapes that follow from the options."""
    filters, width, cell = options.filter_count, options.projection_width, options.cell_width
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (CHARACTERS - 1, options.character_width)}
    for number, (characters, count) in enumerate(options.filters):
        shapes[f"CNN/W_cnn_{number}"] = (1, characters, options.character_width, count)
        shapes[f"CNN/b_cnn_{number}"] = (count,)
    for number in range(options.highways):
        for part in ("transform", "carry"):
            shapes |= {f"CNN_high_{number}/W_{part}": (filters, filters), f"CNN_high_{number}/b_{part}": (filters,)}
    shapes |= {"CNN_proj/W_proj": (filters, width), "CNN_proj/b_proj": (width,)}
    for direction in range(2):
        for layer in range(options.layers):
            name = _lstm_name(direction, layer)
            shapes[f"{name}/W_0"] = (2 * width, 4 * cell)  # inputs and outputs, both as wide
            shapes[f"{name}/B"] = (4 * cell,)
            shapes[f"{name}/W_P_0"] = (cell, width)
    return shapes


def _lstm_name(direction: int, layer: int) -> str:
    return f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"


def _read_tensors(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """Read a file's datasets, after making sure that all are there and none has another shape."""
    with locate_errors(path):
        try:
            with h5py.File(path, "r") as file:
                for name, shape in shapes.items():
                    _check(file.get(name), name, shape)
                return {name: _read_tensor(file[name], name) for name in shapes}
        except InputError:
            raise
        except (OSError, RuntimeError, ValueError, KeyError, TypeError):  # what h5py makes of damage differs
            raise FormatError("these weights are corrupt or incomplete") from None


def _check(dataset: Any, name: str, shape: tuple[int, ...]) -> None:
    if not isinstance(dataset, h5py.Dataset):
        raise FormatError(f"the weights {name} are missing")
    if dataset.shape != shape:
        raise FormatError(f"the weights {name} have the shape {dataset.shape}; the options lead to {shape}")
    if dataset.dtype.kind != "f":
        raise FormatError(f"the weights {name} are no numbers with a fraction")


def _read_tensor(dataset: Any, name: str) -> Tensor:
    with np.errstate(over="ignore"):
        tensor = torch.from_numpy(dataset[()].astype(np.float32))
    if not tensor.isfinite().all():
        raise FormatError(f"the weights {name} are not all finite")
    return tensor


def _fill_characters(network: CharacterNetwork, tensors: Mapping[str, Tensor]) -> None:
    network.embedding.weight[1:] = tensors["char_embed"]
    for number, convolution in enumerate(network.convolutions):
        # From (1, characters, width, filters), a picture of a single line, to (filters, width, characters).
        _fill(convolution, tensors[f"CNN/W_cnn_{number}"][0].permute(2, 1, 0), tensors[f"CNN/b_cnn_{number}"])
    for number, highway in enumerate(network.highways):
        for part in ("transform", "carry"):
            weight, bias = (tensors[f"CNN_high_{number}/{kind}_{part}"] for kind in "Wb")
            _fill(getattr(highway, part), weight.T, bias)
    _fill(network.projection, tensors["CNN_proj/W_proj"].T, tensors["CNN_proj/b_proj"])


def _fill(part: Any, weight: Tensor, bias: Tensor) -> None:
    part.weight.copy_(weight)
    part.bias.copy_(bias)


def _fill_direction(direction: Direction, tensors: Mapping[str, Tensor], number: int) -> None:
    for layer, lstm in enumerate(direction.lstms):
        name = _lstm_name(number, layer)
        _fill_lstm(lstm, tensors[f"{name}/W_0"], tensors[f"{name}/B"], tensors[f"{name}/W_P_0"])


def _fill_lstm(lstm: Any, weight: Tensor, bias: Tensor, projection: Tensor) -> None:
    """Fill an LSTM; a file has the weights of its inputs above those of its outputs."""
    for_input, for_state = weight.chunk(2)
    lstm.input_weight.copy_(for_input)
    lstm.state_weight.copy_(for_state)
    lstm.bias.copy_(bias)
    forget = lstm.bias.chunk(4)[2]
    forget += _FORGET_BIAS
    lstm.projection.copy_(projection)
