"""BioC's XML: one collection with its documents, their passages, and annotations with one or several locations.

    <annotation id="T1"><infon key="type">ADR</infon>
        <location offset="0" length="12"/><location offset="26" length="4"/><text>Severe joint pain</text></annotation>

How documents are understood is said in `bioc_documents`.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from disconer.document import Document
from disconer.exceptions import FormatError, located
from disconer.formats.bioc.documents import document_of, records_of
from disconer.formats.bioc.parts import LISTS, Part, parts
from disconer.formats.files import replacing_file
from disconer.formats.losses import Losses
from disconer.formats.xml_files import attribute, elements, escaped
from disconer.tokenize import Split


class _Kind(NamedTuple):
    """What an element has, in the order of BioC's document type."""

    attributes: tuple[str, ...]
    keys: tuple[str, ...] = ()


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n<collection>\n'
_KINDS = {
    "collection": _Kind((), ("source", "date", "key", "infons")),
    "document": _Kind((), ("id", "infons", "passages", "annotations", "relations")),
    "passage": _Kind((), ("infons", "offset", "text", "sentences", "annotations", "relations")),
    "sentence": _Kind((), ("infons", "offset", "text", "annotations", "relations")),
    "annotation": _Kind(("id",), ("infons", "locations", "text")),
    "relation": _Kind(("id",), ("infons", "nodes")),
    "location": _Kind(("offset", "length")),
    "node": _Kind(("refid", "role")),
}
_KEYS = {tag: key for key, tag in LISTS.items()}
_UNWRITTEN = frozenset(("bioctype", "version"))
"""What only BioC's JSON says, of every document alike."""


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    collection: Part = {}
    is_bioc = False
    for element in elements(path, {"collection", "document", "infon", *_KINDS["collection"].keys}, deepest=1):
        if element.tag == "document":
            with located(path):
                yield document_of(_part(element), collection, split)
        elif element.tag == "collection":
            is_bioc = True
        else:
            _add(element, collection)
    if not is_bioc:
        raise FormatError("this XML is not BioC: the outermost element must be <collection>", path=path)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write one collection."""
    collection, records = records_of(documents, losses)
    with replacing_file(path) as stream:
        stream.write(_HEAD + "".join(_inner_lines("collection", collection, losses, "")))
        for name, record in records:
            with located(name):
                stream.write("".join(_lines("document", record, losses, "")))
        stream.write("</collection>\n")


def _part(element: Element) -> Part:
    """Give an element as the object it is in BioC's JSON."""
    part: Part = dict(element.attrib)
    for child in element:
        _add(child, part)
    return part


def _add(element: Element, part: Part) -> None:
    if element.tag in _KEYS:
        part.setdefault(_KEYS[element.tag], []).append(_part(element))
        return
    text = "".join(element.itertext())
    if element.tag == "infon":
        infons, key = part.setdefault("infons", {}), element.get("key", "")
        infons[key] = [*_as_list(infons[key]), text] if key in infons else text
    else:
        part[element.tag] = text


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _lines(tag: str, part: Part, losses: Losses, indent: str) -> Iterator[str]:
    kind = _KINDS[tag]
    values = "".join(f" {name}={attribute(_plain(part[name]))}" for name in kind.attributes if name in part)
    if not kind.keys:
        _note_unknown(tag, part, losses)
        yield f"{indent}<{tag}{values}/>\n"
        return
    yield f"{indent}<{tag}{values}>\n"
    yield from _inner_lines(tag, part, losses, f"{indent}  ")
    yield f"{indent}</{tag}>\n"


def _inner_lines(tag: str, part: Part, losses: Losses, indent: str) -> Iterator[str]:
    _note_unknown(tag, part, losses)
    for key in _KINDS[tag].keys:
        if key == "infons":
            for name, value in (part.get(key) or {}).items():
                yield from _infon_lines(name, value, losses, indent)
        elif key in LISTS:
            for inner in parts(part, key):
                yield from _lines(LISTS[key], inner, losses, indent)
        elif key in part:
            yield f"{indent}<{key}>{escaped(_plain(part[key]))}</{key}>\n"


def _note_unknown(tag: str, part: Part, losses: Losses) -> None:
    kind = _KINDS[tag]
    for key in part.keys() - {*kind.attributes, *kind.keys, *_UNWRITTEN}:
        losses.note(f"values of the BioC key {key!r}, which only its JSON has")


def _infon_lines(name: str, value: Any, losses: Losses, indent: str) -> Iterator[str]:
    """Write an infon; one that stood there several times is a list of texts, and does so again."""
    values = (
        value if isinstance(value, list) and len(value) > 1 and all(isinstance(one, str) for one in value) else [value]
    )
    for one in values:
        losses.note("infons that are not text, written as JSON", not isinstance(one, str))
        yield f"{indent}<infon key={attribute(name)}>{escaped(_plain(one))}</infon>\n"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
