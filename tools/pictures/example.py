"""The sentences that the pictures are about."""

from dataclasses import dataclass
from functools import cached_property

from disconer.document import Document, Sentence
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


COORDINATION = Example(
    Document(
        "Severe joint, shoulder and upper body pain",
        [("ADR", [(0, 12), (38, 42)]), ("ADR", [(0, 6), (14, 22), (38, 42)]), ("ADR", [(0, 6), (27, 42)])],
    )
)
CROSSING = Example(
    Document("Severe joint and shoulder pain", [("ADR", [(0, 12), (26, 30)]), ("ADR", [(0, 6), (17, 30)])])
)
