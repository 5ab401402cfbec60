"""Recognizers that need no model: what they find is known, and how long they take is up to the test."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from disconer.document import Document, Mention
from disconer.models.registry import ModelName
from disconer.recognizer import Recognizer, as_document

FINAL = "!"
"""A text that ends so cannot be read."""


@dataclass(frozen=True)
class Engine:
    """What a server tells of a model."""

    labels: tuple[str, ...]
    name: ModelName = ModelName.MAC
    runtime: str = "torch"


@dataclass
class Scripted(Recognizer):
    """Finds the first and the last word of every text as one mention, once it is let."""

    label: str = "Ends"
    is_open: threading.Event = field(default_factory=threading.Event)
    is_reading: threading.Event = field(default_factory=threading.Event)
    batches: list[list[str]] = field(default_factory=list)
    cut_sentences: int = 0

    def __post_init__(self) -> None:
        self.is_open.set()
        self.engine = Engine((self.label,))  # type: ignore[assignment]

    def pipe(
        self, texts: Iterable[str | Document], threshold: float | None = None, context: int = 1
    ) -> Iterator[Document]:
        documents = [as_document(text) for text in texts]
        self.batches.append([document.text for document in documents])
        self.is_reading.set()
        assert self.is_open.wait(20)
        if any(document.text.endswith(FINAL) for document in documents):
            raise RuntimeError(f"secret: {documents[0].text}")
        return (document.with_mentions(self._mentions(document, threshold)) for document in documents)

    def _mentions(self, document: Document, threshold: float | None) -> list[Mention]:
        words = document.layout.words
        if len(words) < 2 or (threshold or 0) > 0.75:
            return []
        return [Mention(self.label, [words[0], words[-1]], document.layout, 0.75)]
