"""Predictions on disk as they come, beside the output-to-be: what a run that was cut off need not do again."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from disconer.document import Document
from disconer.exceptions import InputError
from disconer.formats.json_records import parse_record
from disconer.formats.jsonl import read_document, to_line
from disconer.tokenize import Split

Predict = Callable[[Iterator[Document]], Iterable[Document]]


class Journal:
    """A file of predicted documents, in the order of the input, below a line that says how they were predicted.

    It holds source text, as the output does.
    """

    def __init__(self, output: Path, made_by: dict[str, Any]) -> None:
        self.path = output.with_name(f"{output.name}.partial")
        self._made_by = made_by
        """What must be the same for predictions to be the same."""

    def predict(self, documents: Iterable[Document], predict: Predict) -> Iterator[Document]:
        """Predict documents; those that the journal has are taken from there."""
        remaining = iter(documents)
        kept, size = self._read()
        for number, found in enumerate(kept, start=1):
            document = next(remaining, None)
            if document is None or (document.id, document.text) != (found.id, found.text):
                raise InputError(f"document {number} is another than it was: {self._begin_anew}", path=self.path)
            yield document.with_mentions(found.mentions)
        with self.path.open("r+b" if size else "wb") as stream:
            stream.truncate(size)
            stream.seek(size)
            if not size:
                stream.write(self._head)
            for document in predict(remaining):
                stream.write(to_line(document).encode(errors="backslashreplace"))
                stream.flush()
                yield document

    def remove(self) -> None:
        """Forget everything, once the output is where it belongs."""
        self.path.unlink(missing_ok=True)

    @property
    def _begin_anew(self) -> str:
        return "delete this file to begin anew"

    @property
    def _head(self) -> bytes:
        return json.dumps(self._made_by, sort_keys=True).encode() + b"\n"

    def _read(self) -> tuple[list[Document], int]:
        """Read what is there, and how many bytes that is: a last line that was cut off does not count."""
        if not self.path.is_file():
            return [], 0
        whole, _, _ = self.path.read_bytes().rpartition(b"\n")
        if not whole:
            return [], 0
        head, *lines = whole.split(b"\n")
        if head + b"\n" != self._head:
            message = f"this was predicted by another model, or with other options: {self._begin_anew}"
            raise InputError(message, path=self.path)
        return [read_document(parse_record(line.decode()), Split.AUTO) for line in lines], len(whole) + 1
