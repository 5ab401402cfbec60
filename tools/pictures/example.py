"""The sentences that the pictures are about."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from disconer.document import Document, Sentence
from disconer.formats.brat import read_mention_line
from disconer.passage import Segment, WordMention


@dataclass(frozen=True)
class Example:
    """A sentence with mentions, and what to call its parts."""

    document: Document

    @cached_property
    def sentence(self) -> Sentence:
        (sentence,) = self.document.sentences
        return sentence

    @cached_property
    def mentions(self) -> list[WordMention]:
        return [self.sentence.word_mention(mention) for mention in self.sentence.mentions]

    @cached_property
    def segments(self) -> list[Segment]:
        """All parts of all mentions, in the order of the text."""
        return sorted({segment for mention in self.mentions for segment in mention.segments})

    def offsets(self, segment: Segment) -> tuple[int, int]:
        first, last = segment
        return self.sentence.word_spans[first][0], self.sentence.word_spans[last][1]

    def segment_text(self, segment: Segment) -> str:
        start, end = self.offsets(segment)
        return self.document.text[start:end]

    def mention_text(self, mention: WordMention) -> str:
        """Write the fragments of a mention, with an ellipsis for every gap."""
        return " … ".join(map(self.segment_text, mention.segments))


def read_example(path: Path) -> tuple[Example, list[str]]:
    """Read the first sentence of a brat document, and what the lines that mark its mentions say before its text."""
    text = path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()[0]
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = [mark for mark in map(read_mention_line, lines) if mark is not None and mark.spans[-1][1] <= len(text)]
    document = Document(text, [(mark.label, mark.spans) for mark in marked])
    return Example(document), [" ".join(line.split("\t")[:2]) for line in lines[: len(marked)]]


COORDINATION = Example(
    Document(
        "Severe joint, shoulder and upper body pain",
        [("ADR", [(0, 12), (38, 42)]), ("ADR", [(0, 6), (14, 22), (38, 42)]), ("ADR", [(0, 6), (27, 42)])],
    )
)
CROSSING = Example(
    Document("Severe joint and shoulder pain", [("ADR", [(0, 12), (26, 30)]), ("ADR", [(0, 6), (17, 30)])])
)
