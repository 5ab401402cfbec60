"""The weights in a graph of ONNX: called after the parameters that they are, made small, and read back.

An exporter turns weights round and forgets their names. With names, and turned ones marked by `.T`, a model that was
exported can become one that learns again.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from disconer.exceptions import FormatError

_OURS, _TURNED = "parameter:", ".T"
"""What the names of weights begin with, which tells them from a graph's constants, and how those of turned ones end."""
_SMALL, _SCALE, _ZERO = "_quantized", "_scale", "_zero_point"
"""What onnxruntime adds to the names of weights of eight bits, what they must be multiplied with, and their zero."""
_LARGEST = 127
_FEW = 1 << 16
"""Numbers of a table that is not worth being made smaller."""

Floats = NDArray[np.float32]


def name_weights(model: onnx.ModelProto, parameters: Mapping[str, Floats]) -> None:
    """Call a graph's weights after the parameters whose numbers they are; those that stand there twice become one."""
    known: dict[str, str] = {}
    for name, array in parameters.items():
        known.setdefault(_fingerprint(array), _OURS + name)
    for name, array in parameters.items():
        known.setdefault(_fingerprint(array.T), _OURS + name + _TURNED)
    renamed: dict[str, str] = {}
    kept = []
    for weight in model.graph.initializer:
        name = known.get(_fingerprint(onnx.numpy_helper.to_array(weight)), weight.name)
        if name not in renamed.values():
            kept.append(onnx.TensorProto())
            kept[-1].CopyFrom(weight)
            kept[-1].name = name
        renamed[weight.name] = name
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    for node in model.graph.node:
        node.input[:] = [renamed.get(name, name) for name in node.input]


def compress_tables(model: onnx.ModelProto) -> None:
    """Let large tables, such as the embeddings of subwords, have eight bits a number and a scale a row."""
    graph = model.graph
    tables = {one.name: one for one in graph.initializer if len(one.dims) == 2 and np.prod(one.dims) > _FEW}
    others = {name for node in graph.node if not _is_look_up(node) for name in node.input}
    nodes: list[onnx.NodeProto] = []
    used: dict[str, None] = {}
    for node in graph.node:
        if _is_look_up(node) and node.input[0] in tables.keys() - others:
            used[node.input[0]] = None
            nodes += _look_up_compressed(node)
        else:
            nodes.append(node)
    for name in used:
        graph.initializer.extend(_compress(name, onnx.numpy_helper.to_array(tables[name])))
        graph.initializer.remove(tables[name])
    del graph.node[:]
    graph.node.extend(nodes)


def read_graph_weights(paths: Iterable[Path]) -> dict[str, Floats]:
    """Read the weights of graphs, by the names of their parameters, in single precision and as they were."""
    found: dict[str, Floats] = {}
    for path in paths:
        try:
            # Nothing but this file: a graph may name others, anywhere.
            weights = onnx.load(path, load_external_data=False).graph.initializer
            arrays = {one.name: onnx.numpy_helper.to_array(one) for one in weights if not one.external_data}
            found |= dict(_restore(name, arrays) for name in arrays if name.startswith(_OURS) and not _belongs(name))
        except (DecodeError, ValueError, TypeError, KeyError, OSError):
            raise FormatError("this graph is corrupt or incomplete: export the model again", path=path) from None
    return found


def _belongs(name: str) -> bool:
    """Whether this is a part of what another name stands for."""
    return name.endswith((_SCALE, _ZERO))


def _restore(name: str, arrays: Mapping[str, NDArray[Any]]) -> tuple[str, Floats]:
    """A parameter and its name."""
    array = arrays[name]
    if name.endswith(_SMALL):
        name = name.removesuffix(_SMALL)
        whole = array * arrays[name + _SCALE]  # zero is zero: the quantiser of weights is told so
        if whole.shape != array.shape:
            raise ValueError(name)
        array = whole
    name = name.removeprefix(_OURS)
    if name.endswith(_TURNED):
        name, array = name.removesuffix(_TURNED), array.T
    return name, np.array(array, np.float32, order="C")


def _is_look_up(node: onnx.NodeProto) -> bool:
    """Whether a node takes rows of a table."""
    return node.op_type == "Gather" and not any(attribute.i for attribute in node.attribute)  # the axis


def _look_up_compressed(node: onnx.NodeProto) -> list[onnx.NodeProto]:
    table, rows = node.input
    made = [f"{node.output[0]}_{part}" for part in ("small", "cast", "scale")]
    small, cast, scale = made
    return [
        onnx.helper.make_node("Gather", [table + _SMALL, rows], [small], name=small),
        onnx.helper.make_node("Cast", [small], [cast], name=cast, to=onnx.TensorProto.FLOAT),
        onnx.helper.make_node("Gather", [table + _SCALE, rows], [scale], name=scale),
        onnx.helper.make_node("Mul", [cast, scale], list(node.output), name=node.name),
    ]


def _compress(name: str, table: Floats) -> list[onnx.TensorProto]:
    scale = np.maximum(np.abs(table).max(1, keepdims=True) / _LARGEST, np.finfo(np.float32).tiny).astype(np.float32)
    small = np.rint(table / scale).astype(np.int8)
    return [onnx.numpy_helper.from_array(small, name + _SMALL), onnx.numpy_helper.from_array(scale, name + _SCALE)]


def _fingerprint(array: NDArray[Any]) -> str:
    digest = hashlib.blake2b(np.ascontiguousarray(array).tobytes())
    return f"{array.dtype}{array.shape}{digest.hexdigest()}"
