"""Where a model may run, and what is said when the memory there is not enough."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from disconer.exceptions import RunError


class Device(StrEnum):
    """A kind of processor."""

    AUTO = "auto"
    """The best there is."""
    CPU = "cpu"
    CUDA = "cuda"
    MPS = "mps"


@contextmanager
def advise_on_memory(advice: str) -> Iterator[None]:
    """Turn the ways in which memory runs out into a line of advice."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        told = str(error).lower()
        if not isinstance(error, MemoryError) and "allocate memory" not in told and "out of memory" not in told:
            raise
        raise RunError(f"there is not enough memory: {advice}") from None
