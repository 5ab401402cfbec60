"""Tuning on dev: the thresholds and other settings of a scheme with the best F1."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import inf
from typing import Any

from disconer.document import Sentence
from disconer.models.model import SearchSpace
from disconer.passage import WordMention
from disconer.scoring.counts import Counts, mixed_f1
from disconer.training.dataset import Dataset

_MOST_SEGMENTS = 10
"""Segments for every mention of dev: where a model finds more, its thresholds are hopeless and not worth decoding."""

_MOST_FOUND = 2
"""Mentions for every mention of dev: a weak model's best F1 may lie where it finds many more, nearly all wrong."""

_MIDDLE, _PULL = 0.5, 0.005
"""A threshold of 0.1 must be worth 0.2 points of the score more than one of 0.5."""


def choose_thresholds(
    scheme: Any, search_space: SearchSpace, outputs: Sequence[Any], dev: Dataset, gap_share: float = 0
) -> Any:
    """Choose the scheme whose decoding of a model's outputs has the best F1 on dev.

    F1 over discontinuous mentions has a share in it, `gap_share`. One group of fields after the other takes its best
    values, all combinations tried and the rest as they are, until no group gets better. What dev says of a mention or
    two is luck, so that a threshold far from the middle must be worth it. Of two that are equally good, the one that
    finds discontinuous mentions better; then the first.
    """
    gold = [_reachable(sentence) for sentence in dev.sentences]
    total = sum(len(document.unique_mentions) for document in dev.documents)
    most_cells = _MOST_SEGMENTS * (total + len(outputs))

    @cache
    def dev_f1(candidate: Any) -> tuple[float, float]:
        if sum(candidate.count(output) for output in outputs) > most_cells:
            return -inf, 0.0
        everything, discontinuous = Counts(), Counts()
        for sentence, output, expected in zip(dev.sentences, outputs, gold, strict=True):
            found = {_as_scored(mention, sentence) for mention in candidate.decode(output).mentions}
            everything += Counts.of(expected, found)
            discontinuous += Counts.of(_with_gaps(expected), _with_gaps(found))
        if everything.predicted > _MOST_FOUND * total:
            return -inf, 0.0
        everything = replace(everything, gold=total)
        distance = sum(abs(threshold - _MIDDLE) for threshold in candidate.thresholds.values())
        return mixed_f1(everything, discontinuous, gap_share) - _PULL * distance, discontinuous.f1

    improved = True
    while improved:
        improved = False
        for group in search_space:
            combinations = (dict(zip(group, values, strict=True)) for values in product(*group.values()))
            best = max((scheme, *(replace(scheme, **combination) for combination in combinations)), key=dev_f1)
            improved |= best != scheme
            scheme = best
    return scheme


def _reachable(sentence: Sentence) -> set[WordMention]:
    """The mentions that whole words can make."""
    return {sentence.word_mention(mention) for mention in sentence.mentions if not mention.is_cutting_words}


def _as_scored(found: WordMention, sentence: Sentence) -> WordMention:
    """See a mention as it will be scored, where parts with only white space between them are one."""
    return found if len(found.segments) == 1 else sentence.word_mention(sentence.mention(found))


def _with_gaps(mentions: Iterable[WordMention]) -> set[WordMention]:
    return {mention for mention in mentions if len(mention.segments) > 1}
