"""The words and sentences of a text, and the way between them and characters."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from disconer.exceptions import OffsetError
from disconer.foundation.checks import as_choice, check_encodable
from disconer.foundation.spans import Span, parse_spans
from disconer.tokenize.sentences import LINE_BREAK, split_sentences, trim_span
from disconer.tokenize.words import split_words


class Split(StrEnum):
    """When a text that does not say where its sentences are is split into sentences."""

    AUTO = "auto"
    """A text with a line break is split, one without is a single sentence."""
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True)
class Layout:
    """A text seen as words and sentences. Those it is given are the truth; those it is not are found on first use.

    >>> layout = Layout("Severe joint and shoulder pain.")
    >>> layout.words[:3]
    ((0, 6), (7, 12), (13, 16))
    >>> layout.words_between(7, 16)
    range(1, 3)
    """

    text: str
    given_words: tuple[Span, ...] | None = None
    given_sentences: tuple[Span, ...] | None = None
    split: Split = field(default=Split.AUTO, compare=False)

    def __post_init__(self) -> None:
        check_encodable(self.text, "the text")
        object.__setattr__(self, "split", as_choice(Split, self.split, "split"))
        for name, what in (("given_words", "word"), ("given_sentences", "sentence")):
            spans = getattr(self, name)
            if spans is not None:
                object.__setattr__(self, name, parse_spans(spans, len(self.text), what))
        if self.given_words is not None and self.given_sentences is not None:
            _check_not_cut(self.given_words, self.given_sentences)

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """Where the sentences are, in order, without overlap."""
        if self.given_sentences is not None:
            return self.given_sentences
        found = self._find_sentences()
        return tuple(found if self.given_words is None else _covering(self.given_words, found))

    @cached_property
    def words(self) -> tuple[Span, ...]:
        """Where the words are, in order, without overlap; none reaches over the end of a sentence."""
        if self.given_words is not None:
            return self.given_words
        return tuple(word for start, end in self.sentences for word in split_words(self.text, start, end))

    @cached_property
    def sentence_words(self) -> tuple[range, ...]:
        """The indices of each sentence's words."""
        return tuple(self.words_between(start, end) for start, end in self.sentences)

    def words_between(self, start: int, end: int) -> range:
        """The indices of the words that share a character with the stretch from `start` to `end`."""
        return range(bisect_right(self._word_ends, start), bisect_left(self._word_starts, end))

    def sentence_at(self, offset: int) -> int:
        """The index of the sentence an offset lies in, or else of the one before it (-1 before the first)."""
        return bisect_right(self._sentence_starts, offset) - 1

    def sentence_of_words(self, first: int, last: int) -> int | None:
        """The index of the sentence that holds both words, None when there is none."""
        index = self.sentence_at(self.words[first][0])
        return index if index >= 0 and self.words[last][1] <= self.sentences[index][1] else None

    @cached_property
    def _word_starts(self) -> list[int]:
        return [start for start, _ in self.words]

    @cached_property
    def _word_ends(self) -> list[int]:
        return [end for _, end in self.words]

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [start for start, _ in self.sentences]

    @property
    def is_given(self) -> bool:
        """Whether the words or the sentences were given."""
        return self.given_words is not None or self.given_sentences is not None

    @property
    def is_split(self) -> bool:
        """Whether sentences that are not given are looked for."""
        if self.split is Split.AUTO:
            return LINE_BREAK.search(self.text) is not None
        return self.split is Split.ALWAYS

    def sentences_unknown_to(self, reader: Split) -> tuple[Span, ...] | None:
        """The sentences that splitting the bare text in this way would not find; None where it would.

        >>> Layout("One. Two.").sentences_unknown_to(Split.ALWAYS)
        ((0, 9),)
        """
        if self.given_sentences is not None:
            return self.given_sentences
        read_back = Layout(self.text, self.given_words, split=reader)
        if self.is_split == read_back.is_split or self.sentences == read_back.sentences:
            return None
        return self.sentences

    def _find_sentences(self) -> list[Span]:
        if self.is_split:
            return split_sentences(self.text)
        whole = trim_span(self.text, 0, len(self.text))
        return [whole] if whole else []


def _check_not_cut(words: Iterable[Span], sentences: Sequence[Span]) -> None:
    """Raise when a word reaches over the end or the beginning of a sentence."""
    starts = [start for start, _ in sentences]
    for start, end in words:
        following = bisect_right(starts, start)
        ended = following > 0 and start < sentences[following - 1][1] < end
        if ended or (following < len(starts) and starts[following] < end):
            raise OffsetError(f"the word {start}-{end} reaches over the end of a sentence")


def _covering(words: Sequence[Span], sentences: Iterable[Span]) -> list[Span]:
    """Widen found sentences to the given words they touch, and join those that a word then holds together."""
    starts, ends = [start for start, _ in words], [end for _, end in words]
    covering: list[Span] = []
    for start, end in sentences:
        first, last = bisect_right(ends, start), bisect_left(starts, end) - 1
        widened = (min(start, starts[first]), max(end, ends[last])) if first <= last else (start, end)
        if covering and widened[0] < covering[-1][1]:
            covering[-1] = (covering[-1][0], widened[1])
        else:
            covering.append(widened)
    return covering
