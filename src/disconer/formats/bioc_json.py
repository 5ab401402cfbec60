"""BioC's JSON: one collection with its documents, as the `bioc` library and PubMed Central's service write it.

Arrays of collections, bare documents (in an array or one a line) and what PubTator3's service answers are read too.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from disconer.document import Document
from disconer.exceptions import located
from disconer.formats.bioc.documents import document_of, records_of
from disconer.formats.bioc.parts import parts
from disconer.formats.json_records import records_within, writing_array
from disconer.formats.losses import Losses
from disconer.tokenize import Split

_KEY = "documents"
_SERVICE_KEY = "PubTator3"
"""The key that PubTator3's service puts its documents under."""


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one; what stands behind the documents of a collection is not looked at."""
    for line, record, collection in records_within(path, _KEY):
        with located(path, line):
            for document in parts(record, _SERVICE_KEY) if _SERVICE_KEY in record else (record,):
                yield document_of(document, collection, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write one collection, a document a line."""
    collection, records = records_of(documents, losses)
    opening = f"{json.dumps(collection, ensure_ascii=False)[:-1]}, {json.dumps(_KEY)}: ["
    with writing_array(path, opening, "]}") as write_record:
        for name, record in records:
            with located(name):
                write_record(record)
