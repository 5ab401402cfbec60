"""The paper's data tables for any corpus, and how much of it a scheme can express."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from disconer.document import Document, Mention
from disconer.schemes import GridScheme, Scheme
from disconer.scoring.breakdowns import BREAKDOWNS, discontinuous_bins
from disconer.scoring.counts import Counts, count_mentions


@dataclass
class Oracle:
    """What a perfect model behind a scheme would score."""

    all: Counts = field(default_factory=Counts)
    disc_mentions: Counts = field(default_factory=Counts)

    def add(self, gold: Iterable[Mention], predicted: Iterable[Mention]) -> None:
        gold, predicted = list(gold), list(predicted)
        self.all += count_mentions(gold, predicted)
        self.disc_mentions += count_mentions(gold, predicted, only_discontinuous=True)

    def as_json(self) -> dict[str, float]:
        return {"all": self.all.f1, "disc_mentions": self.disc_mentions.f1}


@dataclass
class Statistics:
    """Everything `disconer stats` tells of a corpus; documents are added one by one."""

    scheme: Scheme = field(default_factory=GridScheme)
    documents: int = 0
    sentences: int = 0
    words: int = 0
    mentions: int = 0
    discontinuous: int = 0
    breakdowns: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in BREAKDOWNS})
    fragments: Counter[int] = field(default_factory=Counter)
    """Mentions by their number of fragments."""
    labels: Counter[str] = field(default_factory=Counter)
    segment_lengths: Counter[int] = field(default_factory=Counter)
    """Fragments by their number of words, of the mentions that lie in a sentence and widened to words."""
    widened: int = 0
    """Mentions inside a sentence that do not begin and end where words do."""
    cross_sentence: int = 0
    """Mentions that lie in no single sentence."""
    oracle_cut: int = 0
    """Sentences too complicated to decode within the scheme's budget, which lower the ceiling more than is true."""
    oracle: Oracle = field(default_factory=Oracle)
    """Against gold as it is."""
    oracle_words: Oracle = field(default_factory=Oracle)
    """Against gold widened to words."""

    def add(self, document: Document) -> None:
        """Count a document."""
        self.documents += 1
        self.sentences += len(document.layout.sentences)
        self.words += len(document.layout.words)
        for mention in document.unique_mentions:
            self.mentions += 1
            self.discontinuous += mention.is_discontinuous
            self.fragments[len(mention.fragments)] += 1
            self.labels[mention.label] += 1
        for _, bins in discontinuous_bins(document):
            for name, bin_name in bins._asdict().items():
                self.breakdowns[name][bin_name] += 1
        self._add_scheme(document)

    @property
    def percent_discontinuous(self) -> float:
        return 100 * self.discontinuous / self.mentions if self.mentions else 0.0

    def segment_length(self, share: float) -> int:
        """Find the shortest length that this share of all fragments does not exceed; 0 when there are none."""
        rank = ceil(share * self.segment_lengths.total())
        for length, count in sorted(self.segment_lengths.items()):
            rank -= count
            if rank <= 0:
                return length
        return 0

    def as_json(self) -> dict[str, Any]:
        """Collect all figures under documented keys."""
        return {
            "documents": self.documents,
            "sentences": self.sentences,
            "words": self.words,
            "mentions": self.mentions,
            "discontinuous": self.discontinuous,
            "percent_discontinuous": self.percent_discontinuous,
            **{name: {key: self.breakdowns[name][key] for key in bins} for name, bins in BREAKDOWNS.items()},
            "fragments": {str(number): count for number, count in sorted(self.fragments.items())},
            "labels": dict(self.labels.most_common()),
            "segment_length": {
                "max": self.segment_length(1),
                "p99": self.segment_length(0.99),
                "p999": self.segment_length(0.999),
            },
            "widened": self.widened,
            "cross_sentence": self.cross_sentence,
            "oracle_cut": self.oracle_cut,
            "oracle": self.oracle.as_json(),
            "oracle_words": self.oracle_words.as_json(),
        }

    def _add_scheme(self, document: Document) -> None:
        crossing = document.cross_sentence
        self.cross_sentence += len(crossing)
        inside: list[Mention] = []
        expressed: list[Mention] = []
        for sentence in document.sentences:
            if sentence.mentions:
                inside += sentence.mentions
                word_mentions = [sentence.word_mention(mention) for mention in sentence.mentions]
                self.segment_lengths.update(last - first + 1 for _, parts in word_mentions for first, last in parts)
                decoding = self.scheme.oracle(word_mentions)
                self.oracle_cut += not decoding.complete
                expressed += (sentence.mention(found) for found in decoding.mentions)
        self.widened += sum(mention.is_cutting_words for mention in inside)
        self.oracle.add((*crossing, *inside), expressed)
        self.oracle_words.add((*crossing, *(mention.widened for mention in inside)), expressed)


def statistics(documents: Iterable[Document], scheme: Scheme | None = None) -> Statistics:
    """Count all that `disconer stats` tells of a corpus, and what a perfect model with the scheme would score."""
    counted = Statistics(scheme or GridScheme())
    for document in documents:
        counted.add(document)
    return counted
