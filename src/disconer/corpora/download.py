"""What a user got from a corpus's owner: a folder, a zip or tar file, or a folder that holds such files.

Archives are never unpacked to a disk, so nothing of a private text is left there and no entry can lead anywhere. An
archive with entries that try to is refused all the same, and so is one that holds more than any corpus does.
"""

import codecs
import io
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from disconer.corpora.archives import ARCHIVE, Budget, add_archive, is_hidden
from disconer.corpora.ledger import Ledger
from disconer.exceptions import InputError
from disconer.formats.registry import check_exists
from disconer.foundation.files import BYTE_ORDER_MARK, unreadable

_STRAY_BYTES = "disconer-stray-bytes"


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decode each byte that is not UTF-8 on its own, so that those around it stay what they are."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


codecs.register_error(_STRAY_BYTES, _as_windows_1252)


@dataclass
class Download:
    """The files of a download by their names below it, as far as a corpus wants them."""

    path: Path
    ledger: Ledger = field(default_factory=Ledger)
    files: dict[str, Callable[[], bytes]] = field(default_factory=dict)

    def add(self, name: str, read: Callable[[], bytes]) -> None:
        """Add a file; names that are not UTF-8 are made so."""
        name = name.encode(errors="replace").decode()
        if name in self.files:
            self.ledger.change("an entry that stands twice in its archive, the last taken", f"file {name}")
        self.files[name] = read

    def content(self, name: str) -> bytes:
        return self.files[name]()

    def text(self, name: str, keeps_mark: bool = False) -> str:
        """Decode a file, no line end translated; a byte order mark is left out unless it is to be kept."""
        content = self.content(name)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = content.decode("utf-8", errors=_STRAY_BYTES)
            self.ledger.change_once("bytes that are not UTF-8, read as Windows-1252", f"file {name}")
        if text.startswith(BYTE_ORDER_MARK) and not keeps_mark:
            self.ledger.change_once("a byte order mark, left out", f"file {name}")
            return text[1:]
        return text

    def lines(self, name: str) -> list[str]:
        """Decode a file into its lines, without line ends and a byte order mark."""
        return re.split("\r\n|\n|\r", self.text(name, keeps_mark=True).removeprefix(BYTE_ORDER_MARK))

    def find(self, pattern: str) -> dict[str, re.Match[str]]:
        """Find the files whose whole name matches, below any folders, in the order of their names."""
        found = ((name, re.fullmatch(f"(?:.*/)?{pattern}", name, re.IGNORECASE)) for name in sorted(self.files))
        return {name: match for name, match in found if match}

    def find_by_id(self, pattern: str) -> dict[str, str]:
        """Find the files of a pattern by its group `id`; those that two versions of a corpus have must be the same."""
        files: dict[str, str] = {}
        for name, match in self.find(pattern).items():
            known = files.setdefault(match["id"], name)
            self.check_copy(known, name)
        return files

    def check_copy(self, known: str, name: str) -> None:
        """Report a second copy of a file; another version of it is an error."""
        if name == known:
            return
        if self.content(name) != self.content(known):
            raise InputError(f"there are two versions here, {known} and {name}: name one of them", path=self.path)
        self.ledger.change("a second copy of a file, not read", f"file {name}")

    def find_paired(self, texts: Collection[str], annotations: Collection[str]) -> Iterator[str]:
        """Find the documents that have both a text and annotations, in the order of the texts; report the others."""
        for identifier in sorted(set(annotations).difference(texts)):
            self.ledger.skip("annotations without a text", f"document {identifier}")
        for identifier in texts:
            if identifier in annotations:
                yield identifier
            else:
                self.ledger.skip("a text without annotations", f"document {identifier}")

    def place(self, name: str) -> str:
        """Say where a file is, for messages."""
        return f"{self.path}/{name}"


@contextmanager
def open_download(
    path: Path, wanted: str, ledger: Ledger | None = None, budget: Budget | None = None
) -> Iterator[Download]:
    """Open a download; only files whose names end as `wanted`, a pattern, says are looked at."""
    check_exists(path)
    download = Download(path, ledger or Ledger())
    is_wanted = re.compile(f".*(?:{wanted})", re.IGNORECASE | re.DOTALL).fullmatch
    limits = budget or Budget()
    with ExitStack() as stack:
        for below, place in _files(path, download.ledger):
            archive = ARCHIVE.fullmatch(place.name)
            if archive:
                prefix = f"{below.removesuffix(place.name)}{archive['name']}/" if path.is_dir() else ""
                stream = stack.enter_context(_open_file(place))
                add_archive(stream, str(place), prefix, is_wanted, download, limits, stack)
            elif is_wanted(below) or not path.is_dir():
                download.add(below, _defer_reading(place))
        if not download.files:
            message = "there is no file of this corpus here: see disconer corpus --list for what to download"
            raise InputError(message, path=path)
        yield download


def _files(path: Path, ledger: Ledger) -> Iterator[tuple[str, Path]]:
    """Find the files of a folder and the folders below it, or a file alone, each with its name below."""

    def refuse(error: OSError) -> None:
        raise unreadable(error.filename, error) from None

    if not path.is_dir():
        yield path.name, path
        return
    seen: set[str] = set()
    for folder, folders, names in os.walk(path, onerror=refuse, followlinks=True):
        real = os.path.realpath(folder)
        folders[:] = [] if real in seen else sorted(name for name in folders if not is_hidden(name))
        for name in () if real in seen else sorted(names):
            place = Path(folder, name)
            below = place.relative_to(path).as_posix()
            if place.is_file() and not is_hidden(name):
                yield below, place
            elif not is_hidden(name):
                ledger.skip("no regular file", f"file {below}")
        seen.add(real)


def _open_file(path: Path) -> io.BufferedReader:
    try:
        return path.open("rb")
    except OSError as error:
        raise unreadable(path, error) from None


def _defer_reading(path: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        with _open_file(path) as stream:
            return stream.read()

    return read


def find_by_folder(name: str, meanings: Mapping[str, str]) -> str | None:
    """Find what the nearest folder means whose name holds one of the patterns; None when none does.

    Owners put the sets of a corpus into folders of their own.

    >>> find_by_folder("Train/Test for NER/a.xml", {"train": "training", "test": "the test"})
    'the test'
    """
    for folder in PurePosixPath(name).parts[-2::-1]:
        for pattern, meaning in meanings.items():
            if re.search(pattern, folder, re.IGNORECASE):
                return meaning
    return None
