"""`disconer.load`, which brings in what runs a model only when it is called."""

from pathlib import Path
from typing import TYPE_CHECKING

from disconer.extras import installed
from disconer.runs import ENCODER

if TYPE_CHECKING:
    from disconer.recognizer import Recognizer


def load(model: Path | str, device: str = "auto", threads: int | None = None) -> "Recognizer":
    """Load a recognizer from a run, a model directory, or the name of a model on the Hugging Face hub.

    Such a name may end in a revision: `owner/name@v1.0`. `Recognizer.from_pretrained` has more to say to the hub.
    `device` is auto, cpu, cuda or mps; `threads` limits how many a processor is used with.
    """
    with installed("onnx" if (Path(model) / ENCODER).is_file() else "torch"):
        from disconer import recognizer  # noqa: PLC0415 (numpy and the like, which most commands do without)
    return recognizer.load(model, device, threads)
