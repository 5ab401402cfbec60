"""A model over many sentences: in batches of like length, answers in the order of the questions."""

from collections.abc import Sequence
from typing import Any

from disconer.document import Sentence
from disconer.encoders.packing import as_batches
from disconer.encoders.reader import Reader
from disconer.hardware import autocast, has_bfloat16
from disconer.models.model import Model

BUDGET = 4096
"""Pieces a batch, padding included: enough to keep two cores busy, little enough for their caches."""


def outputs(
    model: Model, reader: Reader, sentences: Sequence[Sentence], scheme: Any, budget: int = BUDGET
) -> list[Any]:
    """Give what the scheme needs to decode each sentence."""
    pieces = reader.pieces(sentences)
    answers: list[Any] = [None] * len(sentences)
    device = next(model.parameters()).device
    # On a processor, the last digits are worth the time.
    precision = "bfloat16" if device.type == "cuda" and has_bfloat16(device) else "float32"
    for batch in as_batches([sum(map(len, words)) for words in pieces], budget):
        with autocast(device, precision):
            found = model.outputs(reader.pack([pieces[index] for index in batch]), scheme)
        for index, answer in zip(batch, found, strict=True):
            answers[index] = answer
    return answers
