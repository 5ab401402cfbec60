"""From a trained model to a directory that needs no torch."""

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from disconer.document import Document
from disconer.encoders.packing import Packed
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
    model: Mac = trained.model
    sentences = [Document(text).sentences[0] for text in _EXAMPLE]
    packed = trained.reader.pack(trained.reader.pieces(sentences))
    with directory.new(path, trained.description, card) as folder:
        _write_graph(Graph(model).cpu().eval(), packed, folder / GRAPH, int8)
        edges = {"weight": model.edge_classifier.weight.detach(), "bias": model.edge_classifier.bias.detach()}
        weights.save(edges, folder / EDGES)


def _write_graph(graph: Graph, packed: Packed, path: Path, int8: bool) -> None:
    arguments = tuple(torch.from_numpy(getattr(packed, name)) for name in INPUTS)
    dynamic = torch.export.Dim.DYNAMIC
    shapes = {name: dict.fromkeys(range(value.dim()), dynamic) for name, value in zip(INPUTS, arguments, strict=True)}
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")  # of deprecations inside the exporter, about which nobody here can do anything
        program: Any = torch.onnx.export(
            graph, arguments, input_names=INPUTS, dynamic_shapes=shapes, dynamo=True, external_data=False, verbose=False
        )
    if not int8:
        program.save(path)
        return
    with TemporaryDirectory() as temporary:
        plain = Path(temporary) / GRAPH
        program.save(plain)
        quantize_dynamic(plain, path, weight_type=QuantType.QInt8, per_channel=True)
    onnx.checker.check_model(path)
