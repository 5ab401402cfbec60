"""Coordinations made of a corpus' own mentions: examples of mentions with gaps, of which there are never enough.

"back pain" and "shoulder pain" share their last word, so "back and shoulder pain" may stand in the place of either, and
an annotator would mark "back … pain" and "shoulder pain" there. With a shared first word it is "difficulty breathing or
sleeping". What joins the parts, and how often it is the first or the last word that is shared, is learned from the
coordinations that the corpus has; labels that never have gaps get none.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from random import Random
from typing import NamedTuple, TypeVar

from disconer.document import Document, Mention, Sentence
from disconer.foundation.spans import Span
from disconer.tokenize import Layout

_FEWEST_WORDS, _MOST_WORDS = 2, 4
"""Of a mention that becomes a part of a coordination."""
_LONGEST_CONNECTOR = 3
"""Words between two parts of a coordination."""
_ENOUGH = 20
"""Coordinations of a corpus, from which on it is imitated; with less, the usual ones are made."""
_TRIES = 20
"""For each coordination: not every mention has others that share a word."""

Choice = TypeVar("Choice")
Words = tuple[str, ...]
"""The words of a mention, in lower case."""


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

    shares_end: bool
    """Whether its mentions share their last words or their first ones."""
    connectors: tuple[Piece, ...]
    """What stands between the words that they do not share."""


class Habits:
    """How a corpus coordinates: which side its mentions share, how many it joins, and what with."""

    def __init__(self, patterns: Mapping[Pattern, int]) -> None:
        self._sizes: Counter[tuple[bool, int]] = Counter()
        self._last: dict[bool, Counter[Piece]] = defaultdict(Counter)
        """What stands before the last of two, and before the last of more."""
        self._inner: Counter[Piece] = Counter()
        """What stands before the others of more than two."""
        for (shares_end, connectors), count in patterns.items():
            self._sizes[shares_end, len(connectors)] += count
            self._last[len(connectors) > 1][connectors[-1]] += count
            self._inner.update({connector: connectors[:-1].count(connector) * count for connector in connectors[:-1]})

    def draw(self, random: Random) -> Pattern:
        """Put a pattern together from what is usual in each of its places."""
        shares_end, size = _choose(self._sizes, random)
        inner = [_choose(self._inner, random) for _ in range(size - 1)]
        return Pattern(shares_end, (*inner, _choose(self._last[size > 1], random)))


_BLANK = Piece(" ", ())
_AND, _OR, _AND_OR = Piece(" and ", ((1, 4),)), Piece(" or ", ((1, 3),)), Piece(" and/or ", ((1, 4), (4, 5), (5, 7)))
_COMMA = Piece(", ", ((0, 1),))
_USUAL: dict[tuple[Piece, ...], int] = {(_AND,): 6, (_OR,): 6, (_AND_OR,): 1, (_COMMA, _AND): 2, (_COMMA, _OR): 2}
"""Connectors and how often they are taken, for corpora that have too few to learn them from."""


class _Entry(NamedTuple):
    """A mention that may become a part of a coordination."""

    sentence: Sentence
    mention: Mention
    words: Words


class Coordinator:
    """Makes coordinations of the mentions of some sentences.

    >>> known = Document("Dry mouth or skin.", [("ADR", [(0, 9)]), ("ADR", [(0, 3), (13, 17)])])
    >>> others = [Document(f"Some {words}.", [("ADR", [(5, 5 + len(words))])]) for words in ("back pain", "hip pain")]
    >>> coordinator = Coordinator(document.sentences[0] for document in (known, *others))
    >>> coordinator.draw(1, Random(0))[0].text
    'Some hip and/or back pain.'
    """

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        gapped: list[Sentence] = []
        self._weights: Counter[str] = Counter()
        self._hosts: dict[str, list[_Entry]] = defaultdict(list)
        self._sharing: dict[tuple[str, bool, str], dict[Words, _Entry]] = defaultdict(dict)
        """By label, and by the last word or the first: one mention of each text."""
        for sentence in sentences:
            self._weights.update(mention.label for mention in sentence.mentions if mention.is_discontinuous)
            if sentence.has_gaps:
                gapped.append(sentence)
            for mention in filter(_is_plain, sentence.mentions):
                self._add(_Entry(sentence, mention, tuple(map(str.lower, mention.words))))
        self.gapped = len(gapped)
        """How many sentences have a discontinuous mention."""
        own = _leave_out_rare([pattern for sentence in gapped for pattern in find_patterns(sentence)])
        usual = {Pattern(end, connectors): count for connectors, count in _USUAL.items() for end in (True, False)}
        self.habits = Habits(own if own.total() >= _ENOUGH else usual)

    def draw_for_epoch(self, share: float, seed: int, epoch: int) -> list[Document]:
        """Make so many for every sentence with a discontinuous mention, anew in every epoch of every seed."""
        return self.draw(round(share * self.gapped), Random(f"{seed}/{epoch}/coordinations"))  # noqa: S311 (nothing secret)

    def draw(self, number: int, random: Random) -> list[Document]:
        """Make documents of a sentence each; fewer where the mentions do not allow for more."""
        labels = {label: count for label, count in self._weights.items() if self._hosts[label]}
        made: list[Document] = []
        for _ in range(number * _TRIES if labels else 0):
            if len(made) == number:
                break
            host = random.choice(self._hosts[_choose(labels, random)])
            document = self._coordinate(host, self.habits.draw(random), random)
            if document is not None:
                made.append(document)
        return made

    def _add(self, entry: _Entry) -> None:
        label, words = entry.mention.label, entry.words
        for shares_end, word in ((True, words[-1]), (False, words[0])):
            self._sharing[label, shares_end, word].setdefault(words, entry)
        own = set(entry.mention.word_indices)
        others = (other for other in entry.sentence.mentions if other is not entry.mention)
        if not any(own.intersection(other.word_indices) for other in others):
            self._hosts[label].append(entry)

    def _coordinate(self, host: _Entry, pattern: Pattern, random: Random) -> Document | None:
        """Put a coordination in the place of a mention; nothing where too few others share a word with it."""
        end = pattern.shares_end
        sharing = self._sharing[host.mention.label, end, host.words[-1 if end else 0]]
        others = [entry for words, entry in sharing.items() if words != host.words]
        connectors = pattern.connectors[-len(others) :]
        # A list may become shorter, but not a mere pair: its last connector is a list's.
        if not others or (len(connectors) == 1 < len(pattern.connectors)):
            return None
        entries = [host, *random.sample(others, len(connectors))]
        shared = min(_count_shared(host.words, entry.words, end) for entry in entries[1:])
        rests = {entry.words[:-shared] if end else entry.words[shared:] for entry in entries}
        if len(rests) < len(entries) or () in rests:
            return None
        random.shuffle(entries)
        parts = [_split(entry.mention, shared, end) for entry in entries]
        pieces = [parts[0][1]]
        for connector, (_, rest) in zip(connectors, parts[1:], strict=True):
            pieces += (connector, rest)
        common = _split(host.mention, shared, end)[0]
        if end:
            return _replace(host, (*pieces, _BLANK, common), lambda spans: [[one, spans[-1]] for one in spans[:-2:2]])
        return _replace(host, (common, _BLANK, *pieces), lambda spans: [[spans[0], one] for one in spans[2::2]])


def _choose(counts: Mapping[Choice, int], random: Random) -> Choice:
    """Draw one as often as it is counted."""
    return random.choices(list(counts), list(counts.values()))[0]


def _leave_out_rare(patterns: Sequence[Pattern]) -> Counter[Pattern]:
    """Count the patterns whose connectors all occur again: what joins words once is as likely an accident."""
    uses = Counter(connector for pattern in patterns for connector in pattern.connectors)
    return Counter(pattern for pattern in patterns if all(uses[connector] > 1 for connector in pattern.connectors))


def find_patterns(sentence: Sentence) -> Iterator[Pattern]:
    """Find the coordinations of a sentence: mentions with a gap of which other mentions share a fragment."""
    widest: dict[tuple[str, bool, Span], tuple[int, Pattern]] = {}
    for mention in sentence.mentions:
        if len(mention.fragments) != 2 or mention.is_cutting_words:
            continue
        start, end = mention.fragments
        others = [other for other in sentence.mentions if other is not mention and other.label == mention.label]
        for shares_end, shared in ((True, end), (False, start)):
            words = set(sentence.layout.words_between(*shared))
            sharing = [other for other in others if words.issubset(other.word_indices)]
            connectors = _find_connectors(sentence.layout, (start.end, end.start), shares_end, sharing)
            key, gap = (mention.label, shares_end, (shared.start, shared.end)), end.start - start.end
            # Of the mentions of a coordination, that with the widest gap sees all of it.
            if connectors and gap > widest.get(key, (0, None))[0]:
                widest[key] = gap, Pattern(shares_end, connectors)
    return (pattern for _, pattern in widest.values())


def _find_connectors(
    layout: Layout, gap: Span, shares_end: bool, sharing: Iterable[Mention]
) -> tuple[Piece, ...] | None:
    """What joins the other mentions' words in a gap; nothing when the gap is no coordination of theirs."""
    covered = {index for mention in sharing for index in mention.word_indices}
    runs = [(is_part, list(run)) for is_part, run in groupby(layout.words_between(*gap), covered.__contains__)]
    # With a shared end, "back [and shoulder] pain"; with a shared start, "dry [mouth or] skin".
    if not covered or not runs or runs[0][0] is shares_end or runs[-1][0] is not shares_end:
        return None
    between = [run for is_part, run in runs if not is_part]
    spans = [(layout.words[run[0] - 1][1], layout.words[run[-1] + 1][0]) for run in between]
    pieces = tuple(Piece.cut(layout, start, end) for start, end in spans)
    is_plain = all(len(piece.words) <= _LONGEST_CONNECTOR and not set(piece.text) & set("()[]{}:;") for piece in pieces)
    return pieces if is_plain else None


def _is_plain(mention: Mention) -> bool:
    """Whether a mention is a few words without gaps or punctuation."""
    words = mention.words
    if mention.is_discontinuous or mention.is_cutting_words or not _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
        return False
    return all(map(str.isalpha, words)) and mention.text == " ".join(words)


def _count_shared(one: Words, other: Words, at_end: bool) -> int:
    """Count the words that two mentions share at their ends or beginnings."""
    pairs = zip(reversed(one), reversed(other), strict=False) if at_end else zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _split(mention: Mention, shared: int, at_end: bool) -> tuple[Piece, Piece]:
    """Cut a mention into the words that it shares and the others."""
    words = [mention.layout.words[index] for index in mention.word_indices]
    border = len(words) - shared if at_end else shared
    start, end = (Piece.cut(mention.layout, own[0][0], own[-1][1]) for own in (words[:border], words[border:]))
    return (end, start) if at_end else (start, end)


def _replace(host: _Entry, pieces: Sequence[Piece], fragments: Callable[[list[Span]], list[list[Span]]]) -> Document:
    """A mention's sentence with other text in its place; `fragments` finds the mentions there by the pieces' places."""
    sentence, mention = host.sentence, host.mention
    before = Piece.cut(sentence.layout, sentence.start, mention.start)
    behind = Piece.cut(sentence.layout, mention.end, sentence.end)
    text, words, spans = "", [], []
    for piece in (before, *pieces, behind):
        spans.append((len(text), len(text) + len(piece.text)))
        words += [(start + len(text), end + len(text)) for start, end in piece.words]
        text += piece.text
    mentions = [(mention.label, own) for own in fragments(spans[1:-1])]
    for other in sentence.mentions:
        if other is not mention:
            moved = [
                (start + by, end + by)
                for start, end in other.fragments
                for by in [spans[-1][0] - mention.end if start >= mention.end else -sentence.start]
            ]
            mentions.append((other.label, moved))
    return Document(Layout(text, tuple(words), ((0, len(text)),)), mentions)
