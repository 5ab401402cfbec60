"""What BioC is made of: documents, passages, sentences, annotations, relations, locations, nodes.

Each is an object as in BioC's JSON, which XML is turned into. Anybody may have written them, so they are looked at with
care.
"""

import re
from collections.abc import Container, Iterator
from typing import Any

from disconer.exceptions import FormatError
from disconer.formats.naming import speaking_of
from disconer.spans import is_offset

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
_DIGITS = re.compile(r"\s*([0-9]{1,18})\s*")


def parts(part: Part, key: str) -> list[Part]:
    """Give the parts under a key, none when there is no such key."""
    found = part.get(key)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise FormatError(f"the key {key!r} must hold a list of objects")
    return found


def infons_of(part: Part) -> Part:
    """Give the infons of a part."""
    infons = part.get("infons") or {}
    if not isinstance(infons, dict):
        raise FormatError("the key 'infons' must hold an object")
    return dict(infons)


def number(part: Part, key: str) -> int:
    """Give a whole number, which XML and some JSON have as text."""
    value = part.get(key)
    digits = _DIGITS.fullmatch(value) if isinstance(value, str) else None
    if digits:
        return int(digits[1])
    if not isinstance(value, int) or not is_offset(value):
        raise FormatError(f"the {key} must be a whole number")
    return value


def rest_of(part: Part, known: Container[str] = ()) -> Part:
    """Give the keys of a part but for known ones and those that hold no parts or infons."""
    return {key: part[key] for key in part if key not in known and (part[key] or key not in ("infons", *LISTS))}


def containers(document: Part) -> Iterator[Part]:
    """Give everything that may hold annotations: the document, its passages and their sentences."""
    yield document
    for passage in parts(document, "passages"):
        yield passage
        yield from parts(passage, "sentences")


def annotations_of(document: Part) -> Iterator[Part]:
    """Give the annotations of everything in a document."""
    return (annotation for container in containers(document) for annotation in parts(container, "annotations"))


def is_mention(annotation: Part) -> bool:
    """Tell whether an annotation covers a character: some are about a place between two, or about everything."""
    with speaking_of("annotation", annotation):
        return any(number(location, "length") for location in parts(annotation, "locations"))


def check(part: Part) -> None:
    """Raise when a part, or a part of it, is not made like one."""
    infons_of(part)
    for key in LISTS:
        for inner in parts(part, key):
            check(inner)
