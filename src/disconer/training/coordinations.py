"""Coordinations made of a corpus' own mentions: examples of mentions with gaps, of which there are never enough.

"back pain" and "shoulder pain" share their last word, so "back and shoulder pain" may stand in the place of either, and
an annotator would mark "back … pain" and "shoulder pain" there. With a shared first word it is "difficulty breathing or
sleeping". What joins the parts, and how many words are shared at which end, is learned from the coordinations that the
corpus has (habits.py); labels that never have gaps get none.

Not every list has gaps: of "back pain and dizziness", or of "back pain and shoulder pain", nobody would leave anything
out. Who learns from coordinations alone comes to see gaps in such lists too, so some of them are made as well.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple

from disconer.document import Document, Mention, Sentence
from disconer.foundation.spans import Span
from disconer.tokenize import Layout
from disconer.training.habits import MOST_SHARED, Habits, Pattern, Piece, choose, shared_ends

_MOST_WORDS = 5
"""Of a mention that becomes a part of a coordination."""
_TRIES = 20
"""For each coordination: not every mention has others that share a word."""
_WHOLE = 1 / 3
"""How many of the lists that are made are of whole mentions, without gaps."""
_RELATED = 0.4
"""How many of these have mentions that share a word, which could have been left out and was not."""
_AGAIN = 0.3
"""How often a sentence gets a second coordination, where it can: the parts of two do not belong together."""
_FOREIGN = 4
"""How much more often than in mentions a word stands outside of them that no part may be cut at: "increases in"."""

_BLANK = Piece(" ", ())
Words = tuple[str, ...]
"""The words of a mention, in lower case."""


class _Entry(NamedTuple):
    """A mention that may become a part of a list."""

    sentence: Sentence
    mention: Mention
    words: Words

    @classmethod
    def of(cls, sentence: Sentence, mention: Mention) -> "_Entry":
        return cls(sentence, mention, tuple(map(str.lower, mention.words)))

    @property
    def is_host(self) -> bool:
        """Whether a list may stand in its place: it can be cut, and no other mention has one of its words."""
        own = set(self.mention.word_indices)
        others = (other for other in self.sentence.mentions if other is not self.mention)
        return len(own) > 1 and not any(own.intersection(other.word_indices) for other in others)

    def cut(self, first: int, last: int) -> Piece:
        """Cut some of its words out, from the first to before the last."""
        layout, words = self.mention.layout, [*self.mention.word_indices][first:last]
        return Piece.cut(layout, layout.words[words[0]][0], layout.words[words[-1]][1])


class Coordinator:
    """Makes coordinations of the mentions of some sentences.

    >>> known = Document("Dry mouth or skin.", [("ADR", [(0, 9)]), ("ADR", [(0, 3), (13, 17)])])
    >>> others = [Document(f"Some {words}.", [("ADR", [(5, 5 + len(words))])]) for words in ("back pain", "knee pain")]
    >>> coordinator = Coordinator(document.sentences[0] for document in (known, *others))
    >>> coordinator.draw(1, Random(2))[0].text
    'Some back and knee pain.'
    """

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        gapped: list[Sentence] = []
        self._weights: Counter[str] = Counter()
        self._hosts: dict[str, list[_Entry]] = defaultdict(list)
        self._known: dict[str, dict[Words, _Entry]] = defaultdict(dict)
        """By label: one mention of each text."""
        self._sharing: dict[tuple[str, bool, Words], dict[Words, _Entry]] = defaultdict(dict)
        """By label, and by the last words or the first: one mention of each text that has others too."""
        self._inside: Counter[str] = Counter()
        """How often each word is in a mention."""
        self._words: Counter[str] = Counter()
        """How often it is anywhere."""
        for sentence in sentences:
            self._words.update(map(str.lower, sentence.words))
            self._inside.update(word.lower() for mention in sentence.mentions for word in mention.words)
            self._weights.update(mention.label for mention in sentence.mentions if mention.is_discontinuous)
            if sentence.has_gaps:
                gapped.append(sentence)
            for mention in filter(_is_plain, sentence.mentions):
                self._add(_Entry.of(sentence, mention))
        self.gapped = len(gapped)
        """How many sentences have a discontinuous mention."""
        self.habits = Habits.of(gapped)

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
            host = random.choice(self._hosts[choose(labels, random)])
            document = self._list_wholes(host, random) if random.random() < _WHOLE else self._make(host, random)
            if document is not None:
                made.append(document)
        return made

    def _add(self, entry: _Entry) -> None:
        label, words = entry.mention.label, entry.words
        self._known[label].setdefault(words, entry)
        for count in range(1, min(len(words), MOST_SHARED + 1)):
            for is_end, shared in ((True, words[-count:]), (False, words[:count])):
                self._sharing[label, is_end, shared].setdefault(words, entry)
        if entry.is_host:
            self._hosts[label].append(entry)

    def _make(self, host: _Entry, random: Random) -> Document | None:
        """Put a coordination in the place of a mention, and perhaps another into the same sentence."""
        made = self._coordinate(host, self.habits.draw(random), random)
        if made is None or random.random() >= _AGAIN:
            return made
        (sentence,) = made.sentences
        own = [mention for mention in sentence.mentions if mention.label == host.mention.label and _is_plain(mention)]
        hosts = [entry for entry in (_Entry.of(sentence, mention) for mention in own) if entry.is_host]
        return (hosts and self._coordinate(random.choice(hosts), self.habits.draw(random), random)) or made

    def _coordinate(self, host: _Entry, pattern: Pattern, random: Random) -> Document | None:
        """Put a coordination in the place of a mention; nothing where no others share words with it."""
        chosen = self._choose_entries(host, self._find_sharing(host, pattern), pattern, random)
        if len(host.words) <= pattern.start + pattern.end or not chosen:
            return None
        ends = [shared_ends(host.words, entry.words) for entry in chosen if entry is not host]
        # Nobody says "left chest and right chest pain": what all of them share is said once.
        start = max(pattern.start, min(len(own) for own, _ in ends)) if pattern.start else 0
        end = max(pattern.end, min(len(own) for _, own in ends)) if pattern.end else 0
        parts = self._cut_parts(host, chosen, start, end)
        if parts is None:
            return None
        first = (host.cut(0, start), _BLANK) if start else ()
        last = (_BLANK, host.cut(len(host.words) - end, len(host.words))) if end else ()

        def fragments(spans: list[Span]) -> list[list[Span]]:
            own = spans[len(first) : len(spans) - len(last) : 2]
            return [[*spans[: len(first) : 2], part, *spans[len(spans) - len(last) + 1 :]] for part in own]

        return _replace(host, (*first, *_join(parts, pattern.connectors), *last), fragments)

    def _list_wholes(self, host: _Entry, random: Random) -> Document | None:
        """Put a list of whole mentions, without gaps, in the place of a mention."""
        label, words = host.mention.label, host.words
        if random.random() < _RELATED:
            is_end = random.random() < 1 / 2
            others = list(self._sharing[label, is_end, words[-1:] if is_end else words[:1]].values())
        else:
            drawn = random.choices(list(self._known[label].values()), k=_TRIES)
            others = [entry for entry in drawn if not set(words).intersection(entry.words)]
        pattern = self.habits.draw(random)
        chosen = self._choose_entries(host, others, pattern, random)
        if not chosen:
            return None
        parts = [entry.cut(0, len(entry.words)) for entry in chosen]
        return _replace(host, _join(parts, pattern.connectors), lambda spans: [[one] for one in spans[::2]])

    def _find_sharing(self, host: _Entry, pattern: Pattern) -> list[_Entry]:
        """Find mentions that share as many words with another; if none does, others that share its last word.

        So "obstructive apnea" makes "obstructive or central sleep apnea" of "central sleep apnea".
        """
        label, words, (start, end, _) = host.mention.label, host.words, pattern
        if not end:
            return list(self._sharing[label, False, words[:start]].values())
        ending = self._sharing[label, True, words[-end:]].values()
        found = [entry for entry in ending if entry.words[:start] == words[:start] and entry.words != words]
        return found or list(self._sharing[label, True, words[-1:]].values())

    def _choose_entries(self, host: _Entry, others: Sequence[_Entry], pattern: Pattern, random: Random) -> list[_Entry]:
        """Choose mentions for a list that has one in its place; none where there are too few."""
        distinct = {entry.words: entry for entry in others if entry.words != host.words}
        size = len(pattern.connectors)
        if len(distinct) < size:
            return []
        chosen = [host, *random.sample(list(distinct.values()), size)]
        random.shuffle(chosen)
        return chosen

    def _cut_parts(self, host: _Entry, entries: Sequence[_Entry], start: int, end: int) -> list[Piece] | None:
        """Cut out of mentions what they do not share with one of them; nothing where that is no part of a list."""
        parts: dict[Words, Piece] = {}
        for entry in entries:
            shared = shared_ends(host.words, entry.words) if entry is not host else (host.words, host.words)
            first, last = (min(most, len(own)) for most, own in zip((start, end), shared, strict=True))
            rest = entry.words[first : len(entry.words) - last]
            if not rest or (start and self._is_foreign(rest[0])) or (end and self._is_foreign(rest[-1])):
                return None
            parts[rest] = entry.cut(first, len(entry.words) - last)
        return list(parts.values()) if len(parts) == len(entries) else None

    def _is_foreign(self, word: str) -> bool:
        """Whether a word is more at home outside of mentions."""
        return self._words[word] > (1 + _FOREIGN) * self._inside[word]


def _is_plain(mention: Mention) -> bool:
    """Whether a mention is a few words without gaps or punctuation."""
    words = mention.words
    if mention.is_discontinuous or mention.is_cutting_words or len(words) > _MOST_WORDS:
        return False
    return all(map(str.isalpha, words)) and mention.text == " ".join(words)


def _join(parts: Sequence[Piece], connectors: Sequence[Piece]) -> list[Piece]:
    """Put connectors between parts."""
    pieces = [parts[0]]
    for connector, part in zip(connectors, parts[1:], strict=True):
        pieces += (connector, part)
    return pieces


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
