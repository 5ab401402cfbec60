"""The list of formats: what each is called, how it is told apart, and the module that reads and writes it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from disconer.document import Document
from disconer.exceptions import FormatError, shown
from disconer.formats.losses import Losses
from disconer.nearest import did_you_mean_one_of
from disconer.tokenize import Split


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

    @property
    def module(self) -> ModuleType:
        return import_module(f"disconer.formats.{self.name.replace('-', '_')}")

    def read(self, path: Path, split: Split) -> Iterator[Document]:
        """Read documents one by one."""
        documents: Iterator[Document] = self.module.read(path, split)
        return documents

    def write(self, documents: Iterable[Document], path: Path, losses: Losses) -> None:
        """Write documents, whole or not at all, and count what cannot be held."""
        self.module.write(documents, path, losses)


def _records_with(*sets: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(keys.split()) for keys in sets)


FORMATS = {
    format.name: format
    for format in (
        Format("jsonl", (".jsonl", ".ndjson", ".json"), _records_with("text", "text entities"), Split.AUTO),
        Format("inline", (".inline", ".txt"), default_split=Split.AUTO),
        Format("brat", (".ann",), is_folder=True, is_streamable=False),
        Format("text", is_writable=False),
        Format("bioc", (".bioc.xml", ".bioc", ".xml")),
        Format("bioc-json", (".bioc.json",), _records_with("documents", "PubTator3", "passages")),
        Format("pubannotation", (".pubannotation.json",), _records_with("text denotations")),
        Format("bigbio", (".parquet", ".bigbio.json"), _records_with("passages entities"), is_streamable=False),
        Format("w2ner", (".w2ner.json",), _records_with("sentence ner"), Split.AUTO),
        Format("mac", (".mac.json",), _records_with("text entity_list"), Split.AUTO),
        Format("knowtator", (".knowtator.xml",), is_folder=True, is_streamable=False),
        Format("label-studio", (".label-studio.json",), _records_with("data", "annotator annotation_id lead_time")),
        Format("spacy", (".spacy",), default_split=Split.AUTO, is_streamable=False),
        Format("datasets", default_split=Split.AUTO, is_folder=True, is_streamable=False),
        Format("conll", (".conll", ".bio", ".iob"), default_split=Split.AUTO),
        Format("pubtator", (".pubtator",)),
    )
}
WRITABLE = tuple(name for name, format in FORMATS.items() if format.is_writable)


def format_named(name: str) -> Format:
    """Give the format of that name."""
    if name not in FORMATS:
        raise FormatError(f"there is no format {shown(name)}{did_you_mean_one_of(name, FORMATS)}")
    return FORMATS[name]
