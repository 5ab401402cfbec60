"""Downloads as owners ship them, made on the spot, and where the mentions are in what is built from them."""

import io
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from disconer import Document

Files = Mapping[str, str | bytes]
"""The content of files by their names below the download."""
Place = tuple[str, str, tuple[tuple[int, int], ...]]
"""Of a mention: its document, its label and its fragments."""


def folder_of(folder: Path, files: Files) -> Path:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(content))
    return folder


def zip_of(path: Path, files: Files) -> Path:
    """Write files into a zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, _bytes(content))
    return path


def tar_of(path: Path, files: Files) -> Path:
    """Write files into a tar file, compressed as its name says."""
    kind = {".gz": "w:gz", ".tgz": "w:gz", ".bz2": "w:bz2", ".xz": "w:xz"}.get(path.suffix, "w")
    with tarfile.open(path, kind) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(_bytes(content))
            archive.addfile(entry, io.BytesIO(_bytes(content)))
    return path


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def places(sentences: Iterable[Document]) -> set[Place]:
    """Locate mentions by the document that sentences were cut from and their offsets in it."""
    found: set[Place] = set()
    for sentence in sentences:
        document, _, offsets = str(sentence.id).rpartition(":")
        start = int(offsets.partition("-")[0])
        for mention in sentence:
            spans = tuple((first + start, last + start) for first, last in mention.fragments)
            found.add((document, mention.label, spans))
    return found
