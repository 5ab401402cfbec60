"""Words instead of characters: what the schemes and the encoders see of a document."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import NamedTuple

from disconer.foundation.spans import Span, unite_spans
from disconer.mention import Mention
from disconer.tokenize import Layout

Segment = tuple[int, int]
"""A run of words: the first and the last of them, both inclusive, counted within a sentence."""


class WordMention(NamedTuple):
    """A mention as the schemes see it: runs of words of one sentence instead of characters of a document."""

    label: str
    segments: tuple[Segment, ...]


class Passage(ABC):
    """Words that a model reads together: a sentence of a text, or several."""

    layout: Layout

    @property
    @abstractmethod
    def sentence_indices(self) -> range:
        """Which sentences of the text they belong to."""

    @property
    def start(self) -> int:
        return self.layout.sentences[self.sentence_indices[0]][0]

    @property
    def end(self) -> int:
        return self.layout.sentences[self.sentence_indices[-1]][1]

    @property
    def text(self) -> str:
        return self.layout.text[self.start : self.end]

    @property
    def word_indices(self) -> range:
        """Which words of the text they are."""
        of_sentences = self.layout.sentence_words
        return range(of_sentences[self.sentence_indices[0]].start, of_sentences[self.sentence_indices[-1]].stop)

    @property
    def word_spans(self) -> tuple[Span, ...]:
        """Where the words are in the document."""
        indices = self.word_indices
        return self.layout.words[indices.start : indices.stop]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.layout.text[start:end] for start, end in self.word_spans)

    def word_mention(self, mention: Mention) -> WordMention:
        """See a mention that lies in them as runs of words, widened where it cuts one."""
        first = self.word_indices.start
        touched = (self.layout.words_between(start, end) for start, end in mention.widened.fragments)
        return WordMention(mention.label, tuple((words[0] - first, words[-1] - first) for words in touched))

    def mention(self, word_mention: WordMention, score: float | None = None) -> Mention:
        """Turn runs of words back into a mention of the document."""
        spans = self.word_spans
        fragments = unite_spans((spans[first][0], spans[last][1]) for first, last in word_mention.segments)
        return Mention(word_mention.label, fragments, self.layout, score)


@dataclass(frozen=True)
class SentenceWindow(Passage):
    """Neighbouring sentences of a document that are read together."""

    layout: Layout = field(repr=False)
    first: int
    last: int
    """The numbers of the first sentence and of the last."""

    @property
    def sentence_indices(self) -> range:
        return range(self.first, self.last + 1)
