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
from disconer.formats.json_records import parsed
from disconer.formats.losses import Losses
from disconer.spans import Span
from disconer.tokenize import Layout, Split

_DOCUMENT_KEYS = frozenset(("id", "text", "entities", "sentences", "words"))
_MENTION_KEYS = frozenset(("label", "spans", "score"))


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for number, line in enumerate(read_lines(path), start=1):
        if line and not line.isspace():
            with located(path, number):
                yield document_of(parsed(line), split)


def write(documents: Iterable[Document], path: Path, _losses: Losses) -> None:
    """Write documents; JSONL holds everything, so nothing is lost."""
    with replacing_file(path) as stream:
        for document in documents:
            stream.write(json.dumps(record(document), ensure_ascii=False) + "\n")


def record(document: Document) -> dict[str, Any]:
    """Give a document as the object that stands on its line."""
    line: dict[str, Any] = {} if document.id is None else {"id": document.id}
    line |= {"text": document.text, "entities": [_entity(mention) for mention in document]}
    sentences = sentences_to_keep(document.layout)
    if sentences is not None:
        line["sentences"] = sentences
    if document.layout.given_words is not None:
        line["words"] = document.layout.given_words
    return {**line, **document.extras}


def _entity(mention: Mention) -> dict[str, Any]:
    entity: dict[str, Any] = {"label": mention.label, "spans": [list(fragment) for fragment in mention.fragments]}
    if mention.score is not None:
        entity["score"] = mention.score
    return {**entity, **mention.extras}


def sentences_to_keep(layout: Layout) -> tuple[Span, ...] | None:
    """Give the sentences that a reader of the bare text would not find again."""
    if layout.given_sentences is not None or layout.split is Split.AUTO:
        return layout.given_sentences
    as_read_back = Layout(layout.text, layout.given_words)
    if layout.is_split == as_read_back.is_split or layout.sentences == as_read_back.sentences:
        return None
    return layout.sentences


def document_of(line: dict[str, Any], split: Split) -> Document:
    """Undo `record`."""
    if "text" not in line:
        raise FormatError("the key 'text' is missing")
    layout = Layout(line["text"], _list(line, "words"), _list(line, "sentences"), split)
    mentions = [_mention(entity, layout) for entity in _list(line, "entities") or ()]
    extras = {key: value for key, value in line.items() if key not in _DOCUMENT_KEYS}
    return Document(layout, mentions, line.get("id"), extras)


def _list(line: dict[str, Any], key: str) -> Any:
    value = line.get(key)
    if value is not None and not isinstance(value, list):
        raise FormatError(f"the key {key!r} must hold a list")
    return value


def _mention(entity: Any, layout: Layout) -> Mention:
    if not isinstance(entity, dict) or "label" not in entity or not isinstance(entity.get("spans"), list):
        raise FormatError("an entity must be an object with the keys 'label' and 'spans'")
    extras = {key: value for key, value in entity.items() if key not in _MENTION_KEYS}
    return Mention(entity["label"], entity["spans"], layout, entity.get("score"), extras)
