"""A model over many texts: batches of like length, several side by side, answers in the order of the questions."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from math import ceil
from pathlib import Path
from typing import Any, Literal, Protocol

from disconer.document import Reading
from disconer.encoders.packing import Packed, as_batches
from disconer.encoders.reader import TextReader
from disconer.models.settings import ModelName
from disconer.schemes import Scheme

BUDGET = 512
"""Pieces a batch of a processor's core, padding included: what fits its cache, with hardly any padding."""


class Engine(Protocol):
    """A model that can be asked, whatever runs it."""

    @property
    def name(self) -> ModelName:
        """Which of the systems it is."""

    @property
    def runtime(self) -> Literal["torch", "onnx"]:
        """What runs it."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What it finds."""

    @property
    def scheme(self) -> Scheme:
        """How what it answers becomes mentions, with the settings chosen on dev."""

    @property
    def reader(self) -> TextReader:
        """Its way from sentences to what it reads."""

    @property
    def budget(self) -> int:
        """Pieces a batch, padding included."""

    @property
    def smallest_batch(self) -> int:
        """Pieces that are worth a batch of their own, where another core would have nothing to do."""

    @property
    def cores(self) -> int:
        """How many threads it likes to be asked by."""

    def workers(self) -> AbstractContextManager[int]:
        """Get ready to be asked by several threads at a time, and say by how many; afterwards all is as it was."""

    def outputs(self, packed: Packed, scheme: Any) -> Sequence[Any]:
        """Give what a scheme needs to decode each text of a batch."""

    def save(self, path: Path) -> None:
        """Write a model directory, whole or not at all, in the place of one that is there."""


def outputs(engine: Engine, readings: Sequence[Reading], scheme: Any) -> list[Any]:
    """Give what the scheme needs to decode each text."""
    return in_batches(engine, readings, lambda packed: engine.outputs(packed, scheme))


def in_batches(
    engine: Engine, readings: Sequence[Reading], answer: Callable[[Packed], Sequence[Any]], budget: int | None = None
) -> list[Any]:
    """Let something be answered for every text, batch by batch.

    On a processor, every core has a batch of its own: that wastes less than to share the products of one, and while
    one core waits for Python, to pack or to decode, the others compute. So what would fill one batch is shared out.
    """
    pieces = engine.reader.pieces(readings)
    costs = [sum(map(len, words)) for words in pieces]
    share = max(engine.smallest_batch, ceil(sum(costs) / engine.cores))
    batches = list(as_batches(costs, min(budget or engine.budget, share)))
    answers: list[Any] = [None] * len(readings)

    def answered(batch: list[int]) -> None:
        packed = engine.reader.pack([pieces[index] for index in batch])
        for index, found in zip(batch, answer(packed), strict=True):
            answers[index] = found

    side_by_side(engine, answered, batches[::-1])  # the dearest first: none of them is left for the end
    return answers


def side_by_side(engine: Engine, function: Callable[[Any], object], items: Sequence[Any]) -> None:
    """Do something with every item, on as many cores as the engine wants; with a single one, on all of them."""
    if len(items) == 1:
        function(items[0])
        return
    with engine.workers() as workers:
        threads = ThreadPoolExecutor(workers)
        try:
            for _ in threads.map(function, items):
                pass
        finally:
            threads.shutdown(cancel_futures=True)
