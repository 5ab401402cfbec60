"""A model over many texts: batches of like length, several in parallel, results in the order of the texts."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from math import ceil
from pathlib import Path
from typing import Any, Literal, Protocol

from disconer.encoders.batch import Batch, group_by_cost
from disconer.encoders.tokenizer import Tokenizer
from disconer.models.registry import ModelName
from disconer.passage import Passage
from disconer.schemes import Scheme

BUDGET = 512
"""Subwords a batch of a processor's core, padding included: what fits its cache, with hardly any padding."""


class Engine(Protocol):
    """A model ready for prediction, whatever runs it."""

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
        """How its outputs become mentions, with the settings chosen on dev."""

    @property
    def tokenizer(self) -> Tokenizer:
        """Turns sentences into the batches that it reads."""

    @property
    def budget(self) -> int:
        """Subwords a batch, padding included."""

    @property
    def smallest_batch(self) -> int:
        """Subwords that are worth a batch of their own, where another core would have nothing to do."""

    @property
    def cores(self) -> int:
        """How many threads should use it at a time."""

    def workers(self) -> AbstractContextManager[int]:
        """Get ready for several threads at a time, and say for how many; afterwards all is as it was."""

    def outputs(self, batch: Batch, scheme: Any) -> Sequence[Any]:
        """Predict what a scheme needs to decode each text of a batch."""

    def save(self, path: Path) -> None:
        """Write a model directory, whole or not at all, in the place of one that is there."""


def predict_outputs(engine: Engine, passages: Sequence[Passage], scheme: Any) -> list[Any]:
    """Predict what the scheme needs to decode each text."""
    return map_batches(engine, passages, lambda batch: engine.outputs(batch, scheme))


def map_batches(
    engine: Engine, passages: Sequence[Passage], function: Callable[[Batch], Sequence[Any]], budget: int | None = None
) -> list[Any]:
    """Apply a function, batch by batch, to all texts; the results are in the order of the texts.

    On a processor, every core has a batch of its own: that wastes less than to share the products of one, and while
    one core waits for Python, to collate or to decode, the others compute. So what would fill one batch is shared out.
    """
    subwords = engine.tokenizer.tokenize(passages)
    costs = [sum(map(len, words)) for words in subwords]
    share = max(engine.smallest_batch, ceil(sum(costs) / engine.cores))
    batches = list(group_by_cost(costs, min(budget or engine.budget, share)))
    results: list[Any] = [None] * len(passages)

    def process(indices: list[int]) -> None:
        batch = engine.tokenizer.collate([subwords[index] for index in indices])
        for index, result in zip(indices, function(batch), strict=True):
            results[index] = result

    run_parallel(engine, process, batches[::-1])  # the dearest first: none of them is left for the end
    return results


def run_parallel(engine: Engine, function: Callable[[Any], object], items: Sequence[Any]) -> None:
    """Call a function with every item, on as many cores as the engine wants; with a single one, on all of them."""
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
