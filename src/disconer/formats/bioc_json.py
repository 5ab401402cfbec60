"""BioC's JSON: one collection with its documents, as the `bioc` library and PubMed Central's service write it.

Arrays of collections, bare documents (in an array or one a line) and what PubTator3's service answers are read too.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from disconer.document import Document
from disconer.exceptions import locate_errors
from disconer.formats.bioc.documents import delay_by_one, read_document, to_records
from disconer.formats.bioc.parts import parts_at
from disconer.formats.json_keys import drop_keys
from disconer.formats.json_records import limit_depth, read_nested_records, write_array
from disconer.formats.losses import Losses
from disconer.tokenize import Split

_KEY = "documents"
_SERVICE_KEY = "PubTator3"
"""The key that PubTator3's service puts its documents under."""


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for line, record, collection in delay_by_one(read_nested_records(path, _KEY)):
        with locate_errors(path, line):
            if _SERVICE_KEY not in record:
                yield read_document(record, collection, split)
            for document in parts_at(record, _SERVICE_KEY):
                yield read_document(document, drop_keys(record, {_SERVICE_KEY}), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write one collection, a document a line."""
    collection, records = to_records(documents, losses)
    with limit_depth():
        opening = f"{json.dumps(collection, ensure_ascii=False)[:-1]}, {json.dumps(_KEY)}: ["
    with write_array(path, opening, "]}") as write_record:
        for name, record in records:
            with locate_errors(name):
                write_record(record)
