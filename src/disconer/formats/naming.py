"""What parts of a file are called: in an error where no line number says which is meant, and when they are new."""

from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

from disconer.exceptions import InputError, shown


@contextmanager
def speaking_of(what: str, part: Mapping[str, Any]) -> Iterator[None]:
    """Name the part, by its id if it has one, in every `InputError` that leaves the block."""
    try:
        yield
    except InputError as error:
        if "id" in part:
            error.message = f"{what} {shown(part['id'])}: {error.message}"
        raise


def fresh_names(prefix: str, taken: Container[str]) -> Iterator[str]:
    """Give numbers with a prefix, but for those that something bears or refers to."""
    return (f"{prefix}{number}" for number in count(1) if f"{prefix}{number}" not in taken)
