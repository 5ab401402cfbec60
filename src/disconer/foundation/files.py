"""Files, read strictly and written whole or not at all."""

import codecs
import hashlib
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

from disconer.exceptions import FormatError, InputError, WriteError
from disconer.foundation.nearest import did_you_mean_path

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from _hashlib import _HashObject

STANDARD_STREAM = "-"
"""Instead of a path: standard input or standard output."""
BYTE_ORDER_MARK = "\ufeff"
_TEMPORARY = ".disconer-"
"""What the names of files and folders that are still being written begin with."""
_PIECE = 1 << 16
_NOT_UTF8 = "this is not UTF-8: convert the file first, e.g. with iconv"


def is_stream(path: Path) -> bool:
    return str(path) == STANDARD_STREAM


def read_text(path: Path) -> str:
    """Read a whole file as it is: UTF-8, no line end translated, a byte order mark kept."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FormatError(_NOT_UTF8, path=path, line=line) from None
    except OSError as error:
        raise unreadable(path, error) from None


def read_lines(path: Path) -> Iterator[str]:
    """Read a file line by line, without line ends (LF, CRLF or CR) and without a byte order mark."""
    for number, line in enumerate(_raw_lines(path), start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise FormatError(_NOT_UTF8, path=path, line=number) from None


def read_pieces(path: Path) -> Iterator[str]:
    """Read a file piece by piece, wherever its lines end, without a byte order mark."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    line = 1
    with open_bytes(path) as stream:
        for raw in chain(iter(lambda: stream.read(_PIECE), b""), (b"",)):
            try:
                piece = decoder.decode(raw, final=not raw)
            except UnicodeDecodeError as error:
                line += error.object[: error.start].count(b"\n")
                raise FormatError(_NOT_UTF8, path=path, line=line) from None
            line += piece.count("\n")
            yield piece


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a file, or standard input, to be read as bytes."""
    if is_stream(path) and (sys.stdin is None or sys.stdin.closed):
        raise InputError("it is closed or was read to its end before", path=path)
    try:
        with sys.stdin.buffer if is_stream(path) else path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise unreadable(path, error) from None


def fingerprint_files(paths: Iterable[Path], digest: "_HashObject") -> str:
    """Tell files from others by their content, with the hash of a digest, which may have been fed with more before."""
    for path in paths:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, digest.name).digest())
    return digest.hexdigest()


def unreadable(path: Path | str, error: OSError) -> InputError:
    """Make the error of a file that the system does not let us read."""
    if isinstance(error, FileNotFoundError) and not Path(path).is_symlink():  # which may lead nowhere
        return InputError(f"there is no such file{did_you_mean_path(path)}", path=path)
    return InputError(f"cannot be read: {error.strerror}", path=path)


@contextmanager
def replace_file(path: Path) -> Iterator[TextIO]:
    r"""Open a file that takes the place of `path` when the block ends well, and disappears when it does not.

    Half surrogate pairs, which UTF-8 cannot hold, are written as `\ud83d`: inside JSON that is their proper escape.
    """
    if is_stream(path):
        yield sys.stdout
        sys.stdout.flush()
        return
    if path.exists() and not path.is_file() and not path.is_dir():  # a device or a pipe cannot be replaced
        with _write_errors(path), _open(path) as stream:
            yield stream
        return
    with replace_path(path) as temporary, _open(temporary) as stream:
        yield stream


@contextmanager
def replace_path(path: Path) -> Iterator[Path]:
    """Make an empty file to write to, which takes the place of `path` when the block ends well."""
    with _write_errors(path):
        if path.exists() and not path.is_file():
            raise InputError(f"this is a {'folder' if path.is_dir() else 'device or a pipe'}: name a file", path=path)
        target = Path(os.path.realpath(path))
        temporary = _temporary_name(target)
        try:
            temporary.touch(exist_ok=False)
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            yield temporary
            with temporary.open("rb") as stream:
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


def check_new_folder(path: Path) -> None:
    """Raise when `create_folder` could not make a folder here."""
    with _write_errors(path):
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError("this exists and is not an empty folder: name another or empty it first", path=path)
        if not Path(os.path.realpath(path)).parent.is_dir():
            raise FileNotFoundError


@contextmanager
def create_folder(path: Path) -> Iterator[Path]:
    """Make a folder whose content appears in `path` when the block ends well, and disappears when it does not."""
    check_new_folder(path)
    with _write_errors(path):
        target = Path(os.path.realpath(path))
        is_there = target.exists()
        # A folder that is there may be a mounted disk or somebody's working folder: it is filled and not replaced.
        temporary = _temporary_name(target / "content" if is_there else target)
        try:
            temporary.mkdir()
            yield temporary
            if is_there:
                _move_content(temporary, target)
            else:
                temporary.rename(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def swap_folder(path: Path) -> Iterator[Path]:
    """Make a folder that takes the place of `path`, and of the folder that is there, when the block ends well."""
    with _write_errors(path):
        temporary, retired = _temporary_name(path), _temporary_name(path)
        try:
            temporary.mkdir()
            yield temporary
            if path.exists():
                path.rename(retired)
            temporary.rename(path)
        except BaseException:
            if retired.exists() and not path.exists():
                retired.rename(path)
            raise
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
            shutil.rmtree(retired, ignore_errors=True)


@contextmanager
def lock_folder(folder: Path, waiting: Callable[[], object] = str) -> Iterator[None]:
    """Have a folder for oneself among the processes that ask for it; say so before waiting for another one.

    Windows and some network disks cannot lock folders: there, one process at a time is the user's to see to.
    """
    if sys.platform == "win32":
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            pass
        yield
    finally:
        os.close(handle)


def is_leftover(path: Path) -> bool:
    """Tell whether a process that was killed while it wrote left this."""
    return path.name.startswith(_TEMPORARY)


def remove_leftovers(folder: Path) -> None:
    """Remove what a process that was killed while it wrote into a folder left there."""
    for leftover in folder.glob(f"{_TEMPORARY}*"):
        if leftover.is_dir():
            shutil.rmtree(leftover, ignore_errors=True)
        else:
            leftover.unlink(missing_ok=True)


def _move_content(source: Path, target: Path) -> None:
    moved: list[str] = []
    try:
        for child in sorted(source.iterdir()):
            child.rename(target / child.name)
            moved.append(child.name)
    except BaseException:
        for name in moved:
            (target / name).rename(source / name)
        raise


def _raw_lines(path: Path) -> Iterator[bytes]:
    with open_bytes(path) as stream:
        for raw in stream:
            yield from raw.removesuffix(b"\n").removesuffix(b"\r").split(b"\r")


def _open(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", newline="", errors="backslashreplace")


def _temporary_name(target: Path) -> Path:
    return target.with_name(f"{_TEMPORARY}{secrets.token_hex(8)}.tmp")


def make_parent(path: Path) -> None:
    """Make the folder that something is to be written into."""
    with _write_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def _write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except FileNotFoundError:
        raise InputError("there is no such folder to write into: make it first", path=path) from None
    except OSError as error:
        raise WriteError(f"{path}: could not be written: {error.strerror or error}; nothing was left there") from None
