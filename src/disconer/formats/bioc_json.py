"""BioC's JSON: one collection with its documents, as the `bioc` library and PubMed Central's service write it.

Arrays of collections, bare documents (in an array or one a line) and what PubTator3's service answers are read too.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from disconer.document import Document
from disconer.exceptions import located
from disconer.formats.bioc.documents import document_of, one_behind, records_of
from disconer.formats.bioc.parts import parts
from disconer.formats.json_keys import unknown
from disconer.formats.json_records import limiting_depth, records_within, writing_array
from disconer.formats.losses import Losses
from disconer.tokenize import Split

_KEY = "documents"
_SERVICE_KEY = "PubTator3"
"""The key that PubTator3's service puts its documents under."""


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for line, record, collection in one_behind(records_within(path, _KEY)):
        with located(path, line):
            if _SERVICE_KEY not in record:
                yield document_of(record, collection, split)
            for document in parts(record, _SERVICE_KEY):
                yield document_of(document, unknown(record, {_SERVICE_KEY}), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write one collection, a document a line."""
    collection, records = records_of(documents, losses)
    with limiting_depth():
        opening = f"{json.dumps(collection, ensure_ascii=False)[:-1]}, {json.dumps(_KEY)}: ["
    with writing_array(path, opening, "]}") as write_record:
        for name, record in records:
            with located(name):
                write_record(record)
