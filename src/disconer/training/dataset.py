"""Annotated documents as training examples, and a count of what cannot be learned from them."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from random import Random
from typing import Any

from disconer.document import Document, Mention, Sentence
from disconer.encoders.batch import group_by_cost
from disconer.passage import WordMention
from disconer.scoring.statistics import Statistics
from disconer.training.config import BatchUnit

_BUCKET = 50
"""Batches that are drawn together and then sorted by length: enough for little padding, few enough to stay mixed."""


@dataclass(frozen=True)
class Dataset:
    """Documents and their sentences; those without a word are left aside."""

    documents: list[Document]
    sentences: list[Sentence]
    owners: list[int]
    """The number of each sentence's document."""

    @classmethod
    def from_documents(cls, documents: Iterable[Document]) -> "Dataset":
        documents = list(documents)
        pairs = [(number, sentence) for number, document in enumerate(documents) for sentence in document.sentences]
        worded = [(number, sentence) for number, sentence in pairs if sentence.word_spans]
        return cls(documents, [sentence for _, sentence in worded], [number for number, _ in worded])

    @cached_property
    def fingerprint(self) -> str:
        """Tells this data from other data: a hash of the sentences and their mentions."""
        digest = hashlib.sha256()
        for sentence in self.sentences:
            digest.update(repr((sentence.text, sentence.word_spans, [m.key for m in sentence.mentions])).encode())
        return digest.hexdigest()

    def word_mentions(self) -> list[list[WordMention]]:
        """The mentions of every sentence, widened to words."""
        return [[sentence.word_mention(mention) for mention in sentence.mentions] for sentence in self.sentences]

    def with_mentions(self, found: Sequence[Iterable[WordMention]]) -> list[Document]:
        """The documents with other mentions, listed by sentence."""
        mentions: list[list[Mention]] = [[] for _ in self.documents]
        for owner, sentence, of_sentence in zip(self.owners, self.sentences, found, strict=True):
            mentions[owner] += (sentence.mention(mention) for mention in of_sentence)
        return [document.with_mentions(own) for document, own in zip(self.documents, mentions, strict=True)]


def describe_unlearnable(statistics: Statistics, longest_segment: int | None) -> list[str]:
    """Say, a line each, what of the training data the model will not see as it was annotated."""
    lengths = statistics.segment_lengths.items()
    too_long = sum(count for length, count in lengths if longest_segment is not None and length > longest_segment)
    expressed = statistics.oracle_words.all
    counts = {
        "mentions that cut words, widened to whole ones": statistics.widened,
        "mentions across the end of a sentence, left out": statistics.cross_sentence,
        f"fragments of more than {longest_segment} words, the model's limit, left out": too_long,
        "mentions that the scheme cannot express": expressed.gold - expressed.correct - statistics.cross_sentence,
        "mentions that nobody annotated but the scheme adds": expressed.predicted - expressed.correct,
    }
    return [f"{what} ({count:,})" for what, count in counts.items() if count]


@dataclass(frozen=True)
class Examples:
    """The sentences of a training set as a model sees them."""

    subwords: Sequence[Sequence[Sequence[int]]]
    """By sentence and word."""
    targets: Sequence[Any]
    """What the model should predict, as its `loss` takes it."""
    is_rare: Sequence[bool]
    """Whether the sentence is shown several times, as those with a discontinuous mention are."""

    def __add__(self, other: "Examples") -> "Examples":
        return Examples(
            [*self.subwords, *other.subwords], [*self.targets, *other.targets], [*self.is_rare, *other.is_rare]
        )

    def draw_batches(self, repeats: int, size: int, unit: BatchUnit, random: Random) -> list[list[int]]:
        """Shuffle all sentences, rare ones several times, into batches of similar length, given as indices."""
        order = [index for index, rare in enumerate(self.is_rare) for _ in range(repeats if rare else 1)]
        random.shuffle(order)
        costs = self._lengths if unit is BatchUnit.WORDS else [1] * len(self._lengths)
        budget = ceil(size * sum(costs[index] for index in order) / max(len(order), 1))
        drawn: list[list[int]] = []
        for start in range(0, len(order), size * _BUCKET):
            bucket = sorted(order[start : start + size * _BUCKET], key=self._lengths.__getitem__)
            groups = group_by_cost([costs[index] for index in bucket], budget)
            drawn += ([bucket[place] for place in group] for group in groups)
        random.shuffle(drawn)
        return drawn

    def count_batches(self, repeats: int, size: int) -> int:
        """About how many batches would be drawn."""
        return ceil((len(self.is_rare) + (repeats - 1) * sum(self.is_rare)) / size)

    @cached_property
    def _lengths(self) -> list[int]:
        return [sum(map(len, words)) for words in self.subwords]
