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
from disconer.exceptions import FormatError, InputError, locate_errors
from disconer.formats.arrow_files import Record, is_called_parquet, is_parquet, read_parquet, write_parquet
from disconer.formats.json_keys import drop_keys
from disconer.formats.json_records import read_records, write_array
from disconer.formats.losses import Losses
from disconer.formats.references import Referring, as_identifier, assign_identifiers, drop_dangling
from disconer.formats.surface import is_same
from disconer.foundation.checks import check_encodable
from disconer.foundation.spans import is_offset
from disconer.tokenize import Layout, Split

_Shape = Any
"""The form of a value: `str`, PAIR, a list with the form of its elements, or the forms of an object's keys."""
_PAIR: _Shape = "pair"
"""The form of two offsets."""

_INT32 = 2**31
_NORMALIZED = [{"db_name": str, "db_id": str}]
_PLACE: dict[str, _Shape] = {"text": [str], "offsets": [_PAIR]}
_KB: dict[str, _Shape] = {
    "id": str,
    "document_id": str,
    "passages": [{"id": str, "type": str, **_PLACE}],
    "entities": [{"id": str, "type": str, **_PLACE, "normalized": _NORMALIZED}],
    "events": [{"id": str, "type": str, "trigger": _PLACE, "arguments": [{"role": str, "ref_id": str}]}],
    "coreferences": [{"id": str, "entity_ids": [str]}],
    "relations": [{"id": str, "type": str, "arg1_id": str, "arg2_id": str, "normalized": _NORMALIZED}],
}
_HELD_KEYS = frozenset(("bigbio", "id"))
_OF_DOCUMENTS = drop_keys(_KB, ("document_id",))
"""What the key `bigbio` of a document holds: of passages all but their texts, of entities those that mark nothing."""
_OF_MENTIONS = {"normalized": _KB["entities"][0]["normalized"]}
_OWN_KEYS = frozenset(("id", "type", "text", "offsets"))
_ABOUT_OTHERS = ("events", "coreferences", "relations")
_MOST_BLANKS = 1_000_000
"""More than any document leaves out between passages: offsets beyond are mistakes, or meant to fill the memory."""


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for line, record in read_parquet(path) if is_parquet(path) else read_records(path):
        with locate_errors(path, line):
            yield read_document(record, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a record for every document."""
    records = (_to_record(document, number, losses) for number, document in enumerate(documents, start=1))
    if is_called_parquet(path):
        write_parquet(records, path, lambda: _to_arrow_type(_KB), _count_characters)
    else:
        with write_array(path) as write_record:
            for record in records:
                write_record(record)


def _count_characters(record: Record) -> int:
    return sum(len(text) for passage in record["passages"] for text in passage["text"])


def read_document(record: Record, split: Split) -> Document:
    """Read a record of the schema."""
    if "passages" not in record:
        raise FormatError("the key 'passages' is missing, so this is not BigBIO's kb schema")
    given = _check_shape(record, _KB, "a record")
    entities = given.get("entities") or []
    text, passages = _join_passages(given.get("passages") or [], entities)
    layout = Layout(text, split=split)
    others = [_drop_empty(entity) for entity in entities if not _is_marking(entity)]
    extras = {"bigbio": _drop_empty({**drop_keys(given, ("document_id",)), "passages": passages, "entities": others})}
    identifier = given.get("document_id")
    mentions = [_read_mention(entity, layout) for entity in entities if _is_marking(entity)]
    return Document(layout, mentions, given.get("id") if identifier is None else identifier, extras)


def _is_marking(entity: Record) -> bool:
    """Tell whether an entity marks a character of the text."""
    return any(start != end for start, end in entity.get("offsets") or ())


def _read_mention(entity: Record, layout: Layout) -> Mention:
    extras: Record = {} if entity.get("id") is None else {"id": entity["id"]}
    if entity.get("text") and _is_different(layout.text, entity):
        extras["text"] = " ".join(entity["text"])
    others = _drop_empty(drop_keys(entity, _OWN_KEYS))
    if others:
        extras["bigbio"] = others
    return Mention(entity.get("type", ""), entity["offsets"], layout, extras=extras)


def _drop_empty(values: Mapping[str, Any]) -> Record:
    """Leave out what says nothing: the lists that every record has."""
    return {key: value for key, value in values.items() if value is not None and value != []}


def _to_record(document: Document, number: int, losses: Losses) -> Record:
    kept = _drop_marking(_restore_kept(document.extras, _OF_DOCUMENTS, "the key", losses), losses)
    identifier = kept["id"] or str(number)
    names = _assign_identifiers(document, identifier, kept, losses)
    entities = chain((_to_entity(mention, losses) for mention in document), kept["entities"])
    losses.note_extras(document, _HELD_KEYS)
    losses.note_id(document)
    losses.note_layout(document.layout, "BigBIO")
    return {
        "id": identifier,
        "document_id": identifier if document.id is None else str(document.id),
        "passages": _to_passages(document.text, kept["passages"], identifier, losses),
        "entities": [{**entity, "id": name} for entity, name in zip(entities, names, strict=True)],
        **_drop_dangling(kept, names, losses),
    }


def _restore_kept(extras: Mapping[str, Any], shape: Mapping[str, Any], what: str, losses: Losses) -> Record:
    """Restore what a document or mention was read with, as far as the schema has room for it."""
    try:
        value = _check_shape(extras.get("bigbio", {}), shape, "the key 'bigbio'")
    except InputError:  # anybody may have written it
        losses.note(f"values of {what} 'bigbio'")
        value = {}
    strays: Counter[str] = Counter()
    kept: Record = _complete(value, shape, strays)
    for key, times in strays.items():
        losses.note(f"values of {what} {f'bigbio.{key}'!r}", times)
    return kept


def _drop_marking(kept: Record, losses: Losses) -> Record:
    """Leave out kept entities that would be read as mentions."""
    others = [entity for entity in kept["entities"] if not _is_marking(entity)]
    losses.note("values of the key 'bigbio.entities'", len(kept["entities"]) - len(others))
    return {**kept, "entities": others}


def _assign_identifiers(document: Document, identifier: str, kept: Record, losses: Losses) -> list[str]:
    """Keep the ids of mentions and of what marks nothing, the document's in front where others may have them too."""
    front = "" if "bigbio" in document.extras else f"{identifier}_"
    own = [mention.extras.get("id") for mention in document] + [entity["id"] for entity in kept["entities"]]
    wanted = [front + name if (name := as_identifier(value)) else "" for value in own]
    parts = chain.from_iterable(kept[kind] for kind in _ABOUT_OTHERS)
    references = chain.from_iterable(_find_references(part).references for part in parts)
    identifiers = assign_identifiers(wanted, f"{identifier}_T", references)
    kept_ids = sum(name == given for name, given in zip(wanted, identifiers, strict=True))
    losses.note("ids of mentions that BigBIO cannot use", sum(value is not None for value in own) - kept_ids)
    losses.note("ids of mentions that got the document's in front", kept_ids if front else 0)
    return identifiers


def _to_passages(text: str, kept: Sequence[Record], identifier: str, losses: Losses) -> list[Record]:
    """Cut the text into the passages that it was read with, if these still are all of it."""
    passages = [{**passage, "text": _slice_texts(text, passage["offsets"])} for passage in kept]
    if _place_texts(passages) == text:
        return passages
    losses.note("passages that do not fit the text", len(kept))
    return [{"id": f"{identifier}_text", "type": "document", "text": [text], "offsets": [[0, len(text)]]}]


def _to_entity(mention: Mention, losses: Losses) -> Record:
    offsets = [list(fragment) for fragment in mention.fragments]
    texts = _slice_texts(mention.layout.text, offsets)
    kept = _restore_kept(mention.extras, _OF_MENTIONS, "the mentions' key", losses)
    return {"type": mention.label, "text": texts, "offsets": offsets, **kept}


def _drop_dangling(kept: Record, identifiers: Iterable[str], losses: Losses) -> dict[str, list[Record]]:
    """Leave out the events, coreferences and relations of mentions that are not there, or not there any more."""
    things = {kind: [(_find_references(part), part) for part in kept[kind]] for kind in _ABOUT_OTHERS}
    return drop_dangling(things, identifiers, "BigBIO", losses)


def _find_references(part: Record) -> Referring:
    arguments = (argument["ref_id"] for argument in part.get("arguments", ()))
    references = (*arguments, *part.get("entity_ids", ()), part.get("arg1_id"), part.get("arg2_id"))
    return Referring(part["id"], [reference for reference in references if reference is not None])


def _join_passages(passages: Sequence[Record], entities: Sequence[Record]) -> tuple[str, list[Record]]:
    """Put the text together; also returns the passages without their texts, each with the offsets where it now stands.

    All offsets count in the text in which every passage stands at its own, as a rule with one space between two of
    them. Some loaders get the passages' offsets wrong: what they mean is the passages joined by single spaces.

    >>> _join_passages([{"text": ["One."], "offsets": [[0, 4]]}, {"text": ["Two."], "offsets": [[6, 10]]}], [])
    ('One.  Two.', [{'offsets': [[0, 4]]}, {'offsets': [[6, 10]]}])
    """
    joined, joined_passages = _join_by_spaces(passages)
    placed = _place_texts(passages)
    if placed is None or _count_agreeing(placed, entities) < _count_agreeing(joined, entities):
        return joined, joined_passages
    return placed, [_drop_text(passage, passage.get("offsets") or []) for passage in passages]


def _place_texts(passages: Sequence[Record]) -> str | None:
    """Put every passage at its offsets, blanks in between; None when they do not all have a place of their own."""
    if any(len(_offsets(passage)) != len(_texts(passage)) for passage in passages):
        return None
    pieces = sorted(piece for passage in passages for piece in zip(_offsets(passage), _texts(passage), strict=True))
    blanks = pieces[-1][0][0] - sum(len(text) for _, text in pieces[:-1]) if pieces else 0
    parts: list[str] = []
    position = 0
    for (start, end), text in pieces:
        if start < position or end - start != len(text) or blanks > _MOST_BLANKS:
            return None
        parts += " " * (start - position), text
        position = end
    return "".join(parts)


def _slice_texts(text: str, offsets: Sequence[Sequence[int]]) -> list[str]:
    return [text[start:end] for start, end in offsets]


def _is_different(text: str, place: Record) -> bool:
    """Tell whether the text at the offsets is another than the one that a record gives, white space aside."""
    return not is_same(" ".join(_texts(place)), " ".join(_slice_texts(text, _offsets(place))))


def _count_agreeing(text: str, entities: Sequence[Record]) -> int:
    return sum(not _is_different(text, entity) for entity in entities)


def _join_by_spaces(passages: Sequence[Record]) -> tuple[str, list[Record]]:
    """Join the passages by single spaces."""
    standing: list[Record] = []
    start = 0
    for passage in passages:
        offsets = []
        for text in _texts(passage):
            offsets.append([start, start + len(text)])
            start += len(text) + 1
        standing.append(_drop_text(passage, offsets))
    return " ".join(text for passage in passages for text in _texts(passage)), standing


def _drop_text(passage: Record, offsets: list[list[int]]) -> Record:
    return {key: value for key, value in passage.items() if key != "text"} | {"offsets": offsets}


def _texts(place: Record) -> list[str]:
    return place.get("text") or []


def _offsets(place: Record) -> list[list[int]]:
    return place.get("offsets") or []


def _to_arrow_type(shape: _Shape) -> Any:
    """Convert a shape to the Arrow type that the `datasets` library stores."""
    import pyarrow as pa  # noqa: PLC0415 (only imported where it is needed)

    if isinstance(shape, dict):
        return pa.struct([(key, _to_arrow_type(inner)) for key, inner in shape.items()])
    if isinstance(shape, list):
        return pa.list_(_to_arrow_type(shape[0]))
    return pa.string() if shape is str else pa.list_(pa.int32())


def _check_shape(value: Any, shape: _Shape, name: str) -> Any:
    """Return a value if it has the shape, or raise; keys that the schema does not know stay.

    Loaders are lax: numbers may stand for ids, and a bare string for a list of one.

    >>> _check_shape({"id": 7, "entity_ids": "8", "note": None}, {"id": str, "entity_ids": [str]}, "a coreference")
    {'id': '7', 'entity_ids': ['8'], 'note': None}
    """
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            raise FormatError(f"{name} must be an object")
        return {key: _check_if_known(inner, shape, key) for key, inner in value.items()}
    if isinstance(shape, list):
        elements = [value] if isinstance(value, str) and shape[0] is str else value
        if not isinstance(elements, list | tuple):
            raise FormatError(f"{name} must be a list")
        return [_check_shape(element, shape[0], f"what {name} lists") for element in elements]
    return _check_string(value, name) if shape is str else _check_pair(value, name)


def _check_if_known(value: Any, shape: dict[str, _Shape], key: str) -> Any:
    return value if value is None or key not in shape else _check_shape(value, shape[key], f"BigBIO's key {key!r}")


def _check_string(value: Any, name: str) -> str:
    text = str(value) if is_offset(value) else value
    check_encodable(text, name)
    return str(text)


def _check_pair(value: Any, name: str) -> list[int]:
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(map(_is_int32, value)):
        raise FormatError(f"{name} must be a pair of whole numbers, [start, end]")
    return list(value)


def _is_int32(value: Any) -> bool:
    return is_offset(value) and -_INT32 <= value < _INT32


def _complete(value: Any, shape: _Shape, strays: Counter[str]) -> Any:
    """Complete a checked value with every key of its shape; keys that the shape lacks are dropped and counted."""
    if isinstance(shape, dict):
        present = value or {}
        strays.update(present.keys() - shape.keys())
        return {key: _complete(present.get(key), inner, strays) for key, inner in shape.items()}
    if isinstance(shape, list):
        return [_complete(element, shape[0], strays) for element in value or ()]
    return value
