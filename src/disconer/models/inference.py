"""A model over many sentences: in batches of like length, answers in the order of the questions."""

from collections.abc import Sequence
from typing import Any, Protocol

from disconer.document import Reading
from disconer.encoders.packing import Packed, as_batches
from disconer.encoders.reader import Reader

BUDGET = 4096
"""Pieces a batch, padding included: enough to keep two cores busy, little enough for their caches."""


class Engine(Protocol):
    """A model that can be asked, whatever runs it."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What it finds."""

    @property
    def scheme(self) -> Any:
        """How what it answers becomes mentions, with the settings chosen on dev."""

    @property
    def reader(self) -> Reader:
        """Its way from sentences to what it reads."""

    def outputs(self, packed: Packed, scheme: Any) -> Sequence[Any]:
        """Give what a scheme needs to decode each sentence of a batch."""


def outputs(engine: Engine, sentences: Sequence[Reading], scheme: Any, budget: int = BUDGET) -> list[Any]:
    """Give what the scheme needs to decode each sentence."""
    pieces = engine.reader.pieces(sentences)
    answers: list[Any] = [None] * len(sentences)
    for batch in as_batches([sum(map(len, words)) for words in pieces], budget):
        found = engine.outputs(engine.reader.pack([pieces[index] for index in batch]), scheme)
        for index, answer in zip(batch, found, strict=True):
            answers[index] = answer
    return answers
