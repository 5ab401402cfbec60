"""The nouns everybody shares: Fragment, Mention, Sentence, Document."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from disconer.exceptions import InputError, quote
from disconer.foundation.checks import check_encodable
from disconer.mention import Fragment, Mention
from disconer.passage import Passage
from disconer.tokenize import Layout

__all__ = ["Document", "Fragment", "Mention", "Sentence"]


INVENTED = "invented"
"""The key of `extras` by which a document says that a program wrote its text."""


@dataclass(frozen=True)
class Sentence(Passage):
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

    @property
    def has_gaps(self) -> bool:
        """Whether one of the mentions is discontinuous."""
        return any(mention.is_discontinuous for mention in self.mentions)


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
            raise InputError(f"an id must be a string or a whole number, not {quote(id)}")
        if isinstance(id, str):
            check_encodable(id, "the id")
        set_field = object.__setattr__
        set_field(self, "layout", layout)
        set_field(self, "mentions", tuple(_bind(mention, layout) for mention in mentions))
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
        return f"document {number}" if self.id is None else f"document {quote(str(self.id))}"

    def with_mentions(self, mentions: Iterable[Mention]) -> "Document":
        """The same document with other mentions."""
        return Document(self.layout, mentions, self.id, self.extras)

    def _repr_html_(self) -> str:
        """Draw the document in a notebook."""
        from disconer.drawing.html import standalone_figure  # noqa: PLC0415 (drawing needs documents, and most never draw)

        return standalone_figure(self)


def _bind(mention: Mention | tuple[str, Iterable[Fragment | Sequence[int]]], layout: Layout) -> Mention:
    """Tie a mention to the layout of the document it is put into."""
    if not isinstance(mention, Mention):
        return Mention(*mention, layout)
    if mention.layout is layout:
        return mention
    return Mention(mention.label, mention.fragments, layout, mention.score, mention.extras)
