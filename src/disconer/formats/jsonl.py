"""JSONL, the native format: one document or sentence a line, character offsets, end exclusive.

    {"id": "d1", "text": "Severe joint and shoulder pain.", "entities": [
        {"label": "ADR", "spans": [[0, 12], [26, 30]]}, {"label": "ADR", "spans": [[0, 6], [17, 30]]}]}

Optional keys `sentences` and `words` are the truth when present. Keys that disconer does not know survive.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, locate_errors
from disconer.formats.json_keys import drop_keys, find_list, list_at
from disconer.formats.json_records import limit_depth, parse_record
from disconer.formats.losses import Losses
from disconer.foundation.files import open_bytes, read_lines, replace_file
from disconer.tokenize import Layout, Split

DOCUMENT_KEYS = frozenset(("id", "text", "entities", "sentences", "words"))
"""The keys of a line; no unknown key of a document may be called so."""
MENTION_KEYS = frozenset(("label", "spans", "score"))
LEFTOVERS = "disconer"
"""Where other formats keep what they have no place for (unknown keys, words), written as a line of JSONL has it."""
_OF_LINES = DOCUMENT_KEYS - {"id", "sentences", "words"}


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for number, line in enumerate(read_lines(path), start=1):
        if line and not line.isspace():
            with locate_errors(path, number):
                yield read_document(parse_record(line), split)


def count(path: Path) -> int:
    """Count the lines of a file."""
    with open_bytes(path) as stream:
        return sum(not line.isspace() for line in stream)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write documents; JSONL holds everything but unknown keys with the names of its own."""
    with replace_file(path) as stream:
        for document in documents:
            note_reserved(document, losses)
            stream.write(to_line(document))


def to_line(document: Document) -> str:
    """Convert a document to its line."""
    with limit_depth():
        return json.dumps(to_record(document), ensure_ascii=False) + "\n"


def note_reserved(document: Document, losses: Losses) -> None:
    """Count unknown keys with the names of JSONL's own, which are not written."""
    losses.note_keys(document.extras.keys() & DOCUMENT_KEYS)
    for mention in document:
        losses.note_keys(mention.extras.keys() & MENTION_KEYS, "mentions' ")


def to_record(document: Document) -> dict[str, Any]:
    """Convert a document to the object of its line."""
    line: dict[str, Any] = {} if document.id is None else {"id": document.id}
    line |= {"text": document.text, "entities": [_to_entity(mention) for mention in document]}
    sentences = document.layout.sentences_unknown_to(Split.AUTO)
    if sentences is not None:
        line["sentences"] = sentences
    if document.layout.given_words is not None:
        line["words"] = document.layout.given_words
    return line | drop_keys(document.extras, DOCUMENT_KEYS)


def _to_entity(mention: Mention) -> dict[str, Any]:
    entity: dict[str, Any] = {"label": mention.label, "spans": [list(fragment) for fragment in mention.fragments]}
    if mention.score is not None:
        entity["score"] = mention.score
    return entity | drop_keys(mention.extras, MENTION_KEYS)


def read_document(line: dict[str, Any], split: Split) -> Document:
    """Undo `to_record`."""
    if "text" not in line:
        raise FormatError("the key 'text' is missing")
    layout = Layout(line["text"], find_list(line, "words"), find_list(line, "sentences"), split)
    mentions = [_read_mention(entity, layout) for entity in list_at(line, "entities")]
    return Document(layout, mentions, line.get("id"), drop_keys(line, DOCUMENT_KEYS))


def _read_mention(entity: Any, layout: Layout) -> Mention:
    if not isinstance(entity, dict) or "label" not in entity or not isinstance(entity.get("spans"), list):
        raise FormatError("an entity must be an object with the keys 'label' and 'spans'")
    return Mention(entity["label"], entity["spans"], layout, entity.get("score"), drop_keys(entity, MENTION_KEYS))


def document_leftovers(document: Document, held: Collection[str]) -> dict[str, Any]:
    """The words and the unknown keys of a document, without the keys that its format holds."""
    words = document.layout.given_words
    return {**({} if words is None else {"words": words}), **drop_keys(document.extras, DOCUMENT_KEYS.union(held))}


def mention_leftovers(mention: Mention, held: Collection[str]) -> dict[str, Any]:
    """The unknown keys of a mention, without the keys that its format holds."""
    return drop_keys(mention.extras, MENTION_KEYS.union(held))


def check_document_leftovers(value: Any) -> dict[str, Any]:
    """Check the leftovers of a document, which anybody may have written."""
    return _check_leftovers(value, _OF_LINES)


def check_mention_leftovers(value: Any) -> dict[str, Any]:
    """Check the leftovers of a mention."""
    return _check_leftovers(value, MENTION_KEYS)


def _check_leftovers(value: Any, reserved: frozenset[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or reserved & value.keys():
        raise FormatError(f"what stands under {LEFTOVERS!r} here was not written by disconer: rename or remove it")
    return value
