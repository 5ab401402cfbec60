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

from disconer.encoders.packing import Packed, rows_at_once
from disconer.encoders.reader import TextReader
from disconer.exceptions import FormatError, RunError, located
from disconer.models import directory
from disconer.models.inference import BUDGET
from disconer.models.original import Original
from disconer.models.reading import Answers, GridReader, Numbers
from disconer.models.settings import MacSettings, ModelName, PairKind
from disconer.models.tags import GridTags
from disconer.runs import CONFIG, EDGES, ENCODER, HEADS
from disconer.schemes import GridScheme
from disconer.schemes.grid import Grids

ENCODER_INPUTS, HEADS_INPUTS = ("pieces", "is_piece"), ("vectors", "word_starts")
"""What the two graphs are given."""
_MOST_PIECES = 2048
"""That are read at once: a sentence may be as long as a book."""


@dataclass(frozen=True)
class Exported:
    """A model that onnxruntime runs."""

    labels: tuple[str, ...]
    scheme: GridScheme
    reader: TextReader
    encoder: InferenceSession
    heads: InferenceSession
    grid_reader: GridReader
    cores: int
    original: Original
    """What it was loaded from: a session cannot be written."""
    budget: int = BUDGET
    smallest_batch: ClassVar[int] = 64
    name: ClassVar[ModelName] = ModelName.MAC
    """The only one that can be exported."""
    runtime: ClassVar[Literal["onnx"]] = "onnx"

    @contextmanager
    def workers(self) -> Iterator[int]:
        """Let every thread that asks compute by itself, as a session of one thread does."""
        yield self.cores

    def outputs(self, packed: Packed, scheme: GridScheme) -> Sequence[Grids]:
        """Give the grids of every sentence of a batch."""
        return self.grid_reader.grids(self.answers(packed), packed.lengths, scheme)

    def answers(self, packed: Packed) -> Answers:
        """Give what the heads say of a batch."""
        vectors = self._piece_vectors(packed)[packed.places]
        segments, *edges = _answer(self.heads, HEADS_INPUTS, vectors, packed.word_starts)
        return Answers(segments, tuple(edges))

    def save(self, path: Path) -> None:
        """Write a model directory, whole or not at all, in the place of one that is there."""
        self.original.copy(path)

    def _piece_vectors(self, packed: Packed) -> Numbers:
        rows = rows_at_once(packed.pieces, _MOST_PIECES)
        found = []
        for start in range(0, len(packed.pieces), rows):
            some = slice(start, start + rows)
            found += _answer(self.encoder, ENCODER_INPUTS, packed.pieces[some], packed.is_piece[some])
        vectors: Numbers = found[0] if len(found) == 1 else np.concatenate(found)
        return vectors.reshape(-1, vectors.shape[-1])


def load(path: Path, threads: int | None = None) -> Exported:
    """Read a directory that `export` wrote."""
    original = Original.of(path)
    found = directory.described(path, ENCODER, HEADS, EDGES)
    scheme, settings = found.scheme, found.settings
    if not isinstance(scheme, GridScheme) or not isinstance(settings, MacSettings):
        raise FormatError("only models of the kind mac can be exported", path=path / CONFIG)
    encoder, heads = _session(path / ENCODER, ENCODER_INPUTS), _session(path / HEADS, HEADS_INPUTS)
    grid_reader = _grid_reader(GridTags(found.labels, scheme), settings, path / EDGES)
    with located(path / HEADS):
        _check_outputs(heads, settings, grid_reader)
    return Exported(found.labels, scheme, found.reader, encoder, heads, grid_reader, threads or _cores(), original)


def _grid_reader(tags: GridTags, settings: MacSettings, path: Path) -> GridReader:
    with located(path):
        try:
            edges = load_file(path)
            weight, bias = edges["weight"], edges["bias"]
        except (SafetensorError, OSError, KeyError):
            raise FormatError("these weights are corrupt or incomplete: export the model again") from None
        if weight.ndim != 2 or len(weight) != len(tags.edges) or bias.shape != weight.shape[:1]:
            raise FormatError("these weights belong to another model")
        if weight.dtype != np.float32 or bias.dtype != np.float32 or not np.isfinite([weight.sum(), bias.sum()]).all():
            raise FormatError("these weights are no numbers that a model could have: export the model again")
    return GridReader(tags, settings.pairs, weight, bias)


def _check_outputs(heads: InferenceSession, settings: MacSettings, grid_reader: GridReader) -> None:
    """Make sure that what a graph gives is what the description leads one to expect."""
    segments, *edges = (output.shape for output in heads.get_outputs())
    expected = [settings.longest_segment, len(grid_reader.tags.segments)]
    widths = [grid_reader.edge_weights.shape[1]] * (3 if settings.pairs is PairKind.CLN else 2)
    if [segments[0], segments[-1]] != expected or [shape[-1] for shape in edges] != widths:
        raise FormatError("this graph belongs to another model")


def _answer(session: InferenceSession, names: tuple[str, ...], *inputs: NDArray[Any]) -> list[Numbers]:
    try:
        answers: list[Numbers] = session.run(None, dict(zip(names, inputs, strict=True)))
    except Exception as error:  # onnxruntime's have nothing else in common
        if "alloc" in str(error).lower():
            raise MemoryError from None
        raise RunError("onnxruntime cannot run this model on this text: export the model again") from None
    return answers


def _session(path: Path, inputs: tuple[str, ...]) -> InferenceSession:
    """Read a graph, to be run by one thread at a time or by several, each by itself."""
    options = SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    with located(path):
        try:
            session = InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception:
            raise FormatError("this graph is corrupt or incomplete: export the model again") from None
        if tuple(one.name for one in session.get_inputs()) != inputs:
            raise FormatError("this graph belongs to another model")
    return session


def _cores() -> int:
    """Count the processor's cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
