"""What a model finds, as the predictions of Label Studio's tasks, in the words of the project's labelling interface."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from statistics import fmean
from typing import Any

from disconer.document import Document, Fragment, Mention
from disconer.formats.label_studio.interface import Text
from disconer.formats.label_studio.regions import KEPT, OUR_PREFIX, mentions_of, results_of
from disconer.formats.losses import Losses

_DIGITS = 4
"""Of a score."""
_MOST_IDENTIFIERS = 10**12
"""From which the first of a prediction is drawn."""


@dataclass(frozen=True)
class Prediction:
    """The regions of a task that a model suggests, and those mentions that have no label in the interface."""

    results: list[dict[str, Any]]
    score: float | None
    """How sure the model is of its mentions on average; None where there are none."""
    left_out: tuple[Mention, ...]


def prediction(texts: Sequence[tuple[Text, Document]], marked: Sequence[Any] | None = None) -> Prediction:
    """Make a prediction of what was found in the texts of a task.

    With the regions that are marked there already, the newest last, only of what that one may be a part of.
    """
    found = [(text, mention) for text, document in texts for mention in _wanted(text, document, marked)]
    # People may have taken over regions of another prediction, and Label Studio fails where two bear the same id.
    numbers = count(secrets.randbelow(_MOST_IDENTIFIERS))
    named = {
        _key(text, mention): _named(text, mention, numbers) for text, mention in found if mention.label in text.choices
    }
    scores = [mention.score for mention in named.values() if mention.score is not None]
    return Prediction(
        results_of(list(named.values()), (), Losses()),
        round(fmean(scores), _DIGITS) if scores else None,
        tuple(mention for text, mention in found if mention.label not in text.choices),
    )


def _wanted(text: Text, document: Document, marked: Sequence[Any] | None) -> list[Mention]:
    """Give the mentions of a text: all or, where people ask as they go, those that touch what they marked last."""
    if marked is None:
        return list(document)
    newest = [result for result in marked[-1:] if result.get("to_name") == text.name and not _is_ours(result)]
    spans = {fragment for mention in mentions_of(newest, document.layout)[0] for fragment in mention.fragments}
    taken = _taken(text, document, marked)
    return [mention for mention in document if _touches(mention, spans) and not taken.issuperset(_parts(text, mention))]


def _is_ours(result: dict[str, Any]) -> bool:
    return str(result.get("id")).startswith(OUR_PREFIX)


def _taken(text: Text, document: Document, marked: Sequence[Any]) -> set[tuple[str, Fragment]]:
    """Give the parts of mentions that were suggested before and are still there."""
    ours = [result for result in marked if result.get("to_name") == text.name and _is_ours(result)]
    return {
        (mention.label, fragment)
        for mention in mentions_of(ours, document.layout)[0]
        for fragment in mention.fragments
    }  # fmt: skip


def _parts(text: Text, mention: Mention) -> set[tuple[str, Fragment]]:
    choice = text.choices.get(mention.label)
    return {(choice.label if choice else mention.label, fragment) for fragment in mention.fragments}


def _touches(mention: Mention, spans: Iterable[Fragment]) -> bool:
    return any(own.start < other.end and other.start < own.end for own in mention.fragments for other in spans)


def _key(text: Text, mention: Mention) -> object:
    """Give what tells mentions apart: two labels of a model may be one in the interface."""
    return text.name, text.choices[mention.label], mention.fragments


def _named(text: Text, mention: Mention, numbers: Iterator[int]) -> Mention:
    """Give a mention the label of the interface, and its regions ids and the names of the tags."""
    tag, label = text.choices[mention.label]
    names = {"from_name": tag, "to_name": text.name}
    parts = [{"id": f"{OUR_PREFIX}{number}", **names} for _, number in zip(mention.fragments, numbers, strict=False)]
    return Mention(label, mention.fragments, mention.layout, mention.score, {KEPT: parts})
