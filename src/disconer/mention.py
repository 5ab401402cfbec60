"""Fragment and Mention: a labelled part of a text, which may have gaps.

Character offsets (code points, end exclusive) are the truth. Words and sentences are a view over them, kept in the
`Layout` that a mention shares with its document.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from disconer.exceptions import InputError, OffsetError, quote
from disconer.foundation.checks import check_encodable
from disconer.foundation.spans import is_offset, parse_span, unite_spans
from disconer.tokenize import Layout


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
            raise InputError(f"a score must be a number from 0 to 1, not {quote(score)}")
        set_field = object.__setattr__
        set_field(self, "label", label)
        set_field(self, "fragments", _order_and_merge(fragments, layout.text))
        set_field(self, "layout", layout)
        set_field(self, "score", score)
        set_field(self, "extras", MappingProxyType(dict(extras or {})))

    def _repr_html_(self) -> str:
        """Draw the mention in its text, in a notebook."""
        from disconer.document import Document  # noqa: PLC0415
        from disconer.drawing.html import standalone_figure  # noqa: PLC0415 (drawing needs mentions, and most never draw)

        return standalone_figure(Document(self.layout, [self]))

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
        spans = unite_spans((words[indices[0]][0], words[indices[-1]][1]) for indices in touched if indices)
        if not spans or spans == [tuple(fragment) for fragment in self.fragments]:
            return self
        return Mention(self.label, spans, self.layout, self.score, self.extras)


def _order_and_merge(fragments: Iterable[Fragment | Sequence[int]], text: str) -> tuple[Fragment, ...]:
    pairs = (tuple(fragment) if isinstance(fragment, Fragment) else fragment for fragment in fragments)
    spans = sorted(parse_span(pair, len(text), "fragment") for pair in pairs)
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
