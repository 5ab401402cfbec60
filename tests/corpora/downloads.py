"""Downloads as owners ship them, made on the spot: folders and archives of small files."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, str | bytes]
"""The content of files by their names below the download."""


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
