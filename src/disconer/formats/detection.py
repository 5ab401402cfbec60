"""Telling a format from a path: by what is there when it is read, by the name alone when it is written."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from disconer.document import Document
from disconer.exceptions import FormatError, InputError
from disconer.formats import brat
from disconer.formats.files import is_stream, unreadable
from disconer.formats.format import FORMATS, Format
from disconer.formats.json_records import first_keys
from disconer.formats.xml_files import root_tag
from disconer.nearest import did_you_mean_path

_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
_DATASET_FILES = ("state.json", "dataset_info.json", "dataset_dict.json")
_ROOTS = {"collection": "bioc", "annotations": "knowtator", "knowtator-project": "knowtator"}
"""The outermost elements of the XML formats."""
_XML_IN_FULL = (".bioc.xml", ".knowtator.xml")
_MOST_XML = 20
"""So many files of a folder are looked at."""
_TEXTS = ("inline", "pubtator", "conll")
"""What a `.txt` that is not plain text may be; their modules tell."""


def check_there(path: Path) -> None:
    """Raise when there is nothing to read."""
    try:
        if not is_stream(path) and not path.exists():
            raise InputError(f"there is no such file or folder{did_you_mean_path(path)}", path=path)
    except OSError as error:
        raise unreadable(path, error) from None


def detect_input(path: Path) -> Format:
    """Tell the format of what is there to read."""
    check_there(path)
    if is_stream(path):
        return FORMATS["jsonl"]
    if path.is_dir():
        return _detect_folder(path)
    if path.suffix.lower() == ".txt":
        return _detect_text(path)
    if path.suffix.lower() == ".xml":
        return _detect_xml(path)
    if path.suffix.lower() in _JSON_SUFFIXES:
        return _detect_json(path)
    return _by_suffix(path, FORMATS.values(), "--from")


def refusing_others(documents: Iterable[Document], path: Path) -> Iterator[Document]:
    """Pass on what was told to be JSONL, and stop at a record that is another format's, whose mentions are not read."""
    others = [(format.name, keys) for format in FORMATS.values() for keys in format.keys if len(keys) > 1]
    for number, document in enumerate(documents, start=1):
        if not document.mentions and document.extras:
            there = {"text", *document.extras}
            for name, keys in others:
                if keys <= there:
                    message = f"record {number} looks like {name}, and the first did not: name the format with --from"
                    raise FormatError(message, path=path)
        yield document


def detect_text_input(path: Path) -> Format:
    """Tell the format of what a model is to read: there, standard input and a `.txt` without annotations are plain."""
    check_there(path)
    if is_stream(path) or (path.suffix.lower() == ".txt" and path.is_file() and not brat.has_annotations(path)):
        return FORMATS["text"]
    return detect_input(path)


def detect_output(path: Path) -> Format:
    """Tell the format to write from the name alone."""
    if is_stream(path):
        return FORMATS["jsonl"]
    if path.is_dir() or not path.suffix:
        return FORMATS["brat"]
    return _by_suffix(path, [format for format in FORMATS.values() if not format.is_folder], "--to")


def _detect_folder(path: Path) -> Format:
    if any((path / name).is_file() for name in _DATASET_FILES):
        return FORMATS["datasets"]
    return FORMATS["knowtator" if _is_knowtators(path) else "brat"]


def _is_knowtators(folder: Path) -> bool:
    """Tell by the names, or, where brat has no annotations, by the first XML files."""
    if any(folder.rglob("*.knowtator.xml")):
        return True
    if any(folder.rglob("*.ann")):
        return False
    return any(_ROOTS.get(_root_tag_or_none(path)) == "knowtator" for path in islice(folder.rglob("*.xml"), _MOST_XML))


def _root_tag_or_none(path: Path) -> str:
    try:
        return root_tag(path)
    except InputError:
        return ""


def _detect_text(path: Path) -> Format:
    if brat.has_annotations(path):
        return FORMATS["brat"]
    for name in _TEXTS:
        if FORMATS[name].module.looks_like(path):
            return FORMATS[name]
    message = f"this text looks like none of {', '.join(_TEXTS)}: name its format with --from"
    raise FormatError(message, path=path)


def _detect_xml(path: Path) -> Format:
    if path.name.lower().endswith(_XML_IN_FULL):
        return _by_suffix(path, FORMATS.values(), "--from")
    tag = root_tag(path)
    if tag in _ROOTS:
        return FORMATS[_ROOTS[tag]]
    raise FormatError("cannot tell the format of this XML: name it with --from, or build it with corpus", path=path)


def _detect_json(path: Path) -> Format:
    """Take the format that the name says in full, or else the one with the most keys, all of which are there."""
    named = _by_suffix(path, FORMATS.values(), "--from")
    if named.name != "jsonl" or not path.is_file():  # what is read from a pipe is gone
        return named
    there = first_keys(path)
    fitting = [(len(keys), format) for format in FORMATS.values() for keys in format.keys if keys <= there]
    return max(fitting, key=lambda fit: fit[0], default=(0, named))[1]


def _by_suffix(path: Path, formats: Iterable[Format], flag: str) -> Format:
    name = path.name.lower()
    endings = [(suffix, format) for format in formats for suffix in format.suffixes if name.endswith(suffix)]
    if not endings:
        known = ", ".join(FORMATS)
        raise FormatError(f"cannot tell the format from the name: use {flag} with one of {known}", path=path)
    return max(endings, key=lambda ending: len(ending[0]))[1]
