"""Documents as files to download."""

import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from disconer.document import Document
from disconer.formats import Losses, brat, jsonl
from disconer.serve.messages import Target


@dataclass(frozen=True)
class Download:
    """A file: what it is called, what it is, and how documents become one."""

    name: str
    media_type: str
    content: Callable[[Sequence[Document]], bytes]


def _as_jsonl(documents: Sequence[Document]) -> bytes:
    return "".join(map(jsonl.line_of, documents)).encode()


def _as_brat(documents: Sequence[Document]) -> bytes:
    """Write a folder of brat's as an archive, in memory: texts do not go to disk."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for name, content in brat.files(documents, Losses()):
            files.writestr(zipfile.ZipInfo(name), content.encode(), zipfile.ZIP_DEFLATED)
    return archive.getvalue()


DOWNLOADS = {
    Target.JSONL: Download("mentions.jsonl", "application/x-ndjson", _as_jsonl),
    Target.BRAT: Download("mentions-brat.zip", "application/zip", _as_brat),
}
