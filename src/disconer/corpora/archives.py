"""Zip and tar files that anybody may have made: looked into, never unpacked."""

import io
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from disconer.exceptions import FormatError, InputError, quote

if TYPE_CHECKING:
    from disconer.corpora.download import Download

ARCHIVE = re.compile(r"(?P<name>.+?)\.(zip|tar|tgz|tbz2?|txz|tar\.(gz|bz2|xz))", re.IGNORECASE)
"""How archives are called."""
_DEEPEST = 3
"""How far archives may lie inside archives."""
_BLOCK = 512
"""The unit of tar files, which end with one of nothing but zeros."""
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError,
    OSError, ValueError,
)  # fmt: skip
"""What is raised of archives that are damaged, or made to do damage."""

Wanted = Callable[[str], object]


@dataclass
class Budget:
    """How much the archives of a download may still hold before they are taken for a bomb."""

    entries: int = 500_000
    file: int = 256 << 20
    """Bytes of one file, unpacked."""
    read: int = 1 << 30
    """Bytes of all files that are read, each counted once."""
    passed: int = 16 << 30
    """Bytes of all that a tar file makes us pass over."""
    counted: set[tuple[str, str]] = field(default_factory=set)

    def pass_over(self, place: str, size: int = 0) -> None:
        """Count an entry, whether it is read or not."""
        self.entries -= 1
        self.passed -= size
        self._check(place)

    def read_entry(self, stream: IO[bytes], name: str, place: str) -> bytes:
        """Read an entry to its end, or to the point where it is too large, whatever its header promises."""
        content = stream.read(self.file + 1)
        if len(content) > self.file:
            self.read = -1
        elif (place, name) not in self.counted:
            self.counted.add((place, name))
            self.read -= len(content)
        self._check(place)
        return content

    def _check(self, place: str) -> None:
        if min(self.entries, self.read, self.passed) < 0:
            raise FormatError("there is more in the archives than any corpus holds, so they are not read", path=place)


def is_hidden(name: str) -> bool:
    """Tell what computers leave behind."""
    return name.startswith(".") or name == "__MACOSX"


def add_archive(
    stream: BinaryIO, place: str, prefix: str, is_wanted: Wanted, download: "Download", budget: Budget, stack: ExitStack
) -> None:
    """Add the files of an archive to a download, their names with a prefix."""
    _Archive(download, is_wanted, budget, stack).add(stream, place, prefix, 1)


@dataclass
class _Archive:
    """Finds the files of an archive, and of those inside it."""

    download: "Download"
    is_wanted: Wanted
    budget: Budget
    stack: ExitStack

    def add(self, stream: BinaryIO, place: str, prefix: str, depth: int) -> None:
        if depth > _DEEPEST:
            raise FormatError("there are archives in archives in archives here, so it is not read", path=place)
        with _translate_errors(place):
            if place.lower().endswith(".zip"):
                self._add_zip(stream, place, prefix, depth)
            else:
                self._add_tar(stream, place, prefix, depth)

    def _add_zip(self, stream: BinaryIO, place: str, prefix: str, depth: int) -> None:
        archive = self.stack.enter_context(zipfile.ZipFile(stream))
        for entry in archive.infolist():
            name = _check_name(entry.filename, place)
            self.budget.pass_over(place)
            if entry.is_dir() or not self._is_relevant(name):
                continue
            if entry.flag_bits & 1:
                raise FormatError("this archive is encrypted: unpack it, and name the folder instead", path=place)
            if stat.S_ISLNK(entry.external_attr >> 16):
                self._report_link(prefix + name)
                continue
            self._add_entry(name, place, prefix, self._defer_reading(archive, entry, place), depth)

    def _defer_reading(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, place: str) -> Callable[[], bytes]:
        def read() -> bytes:
            with _translate_errors(place), archive.open(entry) as stream:
                return self.budget.read_entry(stream, entry.filename, place)

        return read

    def _add_tar(self, stream: BinaryIO, place: str, prefix: str, depth: int) -> None:
        with tarfile.open(fileobj=stream, mode="r:*") as archive:
            for entry in archive:
                name = _check_name(entry.name, place)
                self.budget.pass_over(place, entry.size)
                if entry.isdir() or not self._is_relevant(name):
                    continue
                opened = archive.extractfile(entry) if entry.isfile() else None
                if opened is None:
                    self._report_link(prefix + name)
                    continue
                content = self.budget.read_entry(opened, entry.name, place)
                self._add_entry(name, place, prefix, lambda content=content: content, depth)  # type: ignore[misc]
            _check_end(archive, place)

    def _add_entry(self, name: str, place: str, prefix: str, read: Callable[[], bytes], depth: int) -> None:
        archive = ARCHIVE.fullmatch(name)
        if archive:
            self.add(io.BytesIO(read()), f"{place}/{name}", f"{prefix}{archive['name']}/", depth + 1)
        else:
            self.download.add(prefix + name, read)

    def _is_relevant(self, name: str) -> bool:
        if any(map(is_hidden, name.split("/"))):
            return False
        return bool(self.is_wanted(name) or ARCHIVE.fullmatch(name))

    def _report_link(self, name: str) -> None:
        self.download.ledger.skip("a link inside an archive, not followed", f"file {name}")


def _check_name(name: str, place: str) -> str:
    """Check that the name of an entry does not lead out of the archive; old Windows tools write backslashes."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or PureWindowsPath(name).drive:
        raise FormatError(f"its entry {quote(name)} leads out of the archive, so it is not read", path=place)
    return path.as_posix()


def _check_end(archive: tarfile.TarFile, place: str) -> None:
    """Raise when a tar file stops before its end, which tarfile takes for the end, or its checksum is wrong."""
    stream = cast("IO[bytes]", archive.fileobj)
    stream.seek(archive.offset)
    if stream.read(_BLOCK) != bytes(_BLOCK):
        raise FormatError("this archive stops before its end: download it again", path=place)
    while stream.read(1 << 20):
        pass


@contextmanager
def _translate_errors(place: str) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise FormatError("this archive is too large for the memory: unpack it first", path=place) from None
    except _BROKEN:
        raise FormatError("this archive is broken or of an unknown kind: download it again", path=place) from None
