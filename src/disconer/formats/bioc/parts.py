"""What BioC is made of: documents, passages, sentences, annotations, relations, locations, nodes.

Each is an object as in BioC's JSON, which XML is turned into. Anybody may have written them, so they are looked at with
care.
"""

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from disconer.exceptions import FormatError
from disconer.formats.references import as_identifier, name_in_errors
from disconer.foundation.spans import is_offset

Part = dict[str, Any]
LISTS = {
    "documents": "document",
    "passages": "passage",
    "sentences": "sentence",
    "annotations": "annotation",
    "relations": "relation",
    "locations": "location",
    "nodes": "node",
}
"""The keys under which parts have parts, and what each of these is called."""


class Kind(NamedTuple):
    """What a kind of part has, in the order of BioC's document type."""

    attributes: tuple[str, ...]
    keys: tuple[str, ...] = ()

    @property
    def inner(self) -> tuple[str, ...]:
        """The keys under which it has parts. Under no other is there anything to follow, however deep."""
        return tuple(key for key in self.keys if key in LISTS)


KINDS = {
    "collection": Kind((), ("source", "date", "key", "infons")),
    "document": Kind((), ("id", "infons", "passages", "annotations", "relations")),
    "passage": Kind((), ("infons", "offset", "text", "sentences", "annotations", "relations")),
    "sentence": Kind((), ("infons", "offset", "text", "annotations", "relations")),
    "annotation": Kind(("id",), ("infons", "locations", "text")),
    "relation": Kind(("id",), ("infons", "nodes")),
    "location": Kind(("offset", "length")),
    "node": Kind(("refid", "role")),
}
_DIGITS = re.compile(r"\s*([0-9]{1,18})\s*")


def parts_at(part: Part, key: str) -> list[Part]:
    """The parts under a key, none when there is no such key."""
    found = part.get(key)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise FormatError(f"the key {key!r} must hold a list of objects")
    return found


def read_infons(part: Part) -> Part:
    infons = part.get("infons") or {}
    if not isinstance(infons, dict):
        raise FormatError("the key 'infons' must hold an object")
    return dict(infons)


def read_number(part: Part, key: str) -> int:
    """Read a whole number, which XML and some JSON have as text."""
    value = part.get(key)
    digits = _DIGITS.fullmatch(value) if isinstance(value, str) else None
    if digits:
        return int(digits[1])
    if not isinstance(value, int) or not is_offset(value):
        raise FormatError(f"the {key} must be a whole number")
    return value


def read_identifier(part: Mapping[str, Any], key: str = "id") -> str:
    """Read an id as XML has it, which is text; empty when there is none."""
    value = part.get(key)
    return as_identifier(str(value) if isinstance(value, int) and is_offset(value) else value)


def drop_known(part: Part, known: Container[str] = ()) -> Part:
    """Drop the known keys of a part, and lists and infons that are empty."""
    return {key: part[key] for key in part if key not in known and (part[key] or key not in ("infons", *LISTS))}


def list_containers(document: Part) -> Iterator[Part]:
    """List everything that may hold annotations, in the order of files: sentences, their passages, the document."""
    for passage in parts_at(document, "passages"):
        yield from parts_at(passage, "sentences")
        yield passage
    yield document


def list_annotations(document: Part) -> Iterator[Part]:
    """List the annotations of everything in a document."""
    return (annotation for container in list_containers(document) for annotation in parts_at(container, "annotations"))


def is_mention(annotation: Part) -> bool:
    """Tell whether an annotation covers a character: some are about a place between two, or about everything."""
    with name_in_errors("annotation", annotation):
        return any(read_number(location, "length") for location in parts_at(annotation, "locations"))


def check_part(part: Part, tag: str) -> None:
    """Raise when a part of a kind, or a part of it, is not made like one."""
    read_infons(part)
    for key in KINDS[tag].inner:
        for inner in parts_at(part, key):
            check_part(inner, LISTS[key])
