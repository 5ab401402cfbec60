"""An exported model: onnxruntime and numpy do what torch did."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions
from safetensors import SafetensorError
from safetensors.numpy import load_file

from disconer.encoders.batch import Batch, rows_at_once
from disconer.encoders.settings import EncoderSettings, Recurrence
from disconer.encoders.tokenizer import Tokenizer
from disconer.exceptions import FormatError, RunError, locate_errors
from disconer.models.logits import Floats
from disconer.models.mac.grid_builder import GridBuilder, HeadOutputs
from disconer.models.mac.tags import GridTags
from disconer.models.registry import ModelName
from disconer.models.settings import MacSettings, ModelSettings, PairKind
from disconer.runtime.engine import BUDGET
from disconer.schemes import GridScheme
from disconer.schemes.grid import Grids
from disconer.storage.directory import DirectorySnapshot, read_description
from disconer.storage.paths import CONFIG, EDGES, ENCODER, HEADS

ENCODER_INPUTS = ("pieces", "is_piece")
"""What the encoder's graph is given: names in files, which stay."""
_MOST_SUBWORDS = 2048
"""That are read at once: a sentence may be as long as a book."""


@dataclass(frozen=True)
class OnnxEngine:
    """A model that onnxruntime runs."""

    labels: tuple[str, ...]
    scheme: GridScheme
    tokenizer: Tokenizer
    encoder: InferenceSession
    heads: InferenceSession
    grid_builder: GridBuilder
    cores: int
    source: DirectorySnapshot
    """What it was loaded from: a session cannot be written."""
    budget: int = BUDGET
    smallest_batch: ClassVar[int] = 64
    name: ClassVar[ModelName] = ModelName.MAC
    """The only one that can be exported."""
    runtime: ClassVar[Literal["onnx"]] = "onnx"

    @contextmanager
    def workers(self) -> Iterator[int]:
        """Let every thread compute by itself, as a session of one thread does."""
        yield self.cores

    def outputs(self, batch: Batch, scheme: GridScheme) -> Sequence[Grids]:
        """Predict the grids of every sentence of a batch."""
        return self.grid_builder.build(self.head_outputs(batch), batch.lengths, scheme)

    def head_outputs(self, batch: Batch) -> HeadOutputs:
        """Run encoder and heads on a batch."""
        vectors = self._subword_vectors(batch)[batch.subword_positions]
        inputs = describe_batch(vectors, batch)
        names = tuple(one.name for one in self.heads.get_inputs())
        segments, *edges = _run(self.heads, names, *(inputs[name] for name in names))
        return HeadOutputs(segments, tuple(edges))

    def save(self, path: Path) -> None:
        """Write a model directory, whole or not at all, in the place of one that is there."""
        self.source.copy(path)

    def _subword_vectors(self, batch: Batch) -> Floats:
        rows = rows_at_once(batch.input_ids, _MOST_SUBWORDS)
        found = []
        for start in range(0, len(batch.input_ids), rows):
            some = slice(start, start + rows)
            found += _run(self.encoder, ENCODER_INPUTS, batch.input_ids[some], batch.attention_mask[some])
        vectors: Floats = found[0] if len(found) == 1 else np.concatenate(found)
        return vectors.reshape(-1, vectors.shape[-1])


def load_onnx_engine(path: Path, threads: int | None = None) -> OnnxEngine:
    """Read a directory that `export` wrote."""
    source = DirectorySnapshot.take(path)
    found = read_description(path, ENCODER, HEADS, EDGES)
    scheme, settings = found.scheme, found.settings
    if not isinstance(scheme, GridScheme) or not isinstance(settings, MacSettings):
        raise FormatError("only models of the kind mac can be exported", path=path / CONFIG)
    encoder = _open_session(path / ENCODER, ENCODER_INPUTS)
    heads = _open_session(path / HEADS, heads_inputs(found.encoder, settings))
    grid_builder = _load_grid_builder(GridTags(found.labels, scheme), settings, path / EDGES)
    with locate_errors(path / HEADS):
        _check_outputs(heads, settings, grid_builder)
    cores = threads or _count_cores()
    return OnnxEngine(found.labels, scheme, found.tokenizer, encoder, heads, grid_builder, cores, source)


def describe_batch(vectors: Floats, batch: Batch) -> dict[str, NDArray[Any]]:
    """Everything that a graph of heads may be given, by its name in files, which stays; `vectors` are the subwords'."""
    rows, reversed_rows = batch.word_rows
    return {
        "vectors": vectors,
        "word_starts": batch.word_starts,
        "is_first": batch.is_first,
        "rows": rows,
        "reversed_rows": reversed_rows,
    }


def heads_inputs(encoder: EncoderSettings, settings: ModelSettings) -> tuple[str, ...]:
    """What the heads of a model are given: of sentences, only what they need to know."""
    names = ["vectors", "word_starts"]
    if isinstance(settings, MacSettings) and settings.words:
        names.append("is_first")
    if encoder.recurrence is not Recurrence.NONE:
        names += ("rows", "reversed_rows")
    return tuple(names)


def _load_grid_builder(tags: GridTags, settings: MacSettings, path: Path) -> GridBuilder:
    with locate_errors(path):
        try:
            edges = load_file(path)
            weight, bias = edges["weight"], edges["bias"]
        except (SafetensorError, OSError, KeyError):
            raise FormatError("these weights are corrupt or incomplete: export the model again") from None
        if weight.ndim != 2 or len(weight) != len(tags.edges) or bias.shape != weight.shape[:1]:
            raise FormatError("these weights belong to another model")
        if weight.dtype != np.float32 or bias.dtype != np.float32 or not np.isfinite([weight.sum(), bias.sum()]).all():
            raise FormatError("these weights are no numbers that a model could have: export the model again")
    return GridBuilder(tags, settings.pairs, weight, bias)


def _check_outputs(heads: InferenceSession, settings: MacSettings, grid_builder: GridBuilder) -> None:
    """Make sure that a graph's outputs have the shapes that follow from the description."""
    segments, *edges = (output.shape for output in heads.get_outputs())
    expected = [settings.longest_segment, len(grid_builder.tags.segments)]
    widths = [grid_builder.edge_weights.shape[1]] * (3 if settings.pairs is PairKind.CLN else 2)
    if [segments[0], segments[-1]] != expected or [shape[-1] for shape in edges] != widths:
        raise FormatError("this graph belongs to another model")


def _run(session: InferenceSession, names: tuple[str, ...], *inputs: NDArray[Any]) -> list[Floats]:
    try:
        outputs: list[Floats] = session.run(None, dict(zip(names, inputs, strict=True)))
    except Exception as error:  # onnxruntime's have nothing else in common
        if "alloc" in str(error).lower():
            raise MemoryError from None
        raise RunError("onnxruntime cannot run this model on this text: export the model again") from None
    return outputs


def _open_session(path: Path, inputs: tuple[str, ...]) -> InferenceSession:
    """Read a graph, to be run by one thread at a time or by several, each by itself."""
    options = SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    with locate_errors(path):
        try:
            session = InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception:
            raise FormatError("this graph is corrupt or incomplete: export the model again") from None
        if tuple(one.name for one in session.get_inputs()) != inputs:
            raise FormatError("this graph belongs to another model")
    return session


def _count_cores() -> int:
    """Count the processor's cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
