"""BigBIO's `kb` schema, in which many biomedical corpora are published: Parquet when the name ends so, or else JSON.

    {"id": "1", "document_id": "d1", "passages": [{"id": "2", "type": "title", "text": ["Severe joint and …"],
        "offsets": [[0, 31]]}], "entities": [{"id": "3", "type": "ADR", "text": ["Severe joint", "pain"],
        "offsets": [[0, 12], [26, 30]], "normalized": []}], "events": [], "coreferences": [], "relations": []}

A document's id is its `document_id`. What else is neither text nor mention is kept: the mentions' ids under their extra
key `id`, the rest under the extra key `bigbio` of documents and mentions, entities that mark no character among it. The
offsets are the truth: the text of an entity is written anew, and kept under the mention's extra key `text` where it
differs from the text at the offsets.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, located
from disconer.formats import json_records
from disconer.formats.bigbio.parquet import begins_as_parquet, is_called_parquet, read_records, write_records
from disconer.formats.bigbio.passages import Record, differs, placed_text, text_and_passages, texts_at
from disconer.formats.bigbio.schema import KB, checked, completed
from disconer.formats.json_keys import unknown
from disconer.formats.losses import Losses
from disconer.formats.references import Referring, as_identifier, standing, unique_identifiers
from disconer.tokenize import Layout, Split

_HELD_KEYS = frozenset(("bigbio", "id"))
_OF_DOCUMENTS = unknown(KB, ("document_id",))
"""What the key `bigbio` of a document holds: of passages all but their texts, of entities those that mark nothing."""
_OF_MENTIONS = {"normalized": KB["entities"][0]["normalized"]}
_OWN_KEYS = frozenset(("id", "type", "text", "offsets"))
_ABOUT_OTHERS = ("events", "coreferences", "relations")


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    is_parquet = is_called_parquet(path) or begins_as_parquet(path)
    for line, record in read_records(path) if is_parquet else json_records.records(path):
        with located(path, line):
            yield document_of(record, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a record for every document."""
    records = (_record(document, number, losses) for number, document in enumerate(documents, start=1))
    if is_called_parquet(path):
        write_records(records, path)
    else:
        with json_records.writing_array(path) as write_record:
            for record in records:
                write_record(record)


def document_of(record: Record, split: Split) -> Document:
    """Read a record of the schema."""
    if "passages" not in record:
        raise FormatError("the key 'passages' is missing, so this is not BigBIO's kb schema")
    given = checked(record, KB, "a record")
    entities = given.get("entities") or []
    text, passages = text_and_passages(given.get("passages") or [], entities)
    layout = Layout(text, split=split)
    others = [_told(entity) for entity in entities if not _is_marking(entity)]
    extras = {"bigbio": _told({**unknown(given, ("document_id",)), "passages": passages, "entities": others})}
    identifier = given.get("document_id")
    mentions = [_mention(entity, layout) for entity in entities if _is_marking(entity)]
    return Document(layout, mentions, given.get("id") if identifier is None else identifier, extras)


def _is_marking(entity: Record) -> bool:
    """Tell whether an entity marks a character of the text."""
    return any(start != end for start, end in entity.get("offsets") or ())


def _mention(entity: Record, layout: Layout) -> Mention:
    extras: Record = {} if entity.get("id") is None else {"id": entity["id"]}
    if entity.get("text") and differs(layout.text, entity):
        extras["text"] = " ".join(entity["text"])
    others = _told(unknown(entity, _OWN_KEYS))
    if others:
        extras["bigbio"] = others
    return Mention(entity.get("type", ""), entity["offsets"], layout, extras=extras)


def _told(values: Mapping[str, Any]) -> Record:
    """Leave out what says nothing: the lists that every record has."""
    return {key: value for key, value in values.items() if value is not None and value != []}


def _record(document: Document, number: int, losses: Losses) -> Record:
    kept = _without_marking(_kept(document.extras, _OF_DOCUMENTS, "the key", losses), losses)
    identifier = kept["id"] or str(number)
    names = _entity_identifiers(document, identifier, kept, losses)
    entities = chain((_entity(mention, losses) for mention in document), kept["entities"])
    losses.note_extras(document, _HELD_KEYS)
    losses.note_id(document)
    losses.note_layout(document.layout, "BigBIO")
    return {
        "id": identifier,
        "document_id": identifier if document.id is None else str(document.id),
        "passages": _passages(document.text, kept["passages"], identifier, losses),
        "entities": [{**entity, "id": name} for entity, name in zip(entities, names, strict=True)],
        **_without_dangling(kept, names, losses),
    }


def _kept(extras: Mapping[str, Any], shape: Mapping[str, Any], what: str, losses: Losses) -> Record:
    """Give what a document or mention was read with, as far as the schema has room for it."""
    try:
        value = checked(extras.get("bigbio", {}), shape, "the key 'bigbio'")
    except InputError:  # anybody may have written it
        losses.note(f"values of {what} 'bigbio'")
        value = {}
    strays: Counter[str] = Counter()
    kept: Record = completed(value, shape, strays)
    for key, times in strays.items():
        losses.note(f"values of {what} {f'bigbio.{key}'!r}", times)
    return kept


def _without_marking(kept: Record, losses: Losses) -> Record:
    """Leave out kept entities that would be read as mentions."""
    others = [entity for entity in kept["entities"] if not _is_marking(entity)]
    losses.note("values of the key 'bigbio.entities'", len(kept["entities"]) - len(others))
    return {**kept, "entities": others}


def _entity_identifiers(document: Document, identifier: str, kept: Record, losses: Losses) -> list[str]:
    """Keep the ids of mentions and of what marks nothing, the document's in front where others may bear them too."""
    front = "" if "bigbio" in document.extras else f"{identifier}_"
    own = [mention.extras.get("id") for mention in document] + [entity["id"] for entity in kept["entities"]]
    wanted = [front + name if (name := as_identifier(value)) else "" for value in own]
    parts = chain.from_iterable(kept[kind] for kind in _ABOUT_OTHERS)
    references = chain.from_iterable(_referring(part).references for part in parts)
    identifiers = unique_identifiers(wanted, f"{identifier}_T", references)
    kept_ids = sum(wish == got for wish, got in zip(wanted, identifiers, strict=True))
    losses.note("ids of mentions that BigBIO cannot use", sum(value is not None for value in own) - kept_ids)
    losses.note("ids of mentions that got the document's in front", kept_ids if front else 0)
    return identifiers


def _passages(text: str, kept: Sequence[Record], identifier: str, losses: Losses) -> list[Record]:
    """Cut the text into the passages that it was read with, if these still are all of it."""
    passages = [{**passage, "text": texts_at(text, passage["offsets"])} for passage in kept]
    if placed_text(passages) == text:
        return passages
    losses.note("passages that do not fit the text", len(kept))
    return [{"id": f"{identifier}_text", "type": "document", "text": [text], "offsets": [[0, len(text)]]}]


def _entity(mention: Mention, losses: Losses) -> Record:
    offsets = [list(fragment) for fragment in mention.fragments]
    texts = texts_at(mention.layout.text, offsets)
    kept = _kept(mention.extras, _OF_MENTIONS, "the mentions' key", losses)
    return {"type": mention.label, "text": texts, "offsets": offsets, **kept}


def _without_dangling(kept: Record, identifiers: Iterable[str], losses: Losses) -> dict[str, list[Record]]:
    """Leave out the events, coreferences and relations of mentions that are not there, or not there any more."""
    things = {kind: [(_referring(part), part) for part in kept[kind]] for kind in _ABOUT_OTHERS}
    return standing(things, identifiers, "BigBIO", losses)


def _referring(part: Record) -> Referring:
    arguments = (argument["ref_id"] for argument in part.get("arguments", ()))
    references = (*arguments, *part.get("entity_ids", ()), part.get("arg1_id"), part.get("arg2_id"))
    return Referring(part["id"], [reference for reference in references if reference is not None])
