"""From a trained model to a directory that needs no torch."""

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import onnx
import onnxscript  # noqa: F401 (torch's exporter needs it, and says so late)
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from disconer.document import Document
from disconer.encoders.encoder import TransformerEncoder
from disconer.exceptions import InputError, RunError
from disconer.models.mac.network import Mac
from disconer.runtime.onnx_engine import ENCODER_INPUTS, describe_batch, heads_inputs
from disconer.runtime.torch_engine import TorchEngine
from disconer.storage.directory import write_model_directory
from disconer.storage.graph_weights import compress_tables, name_weights, read_graph_weights
from disconer.storage.paths import EDGES, ENCODER, HEADS, REST
from disconer.storage.weights import collect_weights, save_tensors

_EXAMPLE = "Severe joint and shoulder pain after the second dose.", "No rash was seen."
"""What the graph is traced with. Any text would do: only the shapes are looked at."""

_MOST_STEPS = 64
"""Words of the longest segment: a graph has no loop, so that each takes a step of its own."""


class EncoderGraph(nn.Module):
    """From rows of subwords to their vectors. The arguments' names are those of the file, and so must stay."""

    def __init__(self, encoder: TransformerEncoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, pieces: Tensor, is_piece: Tensor) -> Tensor:
        return self.encoder.subword_vectors(pieces, is_piece)


class HeadsGraph(nn.Module):
    """From the vectors of subwords to what a `GridBuilder` takes."""

    def __init__(self, model: Mac, encoder: TransformerEncoder) -> None:
        super().__init__()
        self.model = model
        self.encoder = encoder

    def forward(
        self,
        vectors: Tensor,
        word_starts: Tensor,
        is_first: Tensor | None = None,
        rows: Tensor | None = None,
        reversed_rows: Tensor | None = None,
    ) -> tuple[Tensor, ...]:
        words = self.encoder.word_vectors(vectors, word_starts)
        if self.encoder.recurrence is not None:
            if rows is None or reversed_rows is None:
                raise TypeError("an encoder with a recurrence needs the rows of words")
            words = self.encoder.recurrence.read(words, rows, reversed_rows)
        scores = self.model.word_scores
        word_logits = None if scores is None or is_first is None else scores(words, is_first)
        segments = self.model.band_logits(words, self.model.longest, word_logits)
        return segments, *self.model.edge_pairs.parts(self.model.edge_words(words))


def export(engine: TorchEngine, path: Path, card: str, int8: bool = False) -> None:
    """Write a directory of ONNX, whole or not at all, in single precision or with weights of eight bits."""
    model, encoder = engine.model, engine.model.encoder
    if not isinstance(model, Mac) or not isinstance(encoder, TransformerEncoder):
        raise InputError("only models of the kind mac on a transformer can be exported")
    if model.longest > _MOST_STEPS:
        raise InputError(
            f"a model of segments of up to {model.longest} words cannot be exported: train it with mac.longest_segment "
            f"at most {_MOST_STEPS}"
        )
    model = model.cpu().eval()
    sentences = [Document(text).sentences[0] for text in _EXAMPLE]
    batch = engine.tokenizer.collate(engine.tokenizer.tokenize(sentences))
    input_ids, attention_mask = map(torch.from_numpy, (batch.input_ids, batch.attention_mask))
    vectors = torch.zeros(len(batch.subword_positions), model.encoder.width)
    with write_model_directory(path, engine.description, _add_to_card(card, int8)) as folder:
        of_rows = dict(zip(ENCODER_INPUTS, (input_ids, attention_mask), strict=True))
        weights = {name: weight.numpy() for name, weight in collect_weights(model).items()}
        _write(EncoderGraph(encoder), of_rows, folder / ENCODER, weights, int8)
        of_words = describe_batch(vectors.numpy(), batch)
        needed = {name: torch.from_numpy(of_words[name]) for name in heads_inputs(engine.encoder, engine.settings)}
        _write(HeadsGraph(model, encoder), needed, folder / HEADS, weights, int8)
        edges = {"weight": model.edge_classifier.weight.detach(), "bias": model.edge_classifier.bias.detach()}
        save_tensors(edges, folder / EDGES)
        held = read_graph_weights((folder / ENCODER, folder / HEADS))
        save_tensors({name: torch.from_numpy(weights[name]) for name in weights.keys() - held.keys()}, folder / REST)


def _add_to_card(card: str, int8: bool) -> str:
    """Add to a model's card what became of the model: the scores on it are from before."""
    if not card:
        return ""
    kind = "with weights of eight bits" if int8 else "in single precision"
    return f"{card.rstrip()}\n\n## Exported\n\nFor onnxruntime, {kind}. The scores are those that it had before.\n"


def _write(
    graph: nn.Module, inputs: Mapping[str, Tensor], path: Path, weights: Mapping[str, NDArray[Any]], int8: bool
) -> None:
    dynamic = torch.export.Dim.DYNAMIC
    # The width of vectors is the encoder's; all else depends on the texts.
    shapes = {
        name: {0: dynamic} if name == "vectors" else dict.fromkeys(range(value.dim()), dynamic)
        for name, value in inputs.items()
    }
    with _silence_exporters():
        program = _trace(graph, inputs, shapes)
        model = _strip_origins(program.model_proto)
        if not int8:
            name_weights(model, weights)
            onnx.save(model, path)
            return
        _use_plain_products(model)
        name_weights(model, weights)
        compress_tables(model)
        # With all eight bits, sums of two products overflow on processors without VNNI.
        options = {"weight_type": QuantType.QInt8, "per_channel": True, "reduce_range": True}
        quantize_dynamic(model, path, ["MatMul"], **options)


def _trace(graph: nn.Module, inputs: Mapping[str, Tensor], shapes: Mapping[str, Any]) -> Any:
    options: dict[str, Any] = {"dynamic_shapes": shapes, "dynamo": True, "external_data": False, "verbose": False}
    try:
        with torch.inference_mode():
            return torch.onnx.export(graph, (), kwargs=dict(inputs), input_names=[*inputs], **options)
    except Exception as error:  # an exporter that meets an unknown transformer may raise anything
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise RunError(f"this model cannot be exported: {reason}") from None


def _strip_origins(model: onnx.ModelProto) -> onnx.ModelProto:
    """Leave out where in which file of this machine each node comes from, and the shapes in between."""
    graph = model.graph
    del model.metadata_props[:], graph.metadata_props[:], graph.value_info[:]
    for part in (*graph.node, *graph.input, *graph.output, *graph.initializer):
        del part.metadata_props[:]
        part.doc_string = ""
    return model


def _use_plain_products(model: onnx.ModelProto) -> None:
    """Turn products with a weight's transpose into plain ones, with the weight turned round once.

    The quantiser would do so for each of them, and turn a weight that several share round and round.
    """
    graph = model.graph
    used = {node.input[1] for node in graph.node if node.op_type == "Gemm"}
    for weight in graph.initializer:
        if weight.name in used:
            weight.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weight).T.copy(), weight.name))
    nodes = [plain for node in graph.node for plain in (_as_plain_product(node) if node.op_type == "Gemm" else (node,))]
    del graph.node[:]
    graph.node.extend(nodes)


def _as_plain_product(node: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
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
def _silence_exporters() -> Iterator[None]:
    """Keep what exporters say about their own insides from people, who cannot do anything about it."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
