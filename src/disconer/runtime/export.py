"""From a trained model to a directory that needs no torch."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from disconer.document import Document
from disconer.encoders.packing import Packed
from disconer.exceptions import InputError, RunError
from disconer.models import directory, weights
from disconer.models.directory import EDGES, GRAPH
from disconer.models.mac import Mac
from disconer.models.trained import Trained
from disconer.runtime.exported import INPUTS

_EXAMPLE = "Severe joint and shoulder pain after the second dose.", "No rash was seen."
"""What the graph is traced with. Any text would do: only the shapes are looked at."""


class Graph(nn.Module):
    """A model from pieces to what a `GridReader` reads, for batches of any size."""

    def __init__(self, model: Mac) -> None:
        super().__init__()
        self.model = model

    def forward(self, pieces: Tensor, is_piece: Tensor, places: Tensor, word_starts: Tensor) -> tuple[Tensor, ...]:
        words = self.model.encoder.words(pieces, is_piece, places, word_starts)
        segments = self.model.band_logits(self.model.segment_words(words), self.model.longest)
        return segments, *self.model.edge_pairs.parts(self.model.edge_words(words))


def export(trained: Trained, path: Path, card: str, int8: bool = False) -> None:
    """Write a directory of ONNX, whole or not at all, in single precision or with weights of eight bits."""
    model = trained.model
    if not isinstance(model, Mac):
        raise InputError("only models of the kind mac can be exported")
    sentences = [Document(text).sentences[0] for text in _EXAMPLE]
    packed = trained.reader.pack(trained.reader.pieces(sentences))
    with directory.new(path, trained.description, card) as folder:
        with _without_chatter():
            graph = _traced(Graph(model).cpu().eval(), packed)
            if int8:
                quantize_dynamic(
                    _with_plain_products(graph), folder / GRAPH, weight_type=QuantType.QInt8, per_channel=True
                )
            else:
                onnx.save(graph, folder / GRAPH)
        edges = {"weight": model.edge_classifier.weight.detach(), "bias": model.edge_classifier.bias.detach()}
        weights.save(edges, folder / EDGES)


def _traced(graph: Graph, packed: Packed) -> onnx.ModelProto:
    arguments = tuple(torch.from_numpy(getattr(packed, name)) for name in INPUTS)
    dynamic = torch.export.Dim.DYNAMIC
    shapes = {name: dict.fromkeys(range(value.dim()), dynamic) for name, value in zip(INPUTS, arguments, strict=True)}
    with torch.inference_mode():
        program: Any = torch.onnx.export(
            graph, arguments, input_names=INPUTS, dynamic_shapes=shapes, dynamo=True, external_data=False, verbose=False
        )
    found: onnx.ModelProto = program.model_proto
    return found


def _with_plain_products(model: onnx.ModelProto) -> onnx.ModelProto:
    """Turn products with a weight's transpose into plain ones, with the weight turned round once.

    The quantiser would do so for each of them, and turn a weight that several share round and round.
    """
    graph = model.graph
    used = {node.input[1] for node in graph.node if node.op_type == "Gemm"}
    for weight in graph.initializer:
        if weight.name in used:
            weight.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weight).T.copy(), weight.name))
    nodes = [plain for node in graph.node for plain in (_plain(node) if node.op_type == "Gemm" else (node,))]
    del graph.node[:], graph.value_info[:]  # the shapes in between, which the quantiser finds again
    graph.node.extend(nodes)
    return model


def _plain(node: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
    settings = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    if settings != {"alpha": 1.0, "beta": 1.0, "transA": 0, "transB": 1}:
        raise RunError(f"the exporter wrote a product that disconer does not know ({node.name})")
    words, weight, *bias = node.input
    if not bias:
        yield onnx.helper.make_node("MatMul", [words, weight], list(node.output), name=node.name)
        return
    product = f"{node.output[0]}_product"
    yield onnx.helper.make_node("MatMul", [words, weight], [product], name=node.name)
    yield onnx.helper.make_node("Add", [product, *bias], list(node.output), name=f"{node.name}_bias")


@contextmanager
def _without_chatter() -> Iterator[None]:
    """Keep what exporters say about their own insides from people, who cannot do anything about it."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
