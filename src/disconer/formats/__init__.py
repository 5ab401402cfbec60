"""Every file format, behind `read` and `write`, chosen by name or by what the path looks like."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from disconer.document import Document
from disconer.exceptions import CannotHoldError, FormatError, InputError, locate_errors
from disconer.formats.losses import Losses
from disconer.formats.registry import (
    FORMATS,
    WRITABLE,
    Format,
    check_exists,
    detect_input,
    detect_output,
    detect_text_input,
    find_format,
    refuse_other_formats,
)
from disconer.foundation.checks import as_choice, check_named
from disconer.foundation.files import is_stream
from disconer.tokenize import Split

__all__ = [
    "FORMATS",
    "WRITABLE",
    "Format",
    "Losses",
    "as_documents",
    "check_exists",
    "count_documents",
    "detect_input",
    "detect_output",
    "detect_text_input",
    "read",
    "take_every",
    "write",
]


def read(path: Path | str, format: str | None = None, split: Split | str | None = None) -> Iterator[Document]:
    """Read the documents of a file or folder one by one; standard input when the path is `-`.

    >>> sum(len(document) for document in read("examples/brat"))
    35
    """
    check_named(path)
    path = Path(path)
    chosen = find_format(format) if format else detect_input(path)
    check_exists(path)
    if not chosen.is_streamable and is_stream(path):
        raise FormatError(f"{chosen.name} is a folder or a file to jump in and cannot come from a stream", path=path)
    documents = chosen.read(path, as_choice(Split, split or chosen.default_split, "split"))
    return refuse_other_formats(documents, path) if chosen.name == "jsonl" and format is None else documents


def count_documents(path: Path | str, format: str | None = None) -> int | None:
    """Count the documents that `read` finds, without reading them; None where that cannot be.

    >>> count_documents("examples/brat")
    6
    """
    path = Path(path)
    return (find_format(format) if format else detect_input(path)).count(path)


def take_every(documents: Iterable[Document], every: int) -> Iterator[Document]:
    """Keep every `every`-th document.

    >>> len(list(take_every(read("examples/brat"), 2)))
    3
    """
    return islice(documents, every - 1, None, every)


def as_documents(
    data: Path | str | Document | Iterable[Document], format: str | None = None, split: Split | str | None = None
) -> Iterator[Document]:
    """Read the documents of a path, or pass on those that are given."""
    if isinstance(data, Path | str):
        return read(data, format, split)
    if not isinstance(data, Iterable):
        raise _not_documents(data)
    return _check_documents([data] if isinstance(data, Document) else data)


def _check_documents(documents: Iterable[Document]) -> Iterator[Document]:
    with locate_errors("documents"):
        for document in documents:
            if not isinstance(document, Document):
                raise _not_documents(document)
            yield document


def _not_documents(data: object) -> InputError:
    return InputError(
        f"documents are wanted here, or the path of a file or folder, not {type(data).__name__}: "
        "disconer.read, or from_dataset of disconer.integrations.datasets, makes them"
    )


def write(
    documents: Iterable[Document],
    path: Path | str,
    format: str | None = None,
    lossy: bool = False,
    labels: Iterable[str] = (),
) -> Losses:
    """Write documents to a file or folder, whole or not at all, and give what the format could not hold.

    `labels` are those that there are, also where no document has them; brat wants to know.

    Raises `CannotHoldError` when mentions would be left out, unless `lossy` accepts that.
    """
    check_named(path)
    path = Path(path)
    chosen = find_format(format) if format else detect_output(path)
    if not chosen.is_streamable and is_stream(path):
        raise FormatError(f"{chosen.name} cannot be written to standard output: name a file or folder")
    if not chosen.is_writable:
        raise CannotHoldError(f"{chosen.name} has no room for mentions: use one of {', '.join(WRITABLE)}")
    losses = Losses()
    with locate_errors("standard output" if is_stream(path) else path):
        chosen.write(_check_at_end(documents, losses, lossy), path, losses, labels)
    return losses


def _check_at_end(documents: Iterable[Document], losses: Losses, lossy: bool) -> Iterator[Document]:
    """Pass documents on and, after the last, ask for consent while nothing has been put in place yet."""
    yield from documents
    losses.check_consent(lossy)
