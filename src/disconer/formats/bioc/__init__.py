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
from disconer.exceptions import FormatError, located
from disconer.formats.bioc.documents import document_of, one_behind, records_of
from disconer.formats.bioc.parts import KINDS, LISTS, Part, parts
from disconer.formats.files import replacing_file
from disconer.formats.json_records import limiting_depth
from disconer.formats.losses import Losses
from disconer.formats.xml_files import attribute, elements, escaped
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
    for document, collection in one_behind(_documents(path)):
        with located(path):
            yield document_of(document, deepcopy(collection), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write one collection."""
    collection, records = records_of(documents, losses)
    with replacing_file(path) as stream:
        stream.write(_HEAD + "".join(_inner_lines("collection", collection, losses, "")))
        for name, record in records:
            with located(name):
                stream.write("".join(_lines("document", record, losses, "")))
        stream.write("</collection>\n")


def _documents(path: Path) -> Iterator[tuple[Part, Part]]:
    """Give the documents, each with the collection, which knows more whenever the reader goes on."""
    collection: Part = {}
    is_bioc = False
    for element in elements(path, {"collection", "document", "infon", *KINDS["collection"].keys}, deepest=1):
        if element.tag == "document":
            with located(path):
                document = _part(element)
            yield document, collection
        elif element.tag == "collection":
            is_bioc = True
        else:
            with located(path):
                _add(element, collection, "collection")
    if not is_bioc:
        raise FormatError("this XML is not BioC: the outermost element must be <collection>", path=path)


def _part(element: Element) -> Part:
    """Give an element as the object it is in BioC's JSON."""
    part: Part = {key: [] for key in ("locations", "nodes") if key in KINDS[element.tag].inner}
    if part:  # JSON has these even where there are none
        part["infons"] = {}
    for child in element:
        _add(child, part, element.tag)
    return {**element.attrib, **part}


def _add(element: Element, part: Part, tag: str) -> None:
    """Add what is inside an element with a tag; what does not belong there is only a text."""
    if element.tag in _KEYS[tag]:
        part.setdefault(_KEYS[tag][element.tag], []).append(_part(element))
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


def _lines(tag: str, part: Part, losses: Losses, indent: str) -> Iterator[str]:
    kind = KINDS[tag]
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
    for key in KINDS[tag].keys:
        if key == "infons":
            for name, value in (part.get(key) or {}).items():
                yield from _infon_lines(name, value, losses, indent)
        elif key in LISTS:
            for inner in parts(part, key):
                yield from _lines(LISTS[key], inner, losses, indent)
        elif key in part:
            yield f"{indent}<{key}>{escaped(_plain(part[key]))}</{key}>\n"


def _note_unknown(tag: str, part: Part, losses: Losses) -> None:
    kind = KINDS[tag]
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
    with limiting_depth():
        return value if isinstance(value, str) else json.dumps(value)
