"""Strict scores: a predicted mention is right when its label and all its fragments equal a gold mention's."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from disconer.document import Document
from disconer.scoring.breakdowns import BREAKDOWNS, discontinuous_bins
from disconer.scoring.counts import Counts
from disconer.scoring.pairing import Pair

SCOPES = {
    "all": "all mentions",
    "disc_sentences": "sentences with a discontinuous mention",
    "disc_mentions": "discontinuous mentions only",
}
"""The three that every table of the field has, and what people call them."""


@dataclass(frozen=True)
class Scores:
    """Every score of a set of predictions."""

    all: Counts
    """Every mention."""
    disc_sentences: Counts
    """Every mention of the sentences whose gold has a discontinuous one."""
    disc_mentions: Counts
    """Discontinuous mentions only, false positives counted in every sentence."""
    labels: Mapping[str, Counts]
    breakdowns: Mapping[str, Mapping[str, Counts]]
    """Discontinuous mentions by overlap pattern, interval length and span length."""

    @property
    def macro(self) -> dict[str, float]:
        """The unweighted mean over gold's labels, and the counts of those labels."""
        of_gold = [counts for counts in self.labels.values() if counts.gold]
        macro = sum(of_gold, Counts()).as_json()
        for measure in ("precision", "recall", "f1"):
            macro[measure] = sum(getattr(counts, measure) for counts in of_gold) / max(len(of_gold), 1)
        return macro

    def as_json(self) -> dict[str, Any]:
        """Give everything under the keys that programs rely on."""
        return {
            "all": self.all.as_json(),
            "disc_sentences": self.disc_sentences.as_json(),
            "disc_mentions": self.disc_mentions.as_json(),
            "macro": self.macro,
            "labels": {label: counts.as_json() for label, counts in self.labels.items()},
            **{
                name: {bin_name: counts.as_json() for bin_name, counts in bins.items()}
                for name, bins in self.breakdowns.items()
            },
        }


def score(pairs: Iterable[Pair]) -> Scores:
    """Score predictions against gold, as `paired` puts them side by side."""
    tally: dict[tuple[str, ...], Counts] = defaultdict(Counts)
    for gold, predicted in pairs:
        for place, counts in _counts_of_document(gold, predicted).items():
            tally[place] += counts
    labels = sorted(place[1] for place in tally if place[0] == "labels")
    return Scores(
        tally["all",],
        tally["disc_sentences",],
        tally["disc_mentions",],
        {label: tally["labels", label] for label in labels},
        {name: {bin_name: tally[name, bin_name] for bin_name in bins} for name, bins in BREAKDOWNS.items()},
    )


def _counts_of_document(gold: Document, predicted: Document) -> dict[tuple[str, ...], Counts]:
    """Count each side's mentions at every place they belong to; a mention is correct where both sides have it."""
    scope = {mention.home_sentence_index for mention in gold if mention.is_discontinuous}
    gold_keys, predicted_keys = _keys_by_place(gold, scope), _keys_by_place(predicted, scope)
    return {
        place: Counts.of(gold_keys.get(place, set()), predicted_keys.get(place, set()))
        for place in gold_keys.keys() | predicted_keys.keys()
    }


def _keys_by_place(document: Document, scope: set[int]) -> dict[tuple[str, ...], set[object]]:
    places: dict[tuple[str, ...], set[object]] = defaultdict(set)
    for mention in document:
        places["all",].add(mention.key)
        places["labels", mention.label].add(mention.key)
        if scope and mention.home_sentence_index in scope:
            places["disc_sentences",].add(mention.key)
    for mention, bins in discontinuous_bins(document):
        places["disc_mentions",].add(mention.key)
        for name, bin_name in bins._asdict().items():
            places[name, bin_name].add(mention.key)
    return places
