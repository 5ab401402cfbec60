"""What happens when there is not enough of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from disconer.exceptions import RunError


@contextmanager
def enough_memory(advice: str) -> Iterator[None]:
    """Turn the ways in which memory runs out into a line of advice."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        told = str(error).lower()
        if not isinstance(error, MemoryError) and "allocate memory" not in told and "out of memory" not in told:
            raise
        raise RunError(f"there is not enough memory: {advice}") from None
