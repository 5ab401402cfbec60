"""What is checked and what is found: the documents with where they stand, rules, and the findings of rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from disconer.document import Document, Fragment, Mention
from disconer.drawing.looks import gapped_text
from disconer.exceptions import quote
from disconer.foundation.files import STANDARD_STREAM
from disconer.foundation.spans import Span
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
class CheckedCorpus:
    """Every document, in the order of the files, and the scheme that has to express the mentions.

    It is held in memory: most rules judge a place by what is usual everywhere else.
    """

    entries: tuple[Entry, ...]
    scheme: Scheme = field(default_factory=GridScheme)

    @classmethod
    def of(cls, files: Mapping[str, Iterable[Document]], scheme: Scheme | None = None) -> "CheckedCorpus":
        """Put the documents of files, by their names, together."""
        entries = (
            Entry(file, number, document)
            for file, documents in files.items()
            for number, document in enumerate(documents, start=1)
        )
        return cls(tuple(entries), scheme or GridScheme())

    def mentions(self) -> Iterator[tuple[Entry, Mention]]:
        """Yield all mentions; of copies in a document, one."""
        return ((entry, mention) for entry in self.entries for mention in entry.document.unique_mentions)


class Severity(StrEnum):
    """How sure a rule is."""

    ERROR = "error"
    """No guideline asks for this."""
    WARNING = "warning"
    """Unusual, and often wrong."""


class RuleHit(NamedTuple):
    """What a rule says of a place."""

    entry: Entry
    fragments: tuple[Fragment, ...]
    """Of the mention, or of the words or the sentence if there is none; none at all if it is the document."""
    label: str | None
    message: str
    file_text: str | None = None
    """The mention's text as its file repeats it, if that is the problem."""
    identifier: str | None = None
    """What its file calls the mention; None where there is no mention, or files have no names for them."""

    @classmethod
    def of_mention(cls, entry: Entry, mention: Mention, says: str) -> "RuleHit":
        """Say something about a mention."""
        message = f"{describe_mention(mention)} {says}"
        return cls(entry, mention.fragments, mention.label, message, identifier=identify(mention))

    @classmethod
    def of_span(cls, entry: Entry, span: Span, says: str, label: str | None = None) -> "RuleHit":
        """Say something about a stretch of text that is no mention."""
        return cls(entry, (Fragment(*span),), label, says)


def identify(mention: Mention) -> str | None:
    """Tell what its file calls a mention, as brat's files do."""
    name = mention.extras.get("id")
    return None if name is None else str(name)


@dataclass(frozen=True)
class Rule:
    """Something that is likely wrong, and how it is found."""

    name: str
    severity: Severity
    hits: Callable[[CheckedCorpus], Iterable[RuleHit]]

    def findings(self, corpus: CheckedCorpus) -> Iterator["Finding"]:
        return (Finding(self.name, self.severity, *hit) for hit in self.hits(corpus))


@dataclass(frozen=True)
class Finding:
    """What a rule found, and its name."""

    rule: str
    severity: Severity
    entry: Entry
    fragments: tuple[Fragment, ...]
    label: str | None
    """Of the mention, or the label that is expected there; None where there is neither."""
    message: str
    file_text: str | None = None
    identifier: str | None = None

    @property
    def document(self) -> Document:
        return self.entry.document

    @property
    def text(self) -> str:
        """The text of the fragments, joined by one space."""
        return " ".join(self.document.text[start:end] for start, end in self.fragments)

    @property
    def sentence(self) -> int | None:
        """Which of the document's sentences it begins in, from 1; None outside all of them and without a place."""
        if not self.fragments:
            return None
        layout, start = self.document.layout, self.fragments[0].start
        index = layout.sentence_at(start)
        return index + 1 if index >= 0 and start < layout.sentences[index][1] else None

    def __str__(self) -> str:
        return self.line(self.entry.place)

    def line(self, place: str) -> str:
        """Say it in a line that begins with where it stands."""
        offsets = ";".join(f"{start}-{end}" for start, end in self.fragments)
        return ": ".join(part for part in (place, offsets, self.rule, self.message) if part)

    def as_json(self) -> dict[str, Any]:
        """Collect everything under documented keys."""
        return {
            "rule": self.rule,
            "severity": str(self.severity),
            "file": self.entry.file,
            "document": self.document.id,
            "number": self.entry.number,
            "sentence": self.sentence,
            "fragments": [list(fragment) for fragment in self.fragments],
            "label": self.label,
            "text": self.text,
            "message": self.message,
            "file_text": self.file_text,
        }


def describe_mention(mention: Mention) -> str:
    """Name a mention by its label and its text, gaps shown as dots."""
    return f"{mention.label} {quote(gapped_text(mention))}"
