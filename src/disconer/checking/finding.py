"""What a rule finds: a place in a document, and why somebody should look at it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from disconer.checking.corpus import Corpus, Entry
from disconer.document import Document, Fragment, Mention
from disconer.exceptions import shown
from disconer.spans import Span


class Severity(StrEnum):
    """How sure a rule is."""

    ERROR = "error"
    """No guideline asks for this."""
    WARNING = "warning"
    """Unusual, and often wrong."""


class Problem(NamedTuple):
    """What a rule says of a place."""

    entry: Entry
    fragments: tuple[Fragment, ...]
    """Of the mention, or of the words or the sentence if there is none; none at all if it is the document."""
    label: str | None
    message: str
    file_text: str | None = None
    """The mention's text as its file repeats it, if that is the problem."""

    @classmethod
    def of_mention(cls, entry: Entry, mention: Mention, says: str) -> "Problem":
        """Say something about a mention."""
        return cls(entry, mention.fragments, mention.label, f"{named_mention(mention)} {says}")

    @classmethod
    def of_span(cls, entry: Entry, span: Span, says: str, label: str | None = None) -> "Problem":
        """Say something about a stretch of text that is no mention."""
        return cls(entry, (Fragment(*span),), label, says)


@dataclass(frozen=True)
class Rule:
    """Something that is likely wrong, and how it is found."""

    name: str
    severity: Severity
    problems: Callable[[Corpus], Iterable[Problem]]

    def findings(self, corpus: Corpus) -> Iterator["Finding"]:
        return (Finding(self.name, self.severity, *problem) for problem in self.problems(corpus))


@dataclass(frozen=True)
class Finding:
    """A problem and the rule that found it."""

    rule: str
    severity: Severity
    entry: Entry
    fragments: tuple[Fragment, ...]
    label: str | None
    """Of the mention, or the one that is expected there; None where there is none to speak of."""
    message: str
    file_text: str | None = None

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
        offsets = ";".join(f"{start}-{end}" for start, end in self.fragments)
        return ": ".join(part for part in (self.entry.place, offsets, self.rule, self.message) if part)

    def as_json(self) -> dict[str, Any]:
        """Give everything under the keys that programs rely on."""
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


def named_mention(mention: Mention) -> str:
    """Name a mention by its label and its text, gaps shown as dots."""
    parts = (mention.layout.text[start:end] for start, end in mention.fragments)
    return f"{mention.label} {shown(' … '.join(parts))}"
