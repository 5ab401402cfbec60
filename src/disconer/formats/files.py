"""Files, read strictly and written whole or not at all."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from disconer.exceptions import FormatError, InputError, WriteError

STANDARD_STREAM = "-"
"""Instead of a path: standard input or standard output."""


def is_stream(path: Path) -> bool:
    return str(path) == STANDARD_STREAM


def read_text(path: Path) -> str:
    """Read a whole file as it is: UTF-8, no line end translated, a byte order mark kept."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FormatError("this is not UTF-8: convert the file first, e.g. with iconv", path=path, line=line) from None
    except OSError as error:
        raise _unreadable(path, error) from None


def read_lines(path: Path) -> Iterator[str]:
    """Read a file line by line, without line ends (LF, CRLF or CR) and without a byte order mark."""
    try:
        stream = sys.stdin.buffer if is_stream(path) else path.open("rb")
    except OSError as error:
        raise _unreadable(path, error) from None
    name = "standard input" if is_stream(path) else path
    number = 0
    with stream:
        for raw in stream:
            for piece in raw.removesuffix(b"\n").removesuffix(b"\r").split(b"\r"):
                number += 1
                try:
                    yield piece.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    message = "this is not UTF-8: convert the file first, e.g. with iconv"
                    raise FormatError(message, path=name, line=number) from None


@contextmanager
def replacing_file(path: Path) -> Iterator[TextIO]:
    """Open a file that takes the place of `path` when the block ends well, and disappears when it does not."""
    if is_stream(path):
        yield sys.stdout
        sys.stdout.flush()
        return
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise InputError("this is a folder: name a file", path=path)
        with _write_errors(path), target.open("w", encoding="utf-8", newline="") as stream:  # a device or a pipe
            yield stream
        return
    temporary = _temporary_name(target)
    with _write_errors(path):
        try:
            with temporary.open("x", encoding="utf-8", newline="") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Make a folder that takes the place of `path` when the block ends well, and disappears when it does not."""
    target = Path(os.path.realpath(path))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError("this exists and is not an empty folder: name another or empty it first", path=path)
    temporary = _temporary_name(target)
    with _write_errors(path):
        try:
            temporary.mkdir()
            yield temporary
            if target.exists():
                target.rmdir()
            temporary.rename(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _temporary_name(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.tmp")


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


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot be read: {error.strerror}", path=path)
