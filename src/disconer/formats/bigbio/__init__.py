"""BigBIO's `kb` schema, in which many biomedical corpora are published: Parquet when the name ends so, or else JSON.

    {"id": "1", "document_id": "d1", "passages": [{"id": "2", "type": "title", "text": ["Severe joint and …"],
        "offsets": [[0, 31]]}], "entities": [{"id": "3", "type": "ADR", "text": ["Severe joint", "pain"],
        "offsets": [[0, 12], [26, 30]], "normalized": []}], "events": [], "coreferences": [], "relations": []}

A document's id is its `document_id`. What else is neither text nor mention is kept: the mentions' ids under their extra
key `id`, the rest under the extra key `bigbio` of documents and mentions. The offsets are the truth: the text of an
entity is written anew, and kept under the mention's extra key `text` where it differs from the text at the offsets.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, located
from disconer.extras import installed
from disconer.formats import arrow_rows, json_records
from disconer.formats.bigbio.passages import Record, differs, placed_text, text_and_passages, texts_at
from disconer.formats.bigbio.schema import KB, arrow_type, checked, completed
from disconer.formats.files import reading_bytes, replacing_path
from disconer.formats.json_keys import unknown
from disconer.formats.losses import Losses
from disconer.formats.references import Referring, as_identifier, dangling, unique_identifiers
from disconer.tokenize import Layout, Split

_HELD_KEYS = frozenset(("bigbio", "id"))
_OF_DOCUMENTS = unknown(KB, ("document_id", "entities"))
"""What the key `bigbio` of a document holds; of its passages all but their texts."""
_OF_MENTIONS = {"normalized": KB["entities"][0]["normalized"]}
_OWN_KEYS = frozenset(("id", "type", "text", "offsets"))
_ABOUT_OTHERS = ("events", "coreferences", "relations")


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for line, record in _parquet_records(path) if _is_parquet(path) else json_records.records(path):
        with located(path, line):
            yield document_of(record, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a record for every document."""
    records = (_record(document, number, losses) for number, document in enumerate(documents, start=1))
    if _is_parquet(path):
        _write_parquet(records, path)
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
    extras = {"bigbio": _told(unknown(given, ("document_id", "entities")) | {"passages": passages})}
    identifier = given.get("document_id")
    mentions = [_mention(entity, layout) for entity in entities]
    return Document(layout, mentions, given.get("id") if identifier is None else identifier, extras)


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


def _parquet_records(path: Path) -> Iterator[tuple[int, Record]]:
    with installed("parquet"):
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415 (only imported where it is needed)
    with reading_bytes(path) as stream:
        with arrow_rows.arrow_errors(path):
            file = ParquetFile(stream)
        yield from arrow_rows.records(file.iter_batches(arrow_rows.BATCH), path)


def _write_parquet(records: Iterator[Record], path: Path) -> None:
    with installed("parquet"):
        import pyarrow as pa  # noqa: PLC0415 (only imported where it is needed)
        from pyarrow.parquet import ParquetWriter  # noqa: PLC0415
    schema = pa.schema(arrow_type(KB))
    with replacing_path(path) as temporary, ParquetWriter(temporary, schema) as writer:
        while batch := list(islice(records, arrow_rows.BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema))


def _mention(entity: Record, layout: Layout) -> Mention:
    extras: Record = {} if entity.get("id") is None else {"id": entity["id"]}
    if entity.get("text") and differs(layout.text, entity):
        extras["text"] = " ".join(entity["text"])
    others = _told(unknown(entity, _OWN_KEYS))
    if others:
        extras["bigbio"] = others
    return Mention(entity.get("type", ""), entity.get("offsets") or (), layout, extras=extras)


def _told(values: Mapping[str, Any]) -> Record:
    """Leave out what says nothing: the lists that every record has."""
    return {key: value for key, value in values.items() if value is not None and value != []}


def _record(document: Document, number: int, losses: Losses) -> Record:
    kept = _kept(document.extras, _OF_DOCUMENTS, "the key", losses)
    identifier = kept["id"] or str(number)
    mention_identifiers = _mention_identifiers(document, identifier, kept, losses)
    losses.note_extras(document, _HELD_KEYS)
    losses.note_id(document)
    losses.note_layout(document.layout, "BigBIO")
    return {
        "id": identifier,
        "document_id": identifier if document.id is None else str(document.id),
        "passages": _passages(document.text, kept["passages"], identifier, losses),
        "entities": [_entity(*pair, losses) for pair in zip(document, mention_identifiers, strict=True)],
        **_without_dangling(kept, mention_identifiers, losses),
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


def _mention_identifiers(document: Document, identifier: str, kept: Record, losses: Losses) -> list[str]:
    """Keep the ids of mentions, the document's in front where they may not be unique among all documents."""
    front = "" if "bigbio" in document.extras else f"{identifier}_"
    own = [mention.extras.get("id") for mention in document]
    wanted = [front + name if (name := as_identifier(value)) else "" for value in own]
    references = (reference for _, part in _parts(kept) for reference in _referring(part).references)
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


def _entity(mention: Mention, identifier: str, losses: Losses) -> Record:
    offsets = [list(fragment) for fragment in mention.fragments]
    texts = texts_at(mention.layout.text, offsets)
    kept = _kept(mention.extras, _OF_MENTIONS, "the mentions' key", losses)
    return {"id": identifier, "type": mention.label, "text": texts, "offsets": offsets, **kept}


def _without_dangling(kept: Record, identifiers: Iterable[str], losses: Losses) -> dict[str, list[Record]]:
    """Leave out the events, coreferences and relations of mentions that are not there, or not there any more."""
    parts = _parts(kept)
    removed = dangling([_referring(part) for _, part in parts], identifiers)
    standing: dict[str, list[Record]] = {kind: [] for kind in _ABOUT_OTHERS}
    for index, (kind, part) in enumerate(parts):
        if index in removed:
            losses.note(f"BigBIO {kind} that refer to something that is not there")
        else:
            standing[kind].append(part)
    return standing


def _parts(kept: Record) -> list[tuple[str, Record]]:
    return [(kind, part) for kind in _ABOUT_OTHERS for part in kept[kind]]


def _referring(part: Record) -> Referring:
    arguments = (argument["ref_id"] for argument in part.get("arguments", ()))
    references = (*arguments, *part.get("entity_ids", ()), part.get("arg1_id"), part.get("arg2_id"))
    return Referring(part["id"], [reference for reference in references if reference is not None])
