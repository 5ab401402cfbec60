"""Every file format, behind `read` and `write`, chosen by name or by what the path looks like."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from disconer.checks import as_choice
from disconer.document import Document
from disconer.exceptions import CannotHoldError, FormatError, located
from disconer.formats.detection import check_there, detect_input, detect_output, detect_text_input, refusing_others
from disconer.formats.files import is_stream
from disconer.formats.format import FORMATS, WRITABLE, Format, format_named
from disconer.formats.losses import Losses
from disconer.tokenize import Split

__all__ = [
    "FORMATS",
    "WRITABLE",
    "Format",
    "Losses",
    "check_there",
    "detect_input",
    "detect_output",
    "detect_text_input",
    "read",
    "write",
]


def read(path: Path | str, format: str | None = None, split: Split | None = None) -> Iterator[Document]:
    """Read the documents of a file or folder one by one; standard input when the path is `-`.

    >>> sum(len(document) for document in read("examples/brat"))
    35
    """
    path = Path(path)
    chosen = format_named(format) if format else detect_input(path)
    check_there(path)
    if not chosen.is_streamable and is_stream(path):
        raise FormatError(f"{chosen.name} is a folder or a file to jump in and cannot come from a stream", path=path)
    documents = chosen.read(path, as_choice(Split, split or chosen.default_split, "split"))
    return refusing_others(documents, path) if chosen.name == "jsonl" and format is None else documents


def write(documents: Iterable[Document], path: Path | str, format: str | None = None, lossy: bool = False) -> Losses:
    """Write documents to a file or folder, whole or not at all, and give what the format could not hold.

    Raises `CannotHoldError` when mentions would be left out, unless `lossy` accepts that.
    """
    path = Path(path)
    chosen = format_named(format) if format else detect_output(path)
    if not chosen.is_streamable and is_stream(path):
        raise FormatError(f"{chosen.name} cannot be written to standard output: name a file or folder")
    if not chosen.is_writable:
        raise CannotHoldError(f"{chosen.name} has no room for mentions: use one of {', '.join(WRITABLE)}")
    losses = Losses()
    with located("standard output" if is_stream(path) else path):
        chosen.write(_then_check(documents, losses, lossy), path, losses)
    return losses


def _then_check(documents: Iterable[Document], losses: Losses, lossy: bool) -> Iterator[Document]:
    """Pass documents on and, after the last, ask for consent while nothing has been put in place yet."""
    yield from documents
    losses.check_consent(lossy)
