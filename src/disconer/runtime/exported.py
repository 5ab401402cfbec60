"""An exported model: onnxruntime and numpy do what torch did."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from onnxruntime import InferenceSession, SessionOptions
from safetensors import SafetensorError
from safetensors.numpy import load_file

from disconer.encoders.packing import Packed, rows_at_once
from disconer.encoders.reader import Reader
from disconer.exceptions import FormatError, located
from disconer.models import directory
from disconer.models.directory import EDGES, ENCODER, HEADS
from disconer.models.inference import BUDGET
from disconer.models.reading import Answers, GridReader, Numbers
from disconer.models.tags import GridTags
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
    reader: Reader
    encoder: InferenceSession
    heads: InferenceSession
    grid_reader: GridReader
    threads: int
    budget: int = BUDGET

    @contextmanager
    def workers(self) -> Iterator[int]:
        """Let every thread that asks compute by itself, as a session of one thread does."""
        yield self.threads

    def outputs(self, packed: Packed, scheme: GridScheme) -> Sequence[Grids]:
        """Give the grids of every sentence of a batch."""
        return self.grid_reader.grids(self.answers(packed), packed.lengths, scheme)

    def answers(self, packed: Packed) -> Answers:
        """Give what the heads say of a batch."""
        vectors = self._piece_vectors(packed)[packed.places]
        segments, *edges = self.heads.run(None, dict(zip(HEADS_INPUTS, (vectors, packed.word_starts), strict=True)))
        return Answers(segments, tuple(edges))

    def _piece_vectors(self, packed: Packed) -> Numbers:
        rows = rows_at_once(packed.pieces, _MOST_PIECES)
        found = []
        for start in range(0, len(packed.pieces), rows):
            some = slice(start, start + rows)
            found += self.encoder.run(None, {"pieces": packed.pieces[some], "is_piece": packed.is_piece[some]})
        vectors: Numbers = found[0] if len(found) == 1 else np.concatenate(found)
        return vectors.reshape(-1, vectors.shape[-1])


def load(path: Path, threads: int | None = None) -> Exported:
    """Read a directory that `export` wrote."""
    found = directory.described(path, ENCODER, HEADS, EDGES)
    encoder, heads = _session(path / ENCODER, ENCODER_INPUTS), _session(path / HEADS, HEADS_INPUTS)
    with located(path / EDGES):
        try:
            edges = load_file(path / EDGES)
            weight, bias = edges["weight"], edges["bias"]
        except (SafetensorError, OSError, KeyError):
            raise FormatError("these weights are corrupt or incomplete: export the model again") from None
        tags = GridTags(found.labels, found.scheme)
        if weight.shape[0] != len(tags.edges):
            raise FormatError("these weights belong to another model")
    grid_reader = GridReader(tags, found.mac.pairs, weight, bias)
    return Exported(found.labels, found.scheme, found.reader, encoder, heads, grid_reader, threads or _cores())


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
