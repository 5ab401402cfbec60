"""The list of formats, and how to tell them apart: by what is there to read, by the name to write."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType

from disconer.document import Document
from disconer.exceptions import FormatError, InputError, quote
from disconer.formats import brat
from disconer.formats.json_records import read_first_keys
from disconer.formats.losses import Losses
from disconer.formats.xml_files import read_root_tag
from disconer.foundation.files import is_stream, unreadable
from disconer.foundation.nearest import did_you_mean_one_of, did_you_mean_path
from disconer.tokenize import Split

_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
_DATASET_FILES = ("state.json", "dataset_info.json", "dataset_dict.json")
_ROOTS = {"collection": "bioc", "annotations": "knowtator", "knowtator-project": "knowtator"}
"""The outermost elements of the XML formats."""
_XML_IN_FULL = (".bioc.xml", ".knowtator.xml")
_MOST_XML = 20
_ARGUMENTS = {"--from": "format=", "--to": "to= or format="}
"""Options, and what they are in Python."""
_FROM = f"--from (in Python, {_ARGUMENTS['--from']})"
"""So many files of a folder are looked at."""
_TEXTS = ("inline", "pubtator", "conll")
"""What a `.txt` that is not plain text may be; their modules tell."""


@dataclass(frozen=True)
class Format:
    """A file format; its module is only imported when it is used."""

    name: str
    suffixes: tuple[str, ...] = ()
    """File names that end so are taken to be of this format."""
    keys: tuple[frozenset[str], ...] = ()
    """A JSON file whose first record has all keys of one of these sets is of this format."""
    default_split: Split = Split.ALWAYS
    is_folder: bool = False
    is_streamable: bool = True
    """Whether it can come from standard input and go to standard output."""
    is_writable: bool = True
    lists_labels: bool = False
    """Whether it says which labels there are, used or not."""

    @property
    def module(self) -> ModuleType:
        return import_module(f"disconer.formats.{self.name.replace('-', '_')}")

    def read(self, path: Path, split: Split) -> Iterator[Document]:
        """Read documents one by one."""
        documents: Iterator[Document] = self.module.read(path, split)
        return documents

    def count(self, path: Path) -> int | None:
        """Count the documents that are there to read; None where that would mean to read them, as with a pipe."""
        if is_stream(path) or not (path.is_file() or path.is_dir()):
            return None
        count = getattr(self.module, "count", None)
        found: int | None = count(path) if count else None
        return found

    def write(self, documents: Iterable[Document], path: Path, losses: Losses, labels: Iterable[str] = ()) -> None:
        """Write documents, whole or not at all, and count what cannot be held."""
        if self.lists_labels:
            self.module.write(documents, path, losses, labels)
        else:
            self.module.write(documents, path, losses)


def _key_sets(*sets: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(keys.split()) for keys in sets)


FORMATS = {
    format.name: format
    for format in (
        Format("jsonl", (".jsonl", ".ndjson", ".json"), _key_sets("text", "text entities"), Split.AUTO),
        Format("inline", (".inline", ".txt"), default_split=Split.AUTO),
        Format("brat", (".ann",), is_folder=True, is_streamable=False, lists_labels=True),
        Format("text", is_writable=False),
        Format("bioc", (".bioc.xml", ".bioc", ".xml")),
        Format("bioc-json", (".bioc.json",), _key_sets("documents", "PubTator3", "passages")),
        Format("pubannotation", (".pubannotation.json",), _key_sets("text denotations")),
        Format("bigbio", (".parquet", ".bigbio.json"), _key_sets("passages entities"), is_streamable=False),
        Format("w2ner", (".w2ner.json",), _key_sets("sentence ner"), Split.AUTO),
        Format("mac", (".mac.json",), _key_sets("text entity_list"), Split.AUTO),
        Format("knowtator", (".knowtator.xml",), is_folder=True, is_streamable=False),
        Format("label-studio", (".label-studio.json",), _key_sets("data", "annotator annotation_id lead_time")),
        Format("spacy", (".spacy",), default_split=Split.AUTO, is_streamable=False),
        Format("datasets", default_split=Split.AUTO, is_folder=True, is_streamable=False),
        Format("conll", (".conll", ".bio", ".iob"), default_split=Split.AUTO),
        Format("pubtator", (".pubtator",)),
    )
}
WRITABLE = tuple(name for name, format in FORMATS.items() if format.is_writable)


def find_format(name: str) -> Format:
    """Find a format by its name."""
    if name not in FORMATS:
        raise FormatError(f"there is no format {quote(name)}{did_you_mean_one_of(name, FORMATS)}")
    return FORMATS[name]


def check_exists(path: Path) -> None:
    """Raise when there is nothing to read."""
    try:
        if not is_stream(path) and not path.exists():
            raise InputError(f"there is no such file or folder{did_you_mean_path(path)}", path=path)
    except OSError as error:
        raise unreadable(path, error) from None


def detect_input(path: Path) -> Format:
    """Tell the format of what is there to read."""
    check_exists(path)
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
    return _detect_by_suffix(path, FORMATS.values(), "--from")


def refuse_other_formats(documents: Iterable[Document], path: Path) -> Iterator[Document]:
    """Pass on documents detected as JSONL; stop at a record of another format, whose mentions would not be read."""
    others = [(format.name, keys) for format in FORMATS.values() for keys in format.keys if len(keys) > 1]
    for number, document in enumerate(documents, start=1):
        if not document.mentions and document.extras:
            there = {"text", *document.extras}
            for name, keys in others:
                if keys <= there:
                    message = f"record {number} looks like {name}, and the first did not: name the format with {_FROM}"
                    raise FormatError(message, path=path)
        yield document


def detect_text_input(path: Path) -> Format:
    """Tell the format of what a model is to read: there, standard input and a `.txt` without annotations are plain."""
    check_exists(path)
    if is_stream(path) or (path.suffix.lower() == ".txt" and path.is_file() and not brat.has_annotations(path)):
        return FORMATS["text"]
    return detect_input(path)


def detect_output(path: Path) -> Format:
    """Tell the format to write from the name alone."""
    if is_stream(path):
        return FORMATS["jsonl"]
    if path.is_dir() or not path.suffix:
        return FORMATS["brat"]
    return _detect_by_suffix(path, [format for format in FORMATS.values() if not format.is_folder], "--to")


def _detect_folder(path: Path) -> Format:
    if any((path / name).is_file() for name in _DATASET_FILES):
        return FORMATS["datasets"]
    return FORMATS["knowtator" if _is_knowtator(path) else "brat"]


def _is_knowtator(folder: Path) -> bool:
    """Tell by the names, or, where brat has no annotations, by the first XML files."""
    if any(folder.rglob("*.knowtator.xml")):
        return True
    if any(folder.rglob("*.ann")):
        return False
    return any(_ROOTS.get(_read_root_tag(path)) == "knowtator" for path in islice(folder.rglob("*.xml"), _MOST_XML))


def _read_root_tag(path: Path) -> str:
    try:
        return read_root_tag(path)
    except InputError:
        return ""


def _detect_text(path: Path) -> Format:
    if brat.has_annotations(path):
        return FORMATS["brat"]
    for name in _TEXTS:
        if FORMATS[name].module.looks_like(path):
            return FORMATS[name]
    message = f"this text looks like none of {', '.join(_TEXTS)}: name its format with {_FROM}"
    raise FormatError(message, path=path)


def _detect_xml(path: Path) -> Format:
    if path.name.lower().endswith(_XML_IN_FULL):
        return _detect_by_suffix(path, FORMATS.values(), "--from")
    tag = read_root_tag(path)
    if tag in _ROOTS:
        return FORMATS[_ROOTS[tag]]
    raise FormatError(f"cannot tell the format of this XML: name it with {_FROM}, or build it with corpus", path=path)


def _detect_json(path: Path) -> Format:
    """Take the format that the name says in full, or else the one with the most keys, all of which are there."""
    named = _detect_by_suffix(path, FORMATS.values(), "--from")
    if named.name != "jsonl" or not path.is_file():  # what is read from a pipe is gone
        return named
    there = read_first_keys(path)
    fitting = [(len(keys), format) for format in FORMATS.values() for keys in format.keys if keys <= there]
    return max(fitting, key=lambda fit: fit[0], default=(0, named))[1]


def _detect_by_suffix(path: Path, formats: Iterable[Format], flag: str) -> Format:
    name = path.name.lower()
    endings = [(suffix, format) for format in formats for suffix in format.suffixes if name.endswith(suffix)]
    if not endings:
        known = ", ".join(FORMATS)
        how = f"use {flag} with one of {known} (in Python, {_ARGUMENTS[flag]})"
        raise FormatError(f"cannot tell the format from the name: {how}", path=path)
    return max(endings, key=lambda ending: len(ending[0]))[1]
