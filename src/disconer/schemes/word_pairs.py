"""W2NER's labels: relations between two words, after Li et al. (2022).

The next neighbouring word (NNW) leads from each word of a mention to the one behind it; the tail-head word (THW) leads
from its last word back to its first, and says its label. A mention is a path of NNW from the head to the tail of a THW.
Every such path is one, so that mentions which share words may combine into more, as in the original. A pair of words
has one relation at the most: of mentions with the same head and tail and of different labels, those of one label stay.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush, nlargest
from itertools import count, pairwise
from typing import ClassVar, NamedTuple

from disconer.passage import WordMention
from disconer.schemes.masks import bits, runs, word_mask
from disconer.schemes.scheme import Decoding, Scheme

_ORACLE_BUDGET = 1_000_000
"""Steps for what is annotated, of which anybody may have written any number."""


class LabelledTail(NamedTuple):
    """What leads from the tail of mentions to their head: a label, and its probability."""

    label: str
    score: float


@dataclass(frozen=True)
class WordRelations:
    """The relations between words of a sentence, with their probabilities."""

    following: Mapping[tuple[int, int], float] = field(default_factory=dict)
    """NNW: a word of a mention, and the one behind it."""
    tails: Mapping[tuple[int, int], LabelledTail] = field(default_factory=dict)
    """THW: the last word of mentions, and their first."""


@dataclass(frozen=True)
class WordPairScheme(Scheme):
    """W2NER's encoding, and its decoding by paths from head to tail."""

    name: ClassVar[str] = "w2ner"
    mention_threshold: float = 0.0
    """A mention counts from this score on."""
    budget: int = 10_000
    """Steps of the search for paths, for a sentence."""
    most_relations: int = 2_000
    """Only this many of either relation, the most probable ones, are looked at."""

    def __post_init__(self) -> None:
        self._check_limits("budget", "most_relations")
        self._check_thresholds()

    def quick(self) -> "WordPairScheme":
        """Follow few relations, and not for long."""
        return replace(self, most_relations=min(self.most_relations, 500), budget=min(self.budget, 2_000))

    def encode(self, mentions: Iterable[WordMention]) -> WordRelations:
        """List the relations of mentions; of labels that want the same tail and head, the first in the alphabet."""
        following: dict[tuple[int, int], float] = {}
        tails: dict[tuple[int, int], LabelledTail] = {}
        for label, segments in sorted(mentions):
            words = list(bits(word_mask(segments)))
            if tails.setdefault((words[-1], words[0]), LabelledTail(label, 1.0)).label == label:
                following |= dict.fromkeys(pairwise(words), 1.0)
        return WordRelations(following, tails)

    def decode(self, labels: WordRelations) -> Decoding:
        """Walk from heads to tails; the most probable mentions are found first, whichever tail they have."""
        following = _keep_most_probable(labels.following, self.most_relations)
        tails = _keep_most_probable({pair: tail.score for pair, tail in labels.tails.items()}, self.most_relations)
        complete = len(following) == len(labels.following) and len(tails) == len(labels.tails)
        search = _PathSearch(following, tails, self.mention_threshold, self.budget)
        mentions: dict[WordMention, float] = {}
        for pair, words, score in search.paths():
            mentions[WordMention(labels.tails[pair].label, runs(words))] = score
        return Decoding(mentions, complete and not search.was_cut)

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Decode what a perfect model would predict."""
        patient = replace(self, most_relations=sys.maxsize, budget=max(self.budget, _ORACLE_BUDGET))
        return patient.decode(self.encode(mentions))


class _PathSearch:
    """The paths from heads to tails, within a budget in steps: what is followed, and what is looked at on the way."""

    def __init__(
        self,
        following: Mapping[tuple[int, int], float],
        tails: Mapping[tuple[int, int], float],
        lowest: float,
        budget: int,
    ) -> None:
        self.was_cut = False
        self._tails = tails
        self._lowest = lowest
        self._steps = budget
        self._behind: dict[int, dict[int, float]] = defaultdict(dict)
        self._before: dict[int, list[int]] = defaultdict(list)
        self._leading: dict[int, int] = {}
        for (word, other), score in sorted(following.items()):
            if word < other and score >= lowest:
                self._behind[word][other] = score
                self._before[other].append(word)

    def paths(self) -> Iterator[tuple[tuple[int, int], int, float]]:
        """Yield paths of a score from the lowest on, the best first: tail and head, the words as a bit mask, the score.

        A score is that of the least probable relation on the way. Whatever cannot lead to its tail is never followed.
        """
        numbers = count()  # of ways that are equally probable, the one that was found last goes on
        ways = [
            (-score, -next(numbers), head, 1 << head, (tail, head))
            for (tail, head), score in sorted(self._tails.items(), key=lambda item: item[0], reverse=True)
            if head <= tail and score >= self._lowest
        ]
        heapify(ways)
        while ways:
            if self._steps <= 0:
                self.was_cut = True
                return
            self._steps -= 1
            negative, _, word, words, pair = heappop(ways)
            if word == pair[0]:
                yield pair, words, -negative
                continue
            leading = self._leading_to(pair[0])
            for other, own in self._behind[word].items():
                if leading >> other & 1:
                    heappush(ways, (max(negative, -own), -next(numbers), other, words | 1 << other, pair))

    def _leading_to(self, tail: int) -> int:
        """The words from which a path leads to a tail, as a bit mask."""
        if tail not in self._leading:
            leading, pending = 1 << tail, [tail]
            while pending:
                self._steps -= 1
                for word in self._before[pending.pop()]:
                    if not leading >> word & 1:
                        leading |= 1 << word
                        pending.append(word)
            self._leading[tail] = leading
        return self._leading[tail]


def _keep_most_probable(scores: Mapping[tuple[int, int], float], most: int) -> Mapping[tuple[int, int], float]:
    """Of too many relations the most probable ones; of equals, those of the first words."""
    if len(scores) <= most:
        return scores
    return dict(nlargest(most, scores.items(), key=lambda item: (item[1], (-item[0][0], -item[0][1]))))
