"""What is checked: the documents of one or several files, each with where it stands."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from disconer.document import Document, Mention
from disconer.formats.files import STANDARD_STREAM
from disconer.schemes import GridScheme, Scheme


class Entry(NamedTuple):
    """A document and where it stands."""

    file: str
    number: int
    """Which of the file's documents it is, from 1."""
    document: Document

    @property
    def place(self) -> str:
        """Say where it stands, as the beginning of a line."""
        file = "standard input" if self.file == STANDARD_STREAM else self.file
        return f"{file}: {self.document.name(self.number)}"


@dataclass(frozen=True)
class Corpus:
    """Every document, in the order of the files, and the scheme that has to express the mentions.

    It is held in memory: most rules judge a place by what is usual everywhere else.
    """

    entries: tuple[Entry, ...]
    scheme: Scheme = field(default_factory=GridScheme)

    @classmethod
    def of(cls, files: Mapping[str, Iterable[Document]], scheme: Scheme | None = None) -> "Corpus":
        """Put the documents of files, by their names, together."""
        entries = (
            Entry(file, number, document)
            for file, documents in files.items()
            for number, document in enumerate(documents, start=1)
        )
        return cls(tuple(entries), scheme or GridScheme())

    def mentions(self) -> Iterator[tuple[Entry, Mention]]:
        """Give all mentions, those of a document that say the same only once."""
        return ((entry, mention) for entry in self.entries for mention in entry.document.unique_mentions)
