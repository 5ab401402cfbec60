"""Strict scores for `nlp.evaluate`: a mention is right when its label and all its fragments are."""

from collections.abc import Iterable
from typing import Any

from spacy.tokens import Doc
from spacy.training import Example

from disconer.document import Document
from disconer.formats.spacy.docs import mentions_in
from disconer.formats.spacy.tokens import layout_of
from disconer.scoring import Counts, Scores, paired, score

NAMES = {"f": 1.0, "p": 0.0, "r": 0.0, "disc_f": 0.0, "disc_p": 0.0, "disc_r": 0.0, "per_type": None}
"""What is measured, of all mentions and of discontinuous ones, and what it weighs when spaCy sums scores up."""


def scores_of(examples: Iterable[Example], key: str) -> dict[str, Any]:
    """Score the group of spans of that key in the examples whose reference has it; None where none has."""
    annotated = [example for example in examples if key in example.reference.spans]
    if not annotated:
        return {f"{key}_{name}": None for name in NAMES}
    gold = [_document(example.reference, key) for example in annotated]
    predicted = [_document(example.predicted, key) for example in annotated]
    return {f"{key}_{name}": value for name, value in _named(score(paired(gold, predicted))).items()}


def _document(doc: Doc, key: str) -> Document:
    return Document(layout_of(doc), mentions_in(doc, [key]))


def _named(scores: Scores) -> dict[str, Any]:
    per_type = {label: _measures(counts) for label, counts in scores.labels.items()}
    return {**_measures(scores.all), **_measures(scores.disc_mentions, "disc_"), "per_type": per_type}


def _measures(counts: Counts, prefix: str = "") -> dict[str, float]:
    """Give the three numbers under the names that spaCy has for them."""
    return {f"{prefix}p": counts.precision, f"{prefix}r": counts.recall, f"{prefix}f": counts.f1}
