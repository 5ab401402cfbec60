"""What a user got from a corpus's owner: a folder, a zip or tar file, or a folder that holds such files.

Archives are never unpacked to a disk, so nothing of a private text is left there and no entry can lead anywhere. An
archive with entries that try to is refused all the same, and so is one that holds more than any corpus does.
"""

import io
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from disconer.exceptions import FormatError, InputError, shown
from disconer.formats.detection import check_there
from disconer.formats.files import unreadable

_ARCHIVE = re.compile(r"(?P<name>.+?)\.(zip|tar|tgz|tbz2?|txz|tar\.(gz|bz2|xz))", re.IGNORECASE)
_DEEPEST = 3
"""How far archives may lie inside archives."""
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, NotImplementedError)


@dataclass
class Limits:
    """How much an archive may hold before it is taken for a bomb."""

    entries: int = 500_000
    size: int = 4 << 30
    """Of all that is read, unpacked, in bytes."""

    def count(self, path: str, entries: int = 0, size: int = 0) -> None:
        self.entries -= entries
        self.size -= size
        if self.entries < 0 or self.size < 0:
            raise FormatError("this archive holds more than any corpus does, so it is not read", path=path)

    def read(self, stream: BinaryIO, path: str) -> bytes:
        """Read a file to its end, or to the point where it is too large, whatever its header promises."""
        content = stream.read(self.size + 1)
        self.count(path, size=len(content))
        return content


@dataclass
class Download:
    """The files of a download by their names below it, as far as a corpus wants them."""

    path: Path
    files: dict[str, Callable[[], bytes]] = field(default_factory=dict)

    def content(self, name: str) -> bytes:
        return self.files[name]()

    def text(self, name: str) -> str:
        """Give a text as it is, no line end translated: UTF-8, or else Windows-1252, which has a byte a character."""
        content = self.content(name)
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            return content.decode("cp1252", errors="replace")

    def lines(self, name: str) -> list[str]:
        """Give the lines of a file that is no text of the corpus, without line ends and a byte order mark."""
        return re.split("\r\n|\n|\r", self.text(name).removeprefix("\ufeff"))

    def matching(self, pattern: str) -> dict[str, re.Match[str]]:
        """Find the files whose whole name is of a pattern, whatever folders it lies in, in the order of their names."""
        found = ((name, re.fullmatch(f"(?:.*/)?{pattern}", name, re.IGNORECASE)) for name in sorted(self.files))
        return {name: match for name, match in found if match}

    def place(self, name: str) -> str:
        """Say where a file is, for messages."""
        return f"{self.path}/{name}"


@contextmanager
def opened(path: Path, wanted: str, limits: Limits | None = None) -> Iterator[Download]:
    """Open a download; only files whose names end as `wanted`, a pattern, says are looked at."""
    check_there(path)
    download = Download(path)
    with ExitStack() as stack:
        collector = _Collector(
            download, re.compile(f".*(?:{wanted})", re.IGNORECASE | re.DOTALL), limits or Limits(), stack
        )
        try:
            if path.is_dir():
                collector.add_folder(path)
            elif _ARCHIVE.fullmatch(path.name):
                collector.add_archive(stack.enter_context(path.open("rb")), path.name, "", 1)
            else:
                download.files[path.name] = path.read_bytes
        except OSError as error:
            raise unreadable(path, error) from None
        if not download.files:
            raise InputError(
                "there is no file of this corpus here: see disconer corpus --list for what to download", path=path
            )
        yield download


@dataclass
class _Collector:
    """Finds the files of a download."""

    download: Download
    wanted: re.Pattern[str]
    limits: Limits
    stack: ExitStack

    def add_folder(self, folder: Path) -> None:
        for place, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if not _is_hidden(name)]
            for name in names:
                path = Path(place, name)
                below = path.relative_to(folder).as_posix()
                archive = _ARCHIVE.fullmatch(below)
                if _is_hidden(name):
                    continue
                if archive:
                    self.add_archive(self.stack.enter_context(path.open("rb")), below, f"{archive['name']}/", 1)
                elif self.wanted.fullmatch(below):
                    self.download.files[below] = path.read_bytes

    def add_archive(self, stream: BinaryIO, name: str, prefix: str, depth: int) -> None:
        place = self.download.place(name) if prefix else str(self.download.path)
        if depth > _DEEPEST:
            raise FormatError("there are archives in archives in archives here, so it is not read", path=place)
        with _archive_errors(place):
            if name.lower().endswith(".zip"):
                self._add_zip(stream, place, prefix, depth)
            else:
                self._add_tar(stream, place, prefix, depth)

    def _add_zip(self, stream: BinaryIO, place: str, prefix: str, depth: int) -> None:
        archive = self.stack.enter_context(zipfile.ZipFile(stream))
        for entry in archive.infolist():
            name = self._checked(entry.filename, place)
            if entry.is_dir() or not self._is_wanted(name):
                continue
            if entry.flag_bits & 1:
                raise FormatError("this archive is encrypted: unpack it, and name the folder instead", path=place)

            def read(entry: zipfile.ZipInfo = entry) -> bytes:
                with _archive_errors(place), archive.open(entry) as opened_entry:
                    return self.limits.read(opened_entry, place)  # type: ignore[arg-type]

            self._add(name, prefix, read, depth)

    def _add_tar(self, stream: BinaryIO, place: str, prefix: str, depth: int) -> None:
        with tarfile.open(fileobj=stream, mode="r:*") as archive:
            for entry in archive:
                name = self._checked(entry.name, place)
                opened_entry = archive.extractfile(entry) if entry.isfile() and self._is_wanted(name) else None
                if opened_entry is not None:
                    content = self.limits.read(opened_entry, place)  # type: ignore[arg-type]
                    self._add(name, prefix, lambda content=content: content, depth)  # type: ignore[misc]

    def _add(self, name: str, prefix: str, read: Callable[[], bytes], depth: int) -> None:
        archive = _ARCHIVE.fullmatch(name)
        if archive:
            self.add_archive(io.BytesIO(read()), name, f"{prefix}{archive['name']}/", depth + 1)
        else:
            self.download.files[prefix + name] = read

    def _is_wanted(self, name: str) -> bool:
        if any(map(_is_hidden, name.split("/"))):
            return False
        return bool(self.wanted.fullmatch(name) or _ARCHIVE.fullmatch(name))

    def _checked(self, name: str, place: str) -> str:
        self.limits.count(place, entries=1)
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or PureWindowsPath(name).drive:
            raise FormatError(f"its entry {shown(name)} leads out of the archive, so it is not read", path=place)
        return path.as_posix()


@contextmanager
def _archive_errors(place: str) -> Iterator[None]:
    try:
        yield
    except _BROKEN:
        raise FormatError("this archive is broken or of an unknown kind: download it again", path=place) from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise FormatError("this archive is broken: download it again", path=place) from None


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"
