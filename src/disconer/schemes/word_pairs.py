"""W2NER's labels: relations between two words, after Li et al. (2022).

The next neighbouring word (NNW) leads from each word of a mention to the one behind it; the tail-head word (THW) leads
from its last word back to its first, and says its label. A mention is a path of NNW from the head to the tail of a THW.
Every such path is one, so that mentions which share words may combine into more, as in the original. A pair of words
has one relation at the most: of mentions with the same head and tail and of different labels, all but one are lost.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush, nlargest
from itertools import count, pairwise
from typing import ClassVar, NamedTuple

from disconer.exceptions import InputError
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
        if not all(type(limit) is int and limit >= 1 for limit in (self.budget, self.most_relations)):
            raise InputError("the budget and the number of relations must be whole numbers from 1 on")
        self._check_thresholds()

    def quick(self) -> "WordPairScheme":
        """Follow few relations, and not for long."""
        return replace(self, most_relations=500, budget=2_000)

    def encode(self, mentions: Iterable[WordMention]) -> WordRelations:
        """List the relations of mentions; of labels that want the same pair of words, the first in the alphabet."""
        following: dict[tuple[int, int], float] = {}
        tails: dict[tuple[int, int], LabelledTail] = {}
        for label, segments in sorted(mentions):
            words = list(bits(word_mask(segments)))
            following |= dict.fromkeys(pairwise(words), 1.0)
            tails.setdefault((words[-1], words[0]), LabelledTail(label, 1.0))
        return WordRelations(following, tails)

    def decode(self, labels: WordRelations) -> Decoding:
        """Walk from heads to tails, from those of the most probable tails on."""
        following = _keep_most_probable(labels.following, self.most_relations)
        tails = _keep_most_probable({pair: tail.score for pair, tail in labels.tails.items()}, self.most_relations)
        complete = len(following) == len(labels.following) and len(tails) == len(labels.tails)
        graph = _WordGraph(following)
        mentions: dict[WordMention, float] = {}
        steps = self.budget
        for (tail, head), score in sorted(tails.items(), key=lambda item: (-item[1], item[0])):
            if score < self.mention_threshold:
                continue
            for found in graph.paths(head, tail, score, self.mention_threshold):
                if steps <= 0:
                    return Decoding(mentions, complete=False)
                steps -= 1
                if found is not None:
                    mentions[WordMention(labels.tails[tail, head].label, runs(found.words))] = found.score
        return Decoding(mentions, complete)

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Decode what a perfect model would predict."""
        patient = replace(self, most_relations=sys.maxsize, budget=max(self.budget, _ORACLE_BUDGET))
        return patient.decode(self.encode(mentions))


class _Path(NamedTuple):
    """A path that has come to its tail: its words as a bit mask, and the lowest probability on the way."""

    words: int
    score: float


class _WordGraph:
    """Words, and those that may be the next of the same mention."""

    def __init__(self, following: Mapping[tuple[int, int], float]) -> None:
        self._behind: dict[int, dict[int, float]] = defaultdict(dict)
        self._before: dict[int, list[int]] = defaultdict(list)
        for (word, other), score in sorted(following.items()):
            if word < other:
                self._behind[word][other] = score
                self._before[other].append(word)

    def paths(self, head: int, tail: int, score: float, lowest: float) -> Iterator[_Path | None]:
        """Find all paths from head to tail of a score from the lowest on, the best first: a step of the search each.

        A step that only leads on gives None. Whatever cannot lead to the tail is never tried.
        """
        if head > tail:
            return
        leading = self._leading_to(tail, head)
        numbers = count()  # of ways that are equally probable, the one that was found last goes on
        ways = [(-score, 0, head, 1 << head)]
        while ways:
            negative, _, word, words = heappop(ways)
            if word == tail:
                yield _Path(words, -negative)
                continue
            for other, own in self._behind[word].items() if leading >> word & 1 else ():
                if own >= lowest and (leading >> other & 1):
                    heappush(ways, (max(negative, -own), -next(numbers), other, words | 1 << other))
            yield None

    def _leading_to(self, tail: int, head: int) -> int:
        """The words from which a path leads to a tail, as a bit mask, none before the head."""
        leading, pending = 1 << tail, [tail]
        while pending:
            for word in self._before[pending.pop()]:
                if word >= head and not leading >> word & 1:
                    leading |= 1 << word
                    pending.append(word)
        return leading


def _keep_most_probable(scores: Mapping[tuple[int, int], float], most: int) -> Mapping[tuple[int, int], float]:
    """Of too many relations the most probable ones; of equals, those of the first words."""
    if len(scores) <= most:
        return scores
    return dict(nlargest(most, scores.items(), key=lambda item: (item[1], (-item[0][0], -item[0][1]))))
