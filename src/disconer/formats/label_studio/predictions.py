"""What a model finds, as the predictions of Label Studio's tasks, in the words of the project's labelling interface.

    <View>
      <Relations><Relation value="fragment"/></Relations>
      <Labels name="label" toName="text"><Label value="Reaction" predicted_values="ADR,AE"/></Labels>
      <Text name="text" value="$note"/>
    </View>

Regions of a task's text `note` come from `label` and go to `text`. What a model calls ADR or AE is a Reaction here; a
label without `predicted_values` is what a model calls the same.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from statistics import fmean
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from disconer.document import Document, Fragment, Mention
from disconer.exceptions import FormatError
from disconer.formats.label_studio.regions import KEPT, OUR_PREFIX, read_mentions, to_results
from disconer.formats.losses import Losses
from disconer.formats.xml_files import parse_root

_DIGITS = 4
"""Of a score."""
_MOST_IDENTIFIERS = 10**12
"""From which the first of a prediction is drawn."""
_PLAIN = (None, "none")
"""What an attribute may say of a text that is in the task as it is, and neither an address nor encoded."""


@dataclass(frozen=True)
class Prediction:
    """The regions of a task that a model suggests, and those mentions that have no label in the interface."""

    results: list[dict[str, Any]]
    score: float | None
    """How sure the model is of its mentions on average; None where there are none."""
    left_out: tuple[Mention, ...]


class Choice(NamedTuple):
    """A label that people may give: the tag it belongs to, and what that calls it."""

    tag: str
    label: str


class Text(NamedTuple):
    """A text that regions can be marked in."""

    name: str
    """Of its tag."""
    key: str
    """Where it is in the data of a task."""
    choices: Mapping[str, Choice]
    """Its labels, by each name that a model may have for them."""


def make_prediction(texts: Sequence[tuple[Text, Document]], marked: Sequence[Any] | None = None) -> Prediction:
    """Make a prediction of what was found in the texts of a task.

    With the regions that are marked there already, the newest last, only of what that one may be a part of.
    """
    found = [(text, mention) for text, document in texts for mention in _select_mentions(text, document, marked)]
    # People may have taken over regions of another prediction, and Label Studio fails where two have the same id.
    numbers = count(secrets.randbelow(_MOST_IDENTIFIERS))
    named = {
        _identity_of(text, mention): _rename(text, mention, numbers)
        for text, mention in found
        if mention.label in text.choices
    }
    scores = [mention.score for mention in named.values() if mention.score is not None]
    return Prediction(
        to_results(list(named.values()), (), Losses()),
        round(fmean(scores), _DIGITS) if scores else None,
        tuple(mention for text, mention in found if mention.label not in text.choices),
    )


def _select_mentions(text: Text, document: Document, marked: Sequence[Any] | None) -> list[Mention]:
    """Select the mentions of a text: all or, where people ask as they go, those that touch what they marked last."""
    if marked is None:
        return list(document)
    newest = [result for result in marked[-1:] if result.get("to_name") == text.name and not _is_ours(result)]
    spans = {fragment for mention in read_mentions(newest, document.layout)[0] for fragment in mention.fragments}
    taken = _collect_taken(text, document, marked)
    return [
        mention
        for mention in document
        if _is_touching(mention, spans) and not taken.issuperset(_list_parts(text, mention))
    ]


def _is_ours(result: dict[str, Any]) -> bool:
    return str(result.get("id")).startswith(OUR_PREFIX)


def _collect_taken(text: Text, document: Document, marked: Sequence[Any]) -> set[tuple[str, Fragment]]:
    """Collect the parts of mentions that were suggested before and are still there."""
    ours = [result for result in marked if result.get("to_name") == text.name and _is_ours(result)]
    return {
        (mention.label, fragment)
        for mention in read_mentions(ours, document.layout)[0]
        for fragment in mention.fragments
    }  # fmt: skip


def _list_parts(text: Text, mention: Mention) -> set[tuple[str, Fragment]]:
    choice = text.choices.get(mention.label)
    return {(choice.label if choice else mention.label, fragment) for fragment in mention.fragments}


def _is_touching(mention: Mention, spans: Iterable[Fragment]) -> bool:
    return any(own.start < other.end and other.start < own.end for own in mention.fragments for other in spans)


def _identity_of(text: Text, mention: Mention) -> object:
    """What tells mentions apart: two labels of a model may be one in the interface."""
    return text.name, text.choices[mention.label], mention.fragments


def _rename(text: Text, mention: Mention, numbers: Iterator[int]) -> Mention:
    """Rename a mention to its label in the interface; its regions get ids and the names of the tags."""
    tag, label = text.choices[mention.label]
    names = {"from_name": tag, "to_name": text.name}
    parts = [{"id": f"{OUR_PREFIX}{number}", **names} for _, number in zip(mention.fragments, numbers, strict=False)]
    return Mention(label, mention.fragments, mention.layout, mention.score, {KEPT: parts})


def read_interface(interface: str) -> list[Text]:
    """Read the texts of a labelling interface that have labels."""
    try:
        root = parse_root(interface.encode(), "the labelling interface")
    except FormatError:  # which may repeat some of it
        raise FormatError("the labelling interface is not XML without entities of its own") from None
    choices: dict[str, dict[str, Choice]] = {}
    for labels in root.iter("Labels"):
        of_text = choices.setdefault(labels.get("toName", ""), {})
        for name, choice in _read_choices(labels):
            of_text.setdefault(name, choice)
    found = [_read_text(element, choices) for element in root.iter("Text") if _is_plain(element)]
    texts = [text for text in found if text.choices]
    if not texts:
        raise FormatError('the labelling interface needs Labels with a Label for a Text whose value is like "$text"')
    return texts


def _read_choices(labels: Element) -> Iterator[tuple[str, Choice]]:
    for label in labels.iter("Label"):
        called = label.get("alias") or label.get("value") or ""
        names = (called, label.get("value"), *label.get("predicted_values", "").split(","))
        choice = Choice(labels.get("name", ""), called)
        yield from ((name.strip(), choice) for name in names if name and name.strip())


def _is_plain(text: Element) -> bool:
    is_given = text.get("value", "").startswith("$")
    return is_given and text.get("encoding") in _PLAIN and text.get("valueType") in ("text", *_PLAIN)


def _read_text(element: Element, choices: Mapping[str, Mapping[str, Choice]]) -> Text:
    name = element.get("name", "")
    return Text(name, element.get("value", "")[1:], choices.get(name, {}))
