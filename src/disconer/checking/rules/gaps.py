"""Mentions whose gap looks like an accident."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from disconer.checking.corpus import Corpus
from disconer.checking.finding import Problem
from disconer.document import Mention
from disconer.exceptions import shown
from disconer.spans import Span

WIDE = 8
"""A gap of so many words, punctuation included, asks for an explanation."""

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def empty_gaps(corpus: Corpus) -> Iterator[Problem]:
    """Find gaps that hold neither letter nor digit nor bracket: nothing that a mention would leave out."""
    for entry, mention in corpus.mentions():
        for start, end in _gaps(mention):
            gap = mention.layout.text[start:end].strip()
            if not any(character.isalnum() or character in _OPENING + _CLOSING for character in gap):
                yield Problem.of_mention(entry, mention, f"has a gap of nothing but {shown(gap)}")


def wide_gaps(corpus: Corpus) -> Iterator[Problem]:
    """Find wide gaps that neither a coordination nor brackets explain."""
    for entry in corpus.entries:
        mentions = entry.document.unique_mentions
        if not any(mention.is_discontinuous for mention in mentions):
            continue
        covered = Counter((mention.label, index) for mention in mentions for index in mention.word_indices)
        for mention in mentions:
            width = max(map(len, _unexplained_gaps(mention)), default=0)
            # In a coordination, mentions share the words that their parts are joined to.
            if width >= WIDE and all(covered[mention.label, index] == 1 for index in mention.word_indices):
                yield Problem.of_mention(entry, mention, f"has a gap of {width} words")


def _gaps(mention: Mention) -> Iterator[Span]:
    return ((one.end, other.start) for one, other in pairwise(mention.fragments))


def _unexplained_gaps(mention: Mention) -> Iterator[range]:
    """Give the words of each gap that is no remark in brackets."""
    for start, end in _gaps(mention):
        gap = mention.layout.text[start:end].strip()
        if not (gap.startswith(_OPENING) and gap.endswith(_CLOSING)):
            yield mention.layout.words_between(start, end)
