"""The nouns everybody shares: Fragment, Mention, Sentence, Document.

Character offsets (code points, end exclusive) are the truth. Words and sentences are a view over them, kept in the
`Layout` that a document, its sentences and its mentions share.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from disconer.checks import check_encodable
from disconer.exceptions import InputError, OffsetError, shown
from disconer.spans import Span, checked_span, is_offset, united
from disconer.tokenize import Layout

Segment = tuple[int, int]
"""A run of words: the first and the last of them, both inclusive, counted within a sentence."""


class WordMention(NamedTuple):
    """A mention as the schemes see it: runs of words of one sentence instead of characters of a document."""

    label: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, order=True, slots=True)
class Fragment:
    """A stretch of a text: the offset of its first character and the one after its last."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not (is_offset(self.start) and is_offset(self.end) and 0 <= self.start < self.end):
            raise OffsetError(f"{self.start}-{self.end} is no fragment: empty, reversed, before the text or not whole")

    def __iter__(self) -> Iterator[int]:
        yield self.start
        yield self.end


@dataclass(frozen=True, init=False)
class Mention:
    """A labelled part of a text, in one fragment or in several.

    Fragments are put in order, and merged when only white space separates them.

    >>> mention = Mention("ADR", [(17, 25), (0, 6), (26, 30)], "Severe joint and shoulder pain.")
    >>> mention.text, mention.is_discontinuous
    ('Severe shoulder pain', True)
    >>> mention.fragments
    (Fragment(start=0, end=6), Fragment(start=17, end=30))
    """

    label: str
    fragments: tuple[Fragment, ...]
    layout: Layout = field(repr=False, compare=False)
    score: float | None = None
    extras: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)
    """What its file says of this mention that disconer does not know, by key."""

    def __init__(
        self,
        label: str,
        fragments: Iterable[Fragment | Sequence[int]],
        text: Layout | str,
        score: float | None = None,
        extras: Mapping[str, Any] | None = None,
    ) -> None:
        layout = Layout(text) if isinstance(text, str) else text
        check_encodable(label, "a label")
        if not label:
            raise InputError("a mention needs a label")
        if score is not None and not (type(score) in (int, float) and 0 <= score <= 1):
            raise InputError(f"a score must be a number from 0 to 1, not {shown(score)}")
        set_field = object.__setattr__
        set_field(self, "label", label)
        set_field(self, "fragments", _ordered_and_merged(fragments, layout.text))
        set_field(self, "layout", layout)
        set_field(self, "score", score)
        set_field(self, "extras", MappingProxyType(dict(extras or {})))

    def __reduce__(self) -> tuple[Any, ...]:
        return Mention, (self.label, self.fragments, self.layout, self.score, dict(self.extras))

    @property
    def key(self) -> tuple[str, tuple[Fragment, ...]]:
        """What makes two mentions of a text the same: the label and every fragment."""
        return self.label, self.fragments

    @property
    def start(self) -> int:
        return self.fragments[0].start

    @property
    def end(self) -> int:
        return self.fragments[-1].end

    @property
    def is_discontinuous(self) -> bool:
        return len(self.fragments) > 1

    @property
    def text(self) -> str:
        """The text of the fragments, joined by one space."""
        return " ".join(self.layout.text[start:end] for start, end in self.fragments)

    @cached_property
    def word_indices(self) -> tuple[int, ...]:
        """The document's words that the fragments touch, the gaps' words left out."""
        touched = (self.layout.words_between(start, end) for start, end in self.fragments)
        return tuple(sorted({index for indices in touched for index in indices}))

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the fragments touch, whole."""
        return tuple(self.layout.text[slice(*self.layout.words[index])] for index in self.word_indices)

    @cached_property
    def sentence_index(self) -> int | None:
        """Which of the text's sentences holds all of it; None when it crosses a boundary or has no word."""
        if not self.word_indices:
            return None
        return self.layout.sentence_of_words(self.word_indices[0], self.word_indices[-1])

    @property
    def home_sentence_index(self) -> int:
        """Which sentence it is counted in: the one that its first word lies in, should it cross a boundary."""
        start = self.layout.words[self.word_indices[0]][0] if self.word_indices else self.start
        return self.layout.sentence_at(start)

    @property
    def is_cutting_words(self) -> bool:
        """Whether a fragment begins or ends where no word does."""
        return self.widened is not self

    @cached_property
    def widened(self) -> "Mention":
        """The mention whose fragments begin and end where words do; itself when they do so already or touch no word."""
        words = self.layout.words
        touched = [self.layout.words_between(start, end) for start, end in self.fragments]
        spans = united((words[indices[0]][0], words[indices[-1]][1]) for indices in touched if indices)
        if not spans or spans == [tuple(fragment) for fragment in self.fragments]:
            return self
        return Mention(self.label, spans, self.layout, self.score, self.extras)


class Reading(ABC):
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
        fragments = united((spans[first][0], spans[last][1]) for first, last in word_mention.segments)
        return Mention(word_mention.label, fragments, self.layout, score)


@dataclass(frozen=True)
class Sentence(Reading):
    """A sentence of a document: the words a model reads and the mentions that lie inside it."""

    layout: Layout = field(repr=False)
    index: int
    mentions: tuple[Mention, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.index < len(self.layout.sentences):
            raise InputError(f"the text has {len(self.layout.sentences)} sentences, and none is number {self.index}")
        if any(mention.layout is not self.layout or mention.sentence_index != self.index for mention in self.mentions):
            raise InputError("a mention does not lie inside the sentence")

    @property
    def sentence_indices(self) -> range:
        return range(self.index, self.index + 1)


@dataclass(frozen=True)
class Passage(Reading):
    """Neighbouring sentences of a document that are read together."""

    layout: Layout = field(repr=False)
    first: int
    last: int
    """The numbers of the first sentence and of the last."""

    @property
    def sentence_indices(self) -> range:
        return range(self.first, self.last + 1)


@dataclass(frozen=True, init=False)
class Document:
    """A text and the mentions in it.

    >>> document = Document("Severe joint and shoulder pain.", [("ADR", [(0, 12), (26, 30)])])
    >>> [mention.text for mention in document]
    ['Severe joint pain']
    """

    layout: Layout = field(repr=False)
    mentions: tuple[Mention, ...] = ()
    id: str | int | None = None
    extras: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)
    """What its file says of this document that disconer does not know, by key."""

    def __init__(
        self,
        text: Layout | str,
        mentions: Iterable[Mention | tuple[str, Iterable[Fragment | Sequence[int]]]] = (),
        id: str | int | None = None,
        extras: Mapping[str, Any] | None = None,
    ) -> None:
        layout = Layout(text) if isinstance(text, str) else text
        if id is not None and (isinstance(id, bool) or not isinstance(id, str | int)):
            raise InputError(f"an id must be a string or a whole number, not {shown(id)}")
        if isinstance(id, str):
            check_encodable(id, "the id")
        set_field = object.__setattr__
        set_field(self, "layout", layout)
        set_field(self, "mentions", tuple(_bound(mention, layout) for mention in mentions))
        set_field(self, "id", id)
        set_field(self, "extras", MappingProxyType(dict(extras or {})))

    def __reduce__(self) -> tuple[Any, ...]:
        return Document, (self.layout, self.mentions, self.id, dict(self.extras))

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)

    def __len__(self) -> int:
        return len(self.mentions)

    def __bool__(self) -> bool:
        return True

    @property
    def text(self) -> str:
        return self.layout.text

    @cached_property
    def unique_mentions(self) -> tuple[Mention, ...]:
        """The mentions, those that say the same only once."""
        unique: dict[tuple[str, tuple[Fragment, ...]], Mention] = {}
        for mention in self.mentions:
            unique.setdefault(mention.key, mention)
        return tuple(unique.values())

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences, each with the unique mentions that lie inside it."""
        inside: list[list[Mention]] = [[] for _ in self.layout.sentences]
        for mention in self.unique_mentions:
            if mention.sentence_index is not None:
                inside[mention.sentence_index].append(mention)
        return tuple(Sentence(self.layout, index, tuple(mentions)) for index, mentions in enumerate(inside))

    @property
    def cross_sentence(self) -> tuple[Mention, ...]:
        """The unique mentions that lie in no single sentence."""
        return tuple(mention for mention in self.unique_mentions if mention.sentence_index is None)

    def name(self, number: int) -> str:
        """Say which document this is: by its id, or else by its number among others."""
        return f"document {number}" if self.id is None else f"document {shown(str(self.id))}"

    def with_mentions(self, mentions: Iterable[Mention]) -> "Document":
        """Give the same document with other mentions."""
        return Document(self.layout, mentions, self.id, self.extras)

    def _repr_html_(self) -> str:
        """Draw the document in a notebook."""
        from disconer.drawing.html import standalone_figure  # noqa: PLC0415 (drawing needs documents, and most never draw)

        return standalone_figure(self)


def _bound(mention: Mention | tuple[str, Iterable[Fragment | Sequence[int]]], layout: Layout) -> Mention:
    """Tie a mention to the layout of the document it is put into."""
    if not isinstance(mention, Mention):
        return Mention(*mention, layout)
    if mention.layout is layout:
        return mention
    return Mention(mention.label, mention.fragments, layout, mention.score, mention.extras)


def _ordered_and_merged(fragments: Iterable[Fragment | Sequence[int]], text: str) -> tuple[Fragment, ...]:
    pairs = (tuple(fragment) if isinstance(fragment, Fragment) else fragment for fragment in fragments)
    spans = sorted(checked_span(pair, len(text), "fragment") for pair in pairs)
    if not spans:
        raise OffsetError("a mention needs at least one fragment")
    merged = [spans[0]]
    for start, end in spans[1:]:
        previous_start, previous_end = merged[-1]
        if start < previous_end:
            raise OffsetError(f"the fragments {previous_start}-{previous_end} and {start}-{end} overlap")
        if text[previous_end:start].strip():
            merged.append((start, end))
        else:
            merged[-1] = (previous_start, end)
    return tuple(Fragment(start, end) for start, end in merged)
