"""Files, read strictly and written whole or not at all."""

import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from disconer.exceptions import FormatError, InputError, WriteError

STANDARD_STREAM = "-"
"""Instead of a path: standard input or standard output."""
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
    number = 0
    with _opened(path) as stream:
        for raw in stream:
            for piece in raw.removesuffix(b"\n").removesuffix(b"\r").split(b"\r"):
                number += 1
                try:
                    yield piece.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise FormatError(_NOT_UTF8, path=path, line=number) from None


def unreadable(path: Path | str, error: OSError) -> InputError:
    """Make the error of a file that the system does not let us read."""
    return InputError(f"cannot be read: {error.strerror}", path=path)


@contextmanager
def replacing_file(path: Path) -> Iterator[TextIO]:
    r"""Open a file that takes the place of `path` when the block ends well, and disappears when it does not.

    Half surrogate pairs, which UTF-8 cannot hold, are written as `\ud83d`: inside JSON that is their proper escape.
    """
    if is_stream(path):
        yield sys.stdout
        sys.stdout.flush()
        return
    if path.is_dir():
        raise InputError("this is a folder: name a file", path=path)
    with _write_errors(path):
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            with path.open("w", encoding="utf-8", newline="", errors="backslashreplace") as stream:
                yield stream
            return
        target = Path(os.path.realpath(path))
        temporary = _temporary_name(target)
        try:
            with temporary.open("x", encoding="utf-8", newline="", errors="backslashreplace") as stream:
                if target.exists():
                    os.fchmod(stream.fileno(), stat.S_IMODE(target.stat().st_mode))
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Make a folder whose content appears in `path` when the block ends well, and disappears when it does not."""
    target = Path(os.path.realpath(path))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError("this exists and is not an empty folder: name another or empty it first", path=path)
    temporary = _temporary_name(target)
    with _write_errors(path):
        try:
            temporary.mkdir()
            yield temporary
            if target.exists():  # it may be somebody's working folder, so it is filled and not replaced
                for child in temporary.iterdir():
                    child.rename(target / child.name)
            else:
                temporary.rename(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[bytes]]:
    if is_stream(path):
        if sys.stdin is None or sys.stdin.closed:
            raise InputError("it is closed or was read to its end before", path=path)
        with sys.stdin.buffer as stream:
            yield stream
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise unreadable(path, error) from None
    with file:
        yield file


def _temporary_name(target: Path) -> Path:
    return target.with_name(f".disconer-{secrets.token_hex(8)}.tmp")


@contextmanager
def _write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except FileNotFoundError:
        raise InputError("there is no such folder to write into: make it first", path=path) from None
    except OSError as error:
        raise WriteError(f"{path}: could not be written: {error.strerror}; nothing was left there") from None
