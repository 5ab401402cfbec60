"""Folders in which every document has files of its own, called after its id."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import NoReturn

from disconer.document import Document
from disconer.exceptions import CannotHoldError, located
from disconer.formats.file_names import file_name
from disconer.formats.files import replacing_folder, unreadable

_BAD_NAME = (errno.ENAMETOOLONG, errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.EINVAL)


def files_below(folder: Path) -> Iterator[Path]:
    """Find every file below a folder, hidden ones left out."""

    def refuse(error: OSError) -> NoReturn:
        raise unreadable(error.filename, error) from None

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place, name) for name in names if not name.startswith("."))


def write_documents(
    documents: Iterable[Document], path: Path, contents_of: Callable[[Document, str], Mapping[str, str]]
) -> None:
    """Write the files of every document below a new folder, called after its id or else its number.

    Given a document and the name of its files, `contents_of` gives what is in them by their endings.
    """
    with replacing_folder(path) as folder:
        for number, (document, name) in enumerate(named_documents(documents), start=1):
            with located(document.name(number)):
                place = folder.joinpath(*name.split("/"))
                _write_files(place, contents_of(document, place.name))


def named_documents(documents: Iterable[Document]) -> Iterator[tuple[Document, str]]:
    """Give every document with what its files are called below a folder, but for their endings."""
    written: set[str] = set()
    for number, document in enumerate(documents, start=1):
        with located(document.name(number)):
            name = _unused_name(document, number, written)
        written.add(name)
        yield document, name


def _unused_name(document: Document, number: int, written: set[str]) -> str:
    """Give the name that a document's files bear below a folder, made of its id or else its number."""
    if document.id is None or document.id == "":
        return next(name for name in (f"document-{free:06}" for free in count(number)) if name not in written)
    name = file_name(str(document.id))
    if name in written:
        raise CannotHoldError("another document has the same id, which names their files")
    return name


def _write_files(path: Path, contents: Mapping[str, str]) -> None:
    """Write the files of a document, each called like `path` with its own ending, which is the key."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for suffix, content in contents.items():
            with path.with_name(path.name + suffix).open("xb") as stream:
                stream.write(content.encode("utf-8"))
    except OSError as error:
        if error.errno not in _BAD_NAME:
            raise
        raise CannotHoldError(f"its id cannot be the name of a file here: {error.strerror}") from None
