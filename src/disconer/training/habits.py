"""How a corpus coordinates: which words its mentions share, how many it joins, and what with."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from random import Random
from typing import NamedTuple, TypeVar

from disconer.document import Mention, Sentence
from disconer.foundation.spans import Span
from disconer.tokenize import Layout

_LONGEST_CONNECTOR = 3
"""Words between two parts of a coordination."""
_ENOUGH = 20
"""Coordinations of a corpus, from which on it is imitated; with less, the usual ones are made."""
MOST_SHARED = 3
"""Words at an end that mentions share: where they share more, it is as likely a repetition as a coordination."""

Choice = TypeVar("Choice")


class Piece(NamedTuple):
    """A stretch of text, and where its words are in it."""

    text: str
    words: tuple[Span, ...]

    @classmethod
    def cut(cls, layout: Layout, start: int, end: int) -> "Piece":
        """Cut a piece out of a text, at the ends of words."""
        words = (layout.words[index] for index in layout.words_between(start, end))
        return cls(layout.text[start:end], tuple((first - start, last - start) for first, last in words))


class Pattern(NamedTuple):
    """How a coordination is put together."""

    start: int
    """How many first words its mentions share: one in "dry mouth or skin"."""
    end: int
    """How many last words: one in "back and shoulder pain"; with both, "severe back and shoulder pain"."""
    connectors: tuple[Piece, ...]
    """What stands between the words that they do not share."""


_AND, _OR, _AND_OR = Piece(" and ", ((1, 4),)), Piece(" or ", ((1, 3),)), Piece(" and/or ", ((1, 4), (4, 5), (5, 7)))
_COMMA = Piece(", ", ((0, 1),))
_USUAL: dict[tuple[Piece, ...], int] = {(_AND,): 6, (_OR,): 6, (_AND_OR,): 1, (_COMMA, _AND): 2, (_COMMA, _OR): 2}
"""Connectors and how often they are taken, for corpora that have too few to learn them from."""


class Habits:
    """How often a corpus does what."""

    def __init__(self, patterns: Mapping[Pattern, int]) -> None:
        self._sizes: Counter[tuple[int, int, int]] = Counter()
        """By the words shared at the start and at the end, and the number of connectors."""
        self._last: dict[bool, Counter[Piece]] = defaultdict(Counter)
        """What stands before the last of two, and before the last of more."""
        self._inner: Counter[Piece] = Counter()
        """What stands before the others of more than two."""
        for (start, end, connectors), count in patterns.items():
            self._sizes[start, end, len(connectors)] += count
            self._last[len(connectors) > 1][connectors[-1]] += count
            self._inner.update({connector: connectors[:-1].count(connector) * count for connector in connectors[:-1]})

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> "Habits":
        """Learn them from sentences; the usual ones where these have too few coordinations."""
        own = _leave_out_rare([pattern for sentence in sentences for pattern in find_patterns(sentence)])
        usual = {Pattern(*side, connectors): n for connectors, n in _USUAL.items() for side in ((0, 1), (1, 0))}
        return cls(own if own.total() >= _ENOUGH else usual)

    def draw(self, random: Random) -> Pattern:
        """Put a pattern together from what is usual in each of its places."""
        start, end, size = choose(self._sizes, random)
        inner = [choose(self._inner, random) for _ in range(size - 1)]
        return Pattern(start, end, (*inner, choose(self._last[size > 1], random)))


def choose(counts: Mapping[Choice, int], random: Random) -> Choice:
    """Draw one as often as it is counted."""
    return random.choices(list(counts), list(counts.values()))[0]


def _leave_out_rare(patterns: Sequence[Pattern]) -> Counter[Pattern]:
    """Count the patterns whose connectors all occur again: what joins words once is as likely an accident."""
    uses = Counter(connector for pattern in patterns for connector in pattern.connectors)
    return Counter(pattern for pattern in patterns if all(uses[connector] > 1 for connector in pattern.connectors))


def find_patterns(sentence: Sentence) -> Iterator[Pattern]:
    """Find the coordinations of a sentence: mentions of a label that share their first words, their last, or both."""
    by_label: dict[str, list[Mention]] = defaultdict(list)
    for mention in sentence.mentions:
        if not mention.is_cutting_words:
            by_label[mention.label].append(mention)
    for mentions in by_label.values():
        words = [tuple(mention.word_indices) for mention in mentions]
        with_gaps = [own for own, mention in zip(words, mentions, strict=True) if mention.is_discontinuous]
        ends = {shared_ends(one, other) for one in with_gaps for other in words if one != other}
        for start, end in sorted(ends):
            pattern = _find_pattern(sentence.layout, words, start, end)
            if pattern is not None:
                yield pattern


def shared_ends(one: Sequence[Choice], other: Sequence[Choice]) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
    """The words that two mentions have in common at their start, and at their end.

    >>> shared_ends("severe back pain".split(), "severe hip pain".split())
    (('severe',), ('pain',))
    """
    start = _common(one, other)
    return start, _common(one[len(start) :][::-1], other[len(start) :][::-1])[::-1]


def _common(one: Sequence[Choice], other: Sequence[Choice]) -> tuple[Choice, ...]:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(own for own, _ in pairs)


def _find_pattern(
    layout: Layout, mentions: Iterable[tuple[int, ...]], start: tuple[int, ...], end: tuple[int, ...]
) -> Pattern | None:
    """The pattern of the mentions that share these words; nothing when what is between them is no coordination."""
    sharing = (own for own in mentions if own[: len(start)] == start and own[len(own) - len(end) :] == end)
    rests = sorted({own[len(start) : len(own) - len(end)] for own in sharing} - {()})
    runs = [start[-1:] + rests[0], *rests[1:-1], rests[-1] + end[:1]] if len(rests) > 1 else []
    if not (runs and (start or end) and all(map(_is_run, (start, end, *runs)))):
        return None
    if max(len(start), len(end)) > MOST_SHARED:
        return None
    gaps = [(one[-1], other[0]) for one, other in pairwise(rests)]
    if not all(1 < other - one <= _LONGEST_CONNECTOR + 1 for one, other in gaps):
        return None
    pieces = tuple(Piece.cut(layout, layout.words[one][1], layout.words[other][0]) for one, other in gaps)
    is_plain = not any(set(piece.text) & set("()[]{}:;") for piece in pieces)
    return Pattern(len(start), len(end), pieces) if is_plain else None


def _is_run(words: Sequence[int]) -> bool:
    """Whether words follow each other."""
    return all(other - one == 1 for one, other in pairwise(words))
