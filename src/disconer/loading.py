"""`disconer.load`, which brings in torch only when it is called."""

from pathlib import Path
from typing import TYPE_CHECKING

from disconer.extras import installed

if TYPE_CHECKING:
    from disconer.recognizer import Recognizer


def load(model: Path | str, device: str = "auto", threads: int | None = None) -> "Recognizer":
    """Load a recognizer from a run, a model directory, or the name of a model on the Hugging Face hub.

    `device` is auto, cpu, cuda or mps; `threads` limits how many a processor is used with.
    """
    with installed("torch"):
        from disconer import recognizer  # noqa: PLC0415 (torch takes seconds to import)
    return recognizer.load(model, device, threads)
