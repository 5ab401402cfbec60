"""Predictions on disk as they come, beside the output-to-be: what a run that was cut off need not do again."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from disconer.document import Document
from disconer.exceptions import DisconerError, FormatError, InputError, WriteError
from disconer.formats.json_records import parse_record
from disconer.formats.jsonl import read_document, to_line
from disconer.tokenize import Split

Predict = Callable[[Iterator[Document]], Iterable[Document]]

_ANEW = "delete this file to begin anew"


class Journal:
    """A file of predicted documents, in the order of the input, below a line that says how they were predicted.

    It holds source text, as the output does, and nobody else may read it.
    """

    def __init__(self, output: Path, made_by: dict[str, Any]) -> None:
        whole = output.resolve()
        self.path = whole.with_name(f"{whole.name}.partial")
        self._head = json.dumps({"disconer": version("disconer"), **made_by}, sort_keys=True).encode() + b"\n"
        """What must be the same for predictions to be the same."""

    def predict(self, documents: Iterable[Document], predict: Predict) -> Iterator[Document]:
        """Predict documents; those that the journal has are taken from there."""
        remaining = iter(documents)
        size = 0
        for number, (found, end) in enumerate(self._read(), start=1):
            document = next(remaining, None)
            if document is None or _key(document) != _key(found):
                raise InputError(f"document {number} is another than it was: {_ANEW}", path=self.path)
            size = end
            yield document.with_mentions(found.mentions)
        with os.fdopen(self._open(), "r+b") as stream:
            stream.truncate(size)
            stream.seek(size)
            self._append(stream, b"" if size else self._head)
            for document in predict(remaining):
                bare = Document(document.layout, document.mentions, document.id)  # the input still has all else
                self._append(stream, to_line(bare).encode(errors="backslashreplace"))
                yield document

    def remove(self) -> None:
        """Forget everything, once the output is where it belongs."""
        self.path.unlink(missing_ok=True)

    def _open(self) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise WriteError(f"{self.path}: could not be written: {error.strerror}") from None

    def _append(self, stream: BinaryIO, content: bytes) -> None:
        try:
            stream.write(content)
            stream.flush()
        except OSError as error:
            raise WriteError(f"{self.path}: could not be written: {error.strerror}; --resume goes on from it") from None

    def _read(self) -> Iterator[tuple[Document, int]]:
        """Read the documents that are there, and where each ends: a last line that was cut off does not count."""
        if not self.path.is_file():
            return
        with self.path.open("rb") as stream:
            head = stream.readline()
            if not head.endswith(b"\n"):
                return
            if head != self._head:
                message = f"this was predicted by another model, or with other options: {_ANEW}"
                raise InputError(message, path=self.path)
            end = len(head)
            for number, line in enumerate(stream, start=2):
                if line.endswith(b"\n"):
                    end += len(line)
                    yield self._parse(line, number), end

    def _parse(self, line: bytes, number: int) -> Document:
        try:
            return read_document(parse_record(line.decode()), Split.AUTO)
        except (DisconerError, UnicodeDecodeError):
            raise FormatError(f"this line is damaged: {_ANEW}", path=self.path, line=number) from None


def _key(document: Document) -> object:
    """All that a document is, but for what is found in it."""
    layout = document.layout
    return document.id, layout.text, layout.words, layout.sentences
