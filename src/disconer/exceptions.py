"""Everything disconer raises on purpose.

    DisconerError
    ├── InputError                the input or the call is wrong (exit status 2)
    │   ├── OffsetError           a fragment, word or sentence does not lie where it says
    │   ├── FormatError           a file does not follow its format, or no format fits it
    │   ├── CannotHoldError       the target format has no room for something in the data
    │   └── MismatchError         gold and predictions do not belong together
    └── RunError                  the run failed (exit status 1)
        ├── MissingExtraError     a part of disconer is used that is not installed
        └── WriteError            an output could not be written; nothing is left half-written

Every message is one line and says what to do. An `InputError` may carry the place it speaks of: `path` and `line`.
"""

import reprlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

__all__ = [
    "CannotHoldError",
    "DisconerError",
    "FormatError",
    "InputError",
    "MismatchError",
    "MissingExtraError",
    "OffsetError",
    "RunError",
    "WriteError",
    "locate_errors",
    "quote",
]


class DisconerError(Exception):
    """The root of the hierarchy: catch this to catch everything disconer raises on purpose."""

    exit_status = 1


class InputError(DisconerError, ValueError):
    """The input or the call is wrong."""

    exit_status = 2

    def __init__(self, message: str, *, path: Path | str | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line

    def __str__(self) -> str:
        path = "standard input" if str(self.path) == "-" else self.path
        place = [str(part) for part in (path, self.line) if part is not None]
        return ": ".join((":".join(place), self.message)) if place else self.message


class OffsetError(InputError):
    """A fragment, word or sentence does not lie where it says."""


class FormatError(InputError):
    """A file does not follow its format, or no format fits it."""


class CannotHoldError(InputError):
    """The target format has no room for something in the data."""


class MismatchError(InputError):
    """Gold and predictions do not belong together."""


class RunError(DisconerError):
    """The run failed, though the input and the call were right."""


class MissingExtraError(RunError, ImportError):
    """A part of disconer is used that is not installed."""


class WriteError(RunError):
    """An output could not be written; nothing is left half-written."""


@contextmanager
def locate_errors(path: Path | str, line: int | None = None) -> Iterator[None]:
    """Add the place to every `InputError` that leaves the block without one."""
    try:
        yield
    except InputError as error:
        if error.path is None:
            error.path, error.line = path, line
        raise


def quote(value: object) -> str:
    """Show a value that somebody got wrong, shortened so that a message stays a line; of lists and objects the kind."""
    if isinstance(value, list | tuple | Mapping):
        return "an object" if isinstance(value, Mapping) else "a list"
    shortener = reprlib.Repr()
    shortener.maxstring = shortener.maxother = shortener.maxlong = 60
    return shortener.repr(value)
