"""BioC's XML: one collection with its documents, their passages, and annotations with one or several locations.

    <annotation id="T1"><infon key="type">ADR</infon>
        <location offset="0" length="12"/><location offset="26" length="4"/><text>Severe joint pain</text></annotation>

How documents are understood is said in `documents`.
"""

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from disconer.document import Document
from disconer.exceptions import FormatError, locate_errors
from disconer.formats.bioc.documents import delay_by_one, read_document, to_records
from disconer.formats.bioc.parts import KINDS, LISTS, Part, parts_at
from disconer.formats.json_records import limit_depth
from disconer.formats.losses import Losses
from disconer.formats.xml_files import escape_text, quote_attribute, read_elements
from disconer.foundation.files import replace_file
from disconer.tokenize import Split

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n<collection>\n'
_KEYS = {tag: {LISTS[key]: key for key in kind.inner} for tag, kind in KINDS.items()}
"""For each kind of element those that it has inside, and the keys that they are under."""
_ONLY_KEYS = frozenset(("infons", *LISTS))
"""What only BioC's JSON has, around several things of a kind."""
_UNWRITTEN = frozenset(("bioctype", "version"))
"""What only BioC's JSON says, of every document alike."""


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for document, collection in delay_by_one(_read_documents(path)):
        with locate_errors(path):
            yield read_document(document, deepcopy(collection), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write one collection."""
    collection, records = to_records(documents, losses)
    with replace_file(path) as stream:
        stream.write(_HEAD + "".join(_to_inner_lines("collection", collection, losses, "")))
        for name, record in records:
            with locate_errors(name):
                stream.write("".join(_to_lines("document", record, losses, "")))
        stream.write("</collection>\n")


def _read_documents(path: Path) -> Iterator[tuple[Part, Part]]:
    """Read documents, each with the collection, a dictionary that is filled while the file is read."""
    collection: Part = {}
    is_bioc = False
    for element in read_elements(path, {"collection", "document", "infon", *KINDS["collection"].keys}, deepest=1):
        if element.tag == "document":
            with locate_errors(path):
                document = _read_part(element)
            yield document, collection
        elif element.tag == "collection":
            is_bioc = True
        else:
            with locate_errors(path):
                _add(element, collection, "collection")
    if not is_bioc:
        raise FormatError("this XML is not BioC: the outermost element must be <collection>", path=path)


def _read_part(element: Element) -> Part:
    """Convert an element to the object that BioC's JSON has for it."""
    part: Part = {key: [] for key in ("locations", "nodes") if key in KINDS[element.tag].inner}
    if part:  # JSON has these even where there are none
        part["infons"] = {}
    for child in element:
        _add(child, part, element.tag)
    return {**element.attrib, **part}


def _add(element: Element, part: Part, tag: str) -> None:
    """Add what is inside an element with a tag; what does not belong there is only a text."""
    if element.tag in _KEYS[tag]:
        part.setdefault(_KEYS[tag][element.tag], []).append(_read_part(element))
        return
    if element.tag in _ONLY_KEYS:
        raise FormatError(f"the element <{element.tag}> is none of BioC: name its singular, once for each")
    text = "".join(element.itertext())
    if element.tag == "infon":
        _add_text(element.get("key", ""), text, part.setdefault("infons", {}))
    else:
        _add_text(element.tag, text, part)


def _add_text(key: str, text: str, texts: Part) -> None:
    """Add a text under a key; several under the same are a list."""
    if key not in texts:
        texts[key] = text
    elif isinstance(texts[key], list):
        texts[key].append(text)
    else:
        texts[key] = [texts[key], text]


def _to_lines(tag: str, part: Part, losses: Losses, indent: str) -> Iterator[str]:
    kind = KINDS[tag]
    values = "".join(f" {name}={quote_attribute(_to_text(part[name]))}" for name in kind.attributes if name in part)
    if not kind.keys:
        _note_unknown(tag, part, losses)
        yield f"{indent}<{tag}{values}/>\n"
        return
    yield f"{indent}<{tag}{values}>\n"
    yield from _to_inner_lines(tag, part, losses, f"{indent}  ")
    yield f"{indent}</{tag}>\n"


def _to_inner_lines(tag: str, part: Part, losses: Losses, indent: str) -> Iterator[str]:
    _note_unknown(tag, part, losses)
    for key in KINDS[tag].keys:
        if key == "infons":
            for name, value in (part.get(key) or {}).items():
                yield from _to_infon_lines(name, value, losses, indent)
        elif key in LISTS:
            for inner in parts_at(part, key):
                yield from _to_lines(LISTS[key], inner, losses, indent)
        elif key in part:
            yield f"{indent}<{key}>{escape_text(_to_text(part[key]))}</{key}>\n"


def _note_unknown(tag: str, part: Part, losses: Losses) -> None:
    kind = KINDS[tag]
    for key in part.keys() - {*kind.attributes, *kind.keys, *_UNWRITTEN}:
        losses.note(f"values of the BioC key {key!r}, which only its JSON has")


def _to_infon_lines(name: str, value: Any, losses: Losses, indent: str) -> Iterator[str]:
    """Write an infon; one that stood there several times is a list of texts, and does so again."""
    values = (
        value if isinstance(value, list) and len(value) > 1 and all(isinstance(one, str) for one in value) else [value]
    )
    for one in values:
        losses.note("infons that are not text, written as JSON", not isinstance(one, str))
        yield f"{indent}<infon key={quote_attribute(name)}>{escape_text(_to_text(one))}</infon>\n"


def _to_text(value: Any) -> str:
    with limit_depth():
        return value if isinstance(value, str) else json.dumps(value)
