"""JSONL, the native format: one document or sentence a line, character offsets, end exclusive.

    {"id": "d1", "text": "Severe joint and shoulder pain.", "entities": [
        {"label": "ADR", "spans": [[0, 12], [26, 30]]}, {"label": "ADR", "spans": [[0, 6], [17, 30]]}]}

Optional keys `sentences` and `words` are the truth when present. Keys that disconer does not know survive.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, located
from disconer.formats.files import read_lines, replacing_file
from disconer.formats.json_keys import unknown
from disconer.formats.json_records import limiting_depth, parsed
from disconer.formats.losses import Losses
from disconer.tokenize import Layout, Split

DOCUMENT_KEYS = frozenset(("id", "text", "entities", "sentences", "words"))
"""What the keys of a line mean; no unknown key of a document may be called so."""
MENTION_KEYS = frozenset(("label", "spans", "score"))


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for number, line in enumerate(read_lines(path), start=1):
        if line and not line.isspace():
            with located(path, number):
                yield document_of(parsed(line), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write documents; JSONL holds everything but keys of others that bear the names of its own."""
    with replacing_file(path) as stream:
        for document in documents:
            note_reserved(document, losses)
            stream.write(line_of(document))


def line_of(document: Document) -> str:
    """Write the line of a document."""
    with limiting_depth():
        return json.dumps(record(document), ensure_ascii=False) + "\n"


def note_reserved(document: Document, losses: Losses) -> None:
    """Count unknown keys that bear the names of JSONL's own, and so are not written."""
    losses.note_keys(document.extras.keys() & DOCUMENT_KEYS)
    for mention in document:
        losses.note_keys(mention.extras.keys() & MENTION_KEYS, "mentions' ")


def record(document: Document) -> dict[str, Any]:
    """Give a document as the object that stands on its line."""
    line: dict[str, Any] = {} if document.id is None else {"id": document.id}
    line |= {"text": document.text, "entities": [_entity(mention) for mention in document]}
    sentences = document.layout.sentences_unknown_to(Split.AUTO)
    if sentences is not None:
        line["sentences"] = sentences
    if document.layout.given_words is not None:
        line["words"] = document.layout.given_words
    return line | unknown(document.extras, DOCUMENT_KEYS)


def _entity(mention: Mention) -> dict[str, Any]:
    entity: dict[str, Any] = {"label": mention.label, "spans": [list(fragment) for fragment in mention.fragments]}
    if mention.score is not None:
        entity["score"] = mention.score
    return entity | unknown(mention.extras, MENTION_KEYS)


def document_of(line: dict[str, Any], split: Split) -> Document:
    """Undo `record`."""
    if "text" not in line:
        raise FormatError("the key 'text' is missing")
    layout = Layout(line["text"], _list(line, "words"), _list(line, "sentences"), split)
    mentions = [_mention(entity, layout) for entity in _list(line, "entities") or ()]
    return Document(layout, mentions, line.get("id"), unknown(line, DOCUMENT_KEYS))


def _list(line: dict[str, Any], key: str) -> Any:
    value = line.get(key)
    if value is not None and not isinstance(value, list):
        raise FormatError(f"the key {key!r} must hold a list")
    return value


def _mention(entity: Any, layout: Layout) -> Mention:
    if not isinstance(entity, dict) or "label" not in entity or not isinstance(entity.get("spans"), list):
        raise FormatError("an entity must be an object with the keys 'label' and 'spans'")
    return Mention(entity["label"], entity["spans"], layout, entity.get("score"), unknown(entity, MENTION_KEYS))
