"""BIOE: one tag a word, extended for mentions with gaps, after Tang et al. (2013) and Metke-Jimenez and Karimi (2016).

B and I mark continuous mentions. Of discontinuous ones, BH and IH mark words that belong to two or more of a label, BD
and ID those that belong to exactly one, and O is every other word. A word has one tag, so of mentions that compete for
a word, only the longest is encoded; and which parts belong together is guessed when decoding.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, islice, product
from typing import ClassVar, NamedTuple

from disconer.exceptions import InputError
from disconer.foundation.checks import as_choice
from disconer.passage import Segment, WordMention
from disconer.schemes.masks import runs, word_mask
from disconer.schemes.scheme import Decoding, Scheme, keep_best


class Joining(StrEnum):
    """Which mentions the D and H segments of a label are, where there are both."""

    EACH = "each"
    """Every D segment with each of the H segments: as many mentions as pairs."""
    ALL = "all"
    """Every D segment with all of the H segments."""


class SegmentKind(StrEnum):
    """What a run of words is; the second letter of its tags."""

    CONTINUOUS = ""
    ONE = "D"
    """A part of one discontinuous mention."""
    SHARED = "H"
    """A part of several."""


class WordTag(NamedTuple):
    """What a word that is not outside of all mentions is tagged with, and with which probability."""

    label: str
    is_first: bool
    """B, not I."""
    kind: SegmentKind
    score: float = 1.0

    @property
    def text(self) -> str:
        return f"{'B' if self.is_first else 'I'}{self.kind}-{self.label}"

    def may_follow(self, before: "WordTag | None") -> bool:
        """Whether this tag may stand behind another: I only goes on with what was begun."""
        return self.is_first or (before is not None and (self.label, self.kind) == (before.label, before.kind))


Tags = Mapping[int, WordTag]
"""The tags of a sentence; words that are not there are outside."""


class _Part(NamedTuple):
    """A segment that was read off tags."""

    segment: Segment
    score: float


@dataclass(frozen=True)
class BioeScheme(Scheme):
    """Encoding and decoding, with the choice that the originals leave open."""

    name: ClassVar[str] = "bioe"
    joining: Joining = Joining.EACH
    mention_threshold: float = 0.0
    """A mention counts from this score on."""
    budget: int = 10_000
    """Discontinuous mentions of a label at most: a confused model may find as many as it has pairs of segments."""

    def __post_init__(self) -> None:
        if type(self.budget) is not int or self.budget < 1:
            raise InputError("the budget must be a whole number from 1 on")
        object.__setattr__(self, "joining", as_choice(Joining, self.joining, "joining"))
        self._check_thresholds()

    def encode(self, mentions: Iterable[WordMention]) -> dict[int, WordTag]:
        """Tag the words of a sentence."""
        tags: dict[int, WordTag] = {}
        words_of: dict[str, list[int]] = defaultdict(list)
        for label, segments in choose_compatible(mentions):
            mask = word_mask(segments)
            if len(segments) == 1:
                tags |= _tag_words(label, mask, SegmentKind.CONTINUOUS)
            else:
                words_of[label].append(mask)
        for label, masks in words_of.items():
            shared = _find_shared(masks)
            tags |= _tag_words(label, shared, SegmentKind.SHARED)
            for mask in masks:
                tags |= _tag_words(label, mask & ~shared, SegmentKind.ONE)
        return tags

    def decode(self, labels: Tags) -> Decoding:
        """Put segments together; a mention found on two ways has the higher of its scores."""
        parts: dict[tuple[str, SegmentKind], list[_Part]] = defaultdict(list)
        for label, kind, part in _read_segments(labels):
            parts[label, kind].append(part)
        mentions: dict[WordMention, float] = {}
        complete = True
        for label in sorted({label for label, _ in parts}):
            continuous, ones, shared = (parts[label, kind] for kind in SegmentKind)
            possible = iter(self._groups(_best_first(ones), _best_first(shared)))
            groups = list(islice(possible, self.budget))
            complete &= next(possible, None) is None
            for group in (*([part] for part in continuous), *groups):
                segments = runs(word_mask(part.segment for part in group))
                keep_best(mentions, WordMention(label, segments), min(part.score for part in group))
        return Decoding(mentions, complete).with_min_score(self.mention_threshold)

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Decode what a perfect model would predict; the budget is for models that are confused."""
        return replace(self, budget=sys.maxsize).decode(self.encode(mentions))

    def _groups(self, ones: list[_Part], shared: list[_Part]) -> Iterable[list[_Part]]:
        """The parts of each discontinuous mention of a label."""
        if ones and shared:
            if self.joining is Joining.ALL:
                return ([one, *shared] for one in ones)
            return (list(pair) for pair in product(ones, shared))
        return [group for group in (ones, shared) if group]


def _best_first(parts: list[_Part]) -> list[_Part]:
    return sorted(parts, key=lambda part: -part.score)


def choose_compatible(mentions: Iterable[WordMention]) -> list[WordMention]:
    """Choose mentions that can be tagged together: the longest first, each if no longer one stands in its way.

    Only discontinuous mentions of one label can share words.
    """
    distinct = {WordMention(label, runs(word_mask(segments))) for label, segments in mentions}
    won: dict[WordMention, int] = {}
    for mention in sorted(distinct, key=lambda one: (-word_mask(one.segments).bit_count(), one.segments, one.label)):
        mask = word_mask(mention.segments)
        rivals = (other for other, words in won.items() if words & mask)
        if all(other.label == mention.label and _have_gaps(other, mention) for other in rivals):
            won[mention] = mask
    return list(won)


def _have_gaps(*mentions: WordMention) -> bool:
    return all(len(mention.segments) > 1 for mention in mentions)


def _find_shared(masks: list[int]) -> int:
    """The words that are in two or more of several sets."""
    seen = shared = 0
    for mask in masks:
        shared |= seen & mask
        seen |= mask
    return shared


def _tag_words(label: str, mask: int, kind: SegmentKind) -> dict[int, WordTag]:
    return {word: WordTag(label, word == first, kind) for first, last in runs(mask) for word in range(first, last + 1)}


def _read_segments(tags: Tags) -> Iterator[tuple[str, SegmentKind, _Part]]:
    """Read segments off tags; an I that continues nothing begins one."""
    numbered: list[tuple[int, int]] = []
    number = 0
    for word in sorted(tags):
        number += tags[word].is_first or not tags[word].may_follow(tags.get(word - 1))
        numbered.append((number, word))
    for _, members in groupby(numbered, key=lambda pair: pair[0]):
        words = [word for _, word in members]
        label, _, kind, _ = tags[words[0]]
        yield label, kind, _Part((words[0], words[-1]), min(tags[word].score for word in words))
