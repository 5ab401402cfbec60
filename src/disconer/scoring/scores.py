"""Strict scores: a predicted mention is right when its label and all its fragments equal a gold mention's."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from disconer.document import Document, Mention
from disconer.scoring.breakdowns import BREAKDOWNS, discontinuous_bins
from disconer.scoring.counts import Counts, count_mentions
from disconer.scoring.pairing import Pair
from disconer.tokenize import Layout

SCOPES = {
    "all": "all mentions",
    "disc_sentences": "sentences with a discontinuous mention",
    "disc_mentions": "discontinuous mentions only",
}
"""The three that every table of the field has, and what people call them."""
COLUMNS = ("P", "R", "F1", "gold", "predicted", "correct")
_BREAKDOWN_TITLES = {"overlap": "overlap", "interval": "interval length", "span": "span length"}


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
        """Everything under the keys that programs rely on."""
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

    def sections(self) -> dict[str, list[list[str]]]:
        """Rows for people, by what they are about: name, precision, recall and F1 in percent, and the counts."""
        values = self.as_json()
        scopes = {title: values[key] for key, title in (SCOPES | {"macro": "mean over labels"}).items()}
        groups = {"scope": scopes, "label": values["labels"]}
        groups |= {f"discontinuous, by {title}": values[key] for key, title in _BREAKDOWN_TITLES.items()}
        return {title: [_row(name, own) for name, own in group.items()] for title, group in groups.items()}

    def __str__(self) -> str:
        rows = self.sections()["scope"]
        width = max(len(name) for name, *_ in rows)
        return "\n".join(f"{name:{width}}  P {p:>5}  R {r:>5}  F1 {f1:>5}" for name, p, r, f1, *_ in rows)

    def _repr_html_(self) -> str:
        """A table, in a notebook."""
        sections = ((title, rows) for title, rows in self.sections().items() if rows)
        lines = (
            line
            for title, rows in sections
            for line in (_html_row("th", title, COLUMNS), *(_html_row("td", name, cells) for name, *cells in rows))
        )
        return f"<table>{''.join(lines)}</table>"


def _row(name: str, values: dict[str, float]) -> list[str]:
    """A row; fractions of nothing are dashes."""
    of_something = {"precision": values["predicted"], "recall": values["gold"]}
    of_something["f1"] = values["predicted"] + values["gold"]
    fractions = [f"{100 * values[key]:.1f}" if counted else "–" for key, counted in of_something.items()]
    return [name, *fractions, *(f"{values[key]:,.0f}" for key in ("gold", "predicted", "correct"))]


def _html_row(cell: str, name: str, values: Iterable[str]) -> str:
    others = "".join(f"<{cell}>{value}</{cell}>" for value in values)
    return f'<tr><{cell} style="text-align: left">{escape(name)}</{cell}>{others}</tr>'


def score_pairs(pairs: Iterable[Pair]) -> Scores:
    """Score predictions against gold, as `pair_documents` puts them side by side."""
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


def sentence_counts(pairs: Iterable[Pair]) -> dict[str, list[Counts]]:
    """Count every sentence in each scope, for tests of significance; the counts add up to the scores."""
    counts: dict[str, list[Counts]] = {scope: [] for scope in SCOPES}
    for gold, predicted in pairs:
        of_gold, of_predicted = _by_sentence(gold), _by_sentence(predicted)
        for index in _sentence_indices(gold.layout):
            own, found = of_gold.get(index, []), of_predicted.get(index, [])
            everything = count_mentions(own, found)
            with_gaps = count_mentions(own, found, only_discontinuous=True)
            counts["all"].append(everything)
            counts["disc_sentences"].append(everything if with_gaps.gold else Counts())
            counts["disc_mentions"].append(with_gaps)
    return counts


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


def _sentence_indices(layout: Layout) -> range:
    """Number the sentences, with -1 for text before the first: a matter of the text alone."""
    has_more = layout.sentences[0][0] > 0 if layout.sentences else bool(layout.text)
    return range(-1 if has_more else 0, len(layout.sentences))


def _by_sentence(document: Document) -> dict[int, list[Mention]]:
    mentions: dict[int, list[Mention]] = defaultdict(list)
    for mention in document:
        mentions[mention.home_sentence_index].append(mention)
    return mentions
