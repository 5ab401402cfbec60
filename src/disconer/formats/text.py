"""Plain text: a file is a document; from standard input, every line is one. There is nowhere to write mentions to."""

from collections.abc import Iterator
from pathlib import Path

from disconer.document import Document
from disconer.formats import brat
from disconer.foundation.files import is_stream, read_lines, read_text
from disconer.tokenize import Layout, Split


def count(path: Path) -> int:
    """Count the documents of a file or a folder."""
    return brat.count(path) if path.is_dir() else 1


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one; a folder is read as brat's, of which annotations are an optional part."""
    if is_stream(path):
        return (Document(Layout(line, split=split)) for line in read_lines(path))
    if path.is_dir():
        return brat.read(path, split)
    return iter([Document(Layout(read_text(path), split=split), id=path.stem)])
