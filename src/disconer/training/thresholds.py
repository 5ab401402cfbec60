"""The search, on dev, for the settings of a scheme that find the most."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

from disconer.document import Sentence, WordMention
from disconer.models.model import Choices
from disconer.scoring.counts import Counts
from disconer.training.examples import Corpus


def best_scheme(scheme: Any, choices: Choices, outputs: Sequence[Any], dev: Corpus) -> Any:
    """Give the scheme whose decoding of a model's outputs has the best F1 on dev.

    One group of fields after the other takes its best values, all combinations tried and the rest as they are, until no
    group gets better. Of two that are equally good, the one that finds discontinuous mentions better; then the first.
    """
    gold = [_reachable(sentence) for sentence in dev.sentences]
    total = sum(len(document.unique_mentions) for document in dev.documents)

    @cache
    def merit(candidate: Any) -> tuple[float, float]:
        return _merit(candidate, outputs, gold, total)

    improved = True
    while improved:
        improved = False
        for group in choices:
            combinations = (dict(zip(group, values, strict=True)) for values in product(*group.values()))
            best = max((scheme, *(replace(scheme, **combination) for combination in combinations)), key=merit)
            improved |= best != scheme
            scheme = best
    return scheme


def _reachable(sentence: Sentence) -> set[WordMention]:
    """Give the mentions that whole words can make."""
    return {sentence.word_mention(mention) for mention in sentence.mentions if not mention.is_cutting_words}


def _merit(scheme: Any, outputs: Sequence[Any], gold: Sequence[set[WordMention]], total: int) -> tuple[float, float]:
    everything, discontinuous = Counts(), Counts()
    for output, expected in zip(outputs, gold, strict=True):
        found = scheme.decode(output).mentions.keys()
        everything += Counts.of(expected, found)
        discontinuous += Counts.of(_with_gaps(expected), _with_gaps(found))
    return Counts(total, everything.predicted, everything.correct).f1, discontinuous.f1


def _with_gaps(mentions: Iterable[WordMention]) -> set[WordMention]:
    return {mention for mention in mentions if len(mention.segments) > 1}
