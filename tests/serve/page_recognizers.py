"""Recognizers for tests of the page, which find what they are told to."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from disconer.document import Document, Mention
from disconer.recognizer import Recognizer, as_document
from tests.serve.recognizers import FINAL, Engine

_OWN_THRESHOLD = 0.5


class Rule(NamedTuple):
    """A mention that is found wherever its words stand in this order in a sentence."""

    label: str
    words: tuple[str, ...]
    score: float


class Ruled(Recognizer):
    """Finds the mentions of some rules whose score reaches the threshold."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.cut_sentences = 0
        self.engine = Engine(tuple(dict.fromkeys(rule.label for rule in rules)))  # type: ignore[assignment]

    def pipe(
        self, texts: Iterable[str | Document], threshold: float | None = None, context: int = 1
    ) -> Iterator[Document]:
        for text in texts:
            document = as_document(text)
            if document.text.endswith(FINAL):
                raise RuntimeError("this cannot be read")
            found = (mention for rule in self.rules for mention in _found(rule, document))
            kept = [mention for mention in found if (mention.score or 0) >= (threshold or _OWN_THRESHOLD)]
            yield document.with_mentions(sorted(kept, key=lambda mention: mention.fragments))


def _found(rule: Rule, document: Document) -> Iterator[Mention]:
    pattern = "[^.]*?".join(f"({re.escape(word)})" for word in rule.words)
    for match in re.finditer(pattern, document.text):
        spans = [match.span(number + 1) for number in range(len(rule.words))]
        yield Mention(rule.label, spans, document.layout, rule.score)
