"""Folders in which every document has files of its own, called after its id, as in brat's and Knowtator's."""

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote, unquote

from disconer.document import Document
from disconer.exceptions import CannotHoldError, locate_errors
from disconer.foundation.files import create_folder, unreadable

_BAD_NAME = (errno.ENAMETOOLONG, errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.EINVAL)
# What file systems or people stumble over in names, and folders that would be taken for files.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\xa0%\\:*?"<>|\u2028\u2029\ufeff]')
_FOLDER_LIKE_FILE = re.compile(r"\.(txt|ann|knowtator\.xml)\Z", re.IGNORECASE)


def list_files(folder: Path) -> Iterator[Path]:
    """Find every file below a folder, hidden ones left out."""

    def refuse(error: OSError) -> NoReturn:
        raise unreadable(error.filename, error) from None

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place, name) for name in names if not name.startswith("."))


def write_documents(
    documents: Iterable[Document],
    path: Path,
    contents_of: Callable[[Document, str], Mapping[str, str]],
    files_of_all: Callable[[], Mapping[str, str]] = dict,
) -> None:
    """Write the files of every document below a new folder, called after its id or else its number.

    Given a document and the name of its files, `contents_of` gives what is in them by their endings. Asked at the end,
    `files_of_all` gives the files that belong to all of them, by their names.
    """
    with create_folder(path) as folder:
        for number, (document, name) in enumerate(name_documents(documents), start=1):
            with locate_errors(document.name(number)):
                place = folder.joinpath(*name.split("/"))
                _write_files(place, contents_of(document, place.name))
        for name, content in files_of_all().items():
            _write_files(folder / name, {"": content})


def name_documents(documents: Iterable[Document]) -> Iterator[tuple[Document, str]]:
    """Pair every document with the name of its files below a folder, without endings."""
    written: set[str] = set()
    for number, document in enumerate(documents, start=1):
        with locate_errors(document.name(number)):
            name = _choose_name(document, number, written)
        written.add(name)
        yield document, name


def _choose_name(document: Document, number: int, written: set[str]) -> str:
    """Choose the name of a document's files below a folder: its id, or else its number."""
    if document.id is None or document.id == "":
        return next(name for name in (f"document-{free:06}" for free in count(number)) if name not in written)
    name = to_file_name(str(document.id))
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


def to_file_name(identifier: str) -> str:
    """Make an id a path below a folder and nowhere else: what could lead out of it is percent-encoded.

    >>> to_file_name("ward 3/note.1"), to_file_name("../up"), to_file_name("a:b")
    ('ward 3/note.1', '%2E./up', 'a%3Ab')
    """
    encoded = _UNSAFE.sub(lambda match: quote(match[0], safe=""), identifier)
    *folders, name = encoded.split("/")
    if name == "" or "" in folders:
        folders, name = [], encoded.replace("/", "%2F")
    parts = (*(_FOLDER_LIKE_FILE.sub(r"%2E\1", folder) for folder in folders), name)
    return "/".join("%2E" + part[1:] if part.startswith(".") else part for part in parts)


def from_file_name(name: str) -> str:
    """Undo `to_file_name`; a name it would not have made is an id as it stands."""
    identifier = unquote(name)
    return identifier if to_file_name(identifier) == name else name
