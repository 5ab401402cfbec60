"""An exported model: onnxruntime and numpy do what torch did."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import onnxruntime
from safetensors import SafetensorError
from safetensors.numpy import load_file

from disconer.encoders.packing import Packed
from disconer.encoders.reader import Reader
from disconer.exceptions import FormatError, located
from disconer.models import directory
from disconer.models.directory import EDGES, GRAPH
from disconer.models.inference import BUDGET
from disconer.models.reading import Answers, GridReader
from disconer.models.tags import GridTags
from disconer.schemes import GridScheme
from disconer.schemes.grid import Grids

INPUTS = ("pieces", "is_piece", "places", "word_starts")
"""What the graph is given: fields of what was packed."""


@dataclass(frozen=True)
class Exported:
    """A model that onnxruntime runs."""

    labels: tuple[str, ...]
    scheme: GridScheme
    reader: Reader
    session: onnxruntime.InferenceSession
    grid_reader: GridReader
    threads: int
    budget: int = BUDGET

    @contextmanager
    def workers(self) -> Iterator[int]:
        """Let every thread that asks compute by itself, as a session of one thread does."""
        yield self.threads

    def outputs(self, packed: Packed, scheme: GridScheme) -> Sequence[Grids]:
        """Give the grids of every sentence of a batch."""
        segments, *edges = self.session.run(None, {name: getattr(packed, name) for name in INPUTS})
        return self.grid_reader.grids(Answers(segments, tuple(edges)), packed.lengths, scheme)


def load(path: Path, threads: int | None = None) -> Exported:
    """Read a directory that `export` wrote."""
    found = directory.described(path, GRAPH, EDGES)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    with located(path / GRAPH):
        try:
            session = onnxruntime.InferenceSession(path / GRAPH, options, providers=["CPUExecutionProvider"])
        except Exception:
            raise FormatError("this graph is corrupt or incomplete: export the model again") from None
    with located(path / EDGES):
        try:
            edges = load_file(path / EDGES)
            weight, bias = edges["weight"], edges["bias"]
        except (SafetensorError, OSError, KeyError):
            raise FormatError("these weights are corrupt or incomplete: export the model again") from None
    tags = GridTags(found.labels, found.scheme)
    if weight.shape[0] != len(tags.edges) or [one.name for one in session.get_inputs()] != list(INPUTS):
        raise FormatError("these weights belong to another model", path=path / EDGES)
    grid_reader = GridReader(tags, found.mac.pairs, weight, bias)
    return Exported(found.labels, found.scheme, found.reader, session, grid_reader, threads or _cores())


def _cores() -> int:
    """Count the processor's cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
