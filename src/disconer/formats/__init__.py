"""Every file format, behind `read` and `write`, chosen by name or by what the path looks like."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from disconer.checks import as_choice
from disconer.document import Document
from disconer.exceptions import CannotHoldError, FormatError, InputError, located, shown
from disconer.formats import brat, inline, jsonl, text
from disconer.formats.files import is_stream, unreadable
from disconer.formats.losses import Losses
from disconer.tokenize import Split

__all__ = [
    "FORMATS",
    "WRITABLE",
    "Format",
    "Losses",
    "detect_input",
    "detect_output",
    "detect_text_input",
    "read",
    "write",
]


@dataclass(frozen=True)
class Format:
    """A file format and what tells it apart."""

    name: str
    suffixes: frozenset[str]
    """File names that end so are taken to be of this format."""
    read: Callable[[Path, Split], Iterator[Document]]
    write: Callable[[Iterable[Document], Path, Losses], None] | None
    """None where there is nowhere to put mentions."""
    default_split: Split = Split.AUTO
    is_folder: bool = False


FORMATS = {
    format.name: format
    for format in (
        Format("jsonl", frozenset((".jsonl", ".ndjson", ".json")), jsonl.read, jsonl.write),
        Format("inline", frozenset((".inline", ".txt")), inline.read, inline.write),
        Format("brat", frozenset((".ann",)), brat.read, brat.write, Split.ALWAYS, is_folder=True),
        Format("text", frozenset(), text.read, None, Split.ALWAYS),
    )
}
WRITABLE = tuple(name for name, format in FORMATS.items() if format.write)


def read(path: Path | str, format: str | None = None, split: Split | None = None) -> Iterator[Document]:
    """Read the documents of a file or folder one by one; standard input when the path is `-`.

    >>> sum(len(document) for document in read("examples/brat"))
    35
    """
    path = Path(path)
    chosen = _named(format) if format else detect_input(path)
    _check_there(path)
    if chosen.is_folder and is_stream(path):
        raise FormatError(f"{chosen.name} is a folder of files and cannot come from a stream", path=path)
    return chosen.read(path, as_choice(Split, split or chosen.default_split, "split"))


def write(documents: Iterable[Document], path: Path | str, format: str | None = None, lossy: bool = False) -> Losses:
    """Write documents to a file or folder, whole or not at all, and give what the format could not hold.

    Raises `CannotHoldError` when mentions would be left out, unless `lossy` accepts that.
    """
    path = Path(path)
    chosen = _named(format) if format else detect_output(path)
    if chosen.is_folder and is_stream(path):
        raise FormatError(f"{chosen.name} is a folder of files and cannot be written to standard output")
    if chosen.write is None:
        raise CannotHoldError(f"{chosen.name} has no room for mentions: use one of {', '.join(WRITABLE)}")
    losses = Losses()
    with located("standard output" if is_stream(path) else path):
        chosen.write(_then_check(documents, losses, lossy), path, losses)
    return losses


def detect_input(path: Path) -> Format:
    """Tell the format of what is there to read."""
    _check_there(path)
    if is_stream(path):
        return FORMATS["jsonl"]
    is_text = path.suffix.lower() == ".txt"
    if path.is_dir() or (is_text and brat.has_annotations(path)):
        return FORMATS["brat"]
    if is_text and not inline.looks_like(path):
        raise FormatError("this text does not look like the inline format: name its format with --from", path=path)
    return _by_suffix(path, FORMATS.values(), "--from")


def detect_text_input(path: Path) -> Format:
    """Tell the format of what a model is to read: there, standard input and a `.txt` without annotations are plain."""
    _check_there(path)
    if is_stream(path) or (path.suffix.lower() == ".txt" and path.is_file() and not brat.has_annotations(path)):
        return FORMATS["text"]
    return detect_input(path)


def _check_there(path: Path) -> None:
    try:
        if not is_stream(path) and not path.exists():
            raise InputError("there is no such file or folder", path=path)
    except OSError as error:
        raise unreadable(path, error) from None


def detect_output(path: Path) -> Format:
    """Tell the format to write from the name alone."""
    if is_stream(path):
        return FORMATS["jsonl"]
    if path.is_dir() or not path.suffix:
        return FORMATS["brat"]
    return _by_suffix(path, [format for format in FORMATS.values() if not format.is_folder], "--to")


def _by_suffix(path: Path, formats: Iterable[Format], flag: str) -> Format:
    for format in formats:
        if path.suffix.lower() in format.suffixes:
            return format
    raise FormatError(f"cannot tell the format from the name: use {flag} with one of {', '.join(FORMATS)}", path=path)


def _named(name: str) -> Format:
    if name not in FORMATS:
        raise FormatError(f"there is no format {shown(name)}: use one of {', '.join(FORMATS)}")
    return FORMATS[name]


def _then_check(documents: Iterable[Document], losses: Losses, lossy: bool) -> Iterator[Document]:
    """Pass documents on and, after the last, ask for consent while nothing has been put in place yet."""
    yield from documents
    losses.check_consent(lossy)
