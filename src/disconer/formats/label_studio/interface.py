"""The labelling interface of a Label Studio project: the texts that it shows, and what can be said of them.

    <View>
      <Relations><Relation value="fragment"/></Relations>
      <Labels name="label" toName="text"><Label value="Reaction" predicted_values="ADR,AE"/></Labels>
      <Text name="text" value="$note"/>
    </View>

Regions of a task's text `note` come from `label` and go to `text`. What a model calls ADR or AE is a Reaction here; a
label without `predicted_values` is what a model calls the same.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from disconer.exceptions import FormatError
from disconer.formats.xml_files import root_of

_PLAIN = (None, "none")
"""What an attribute may say of a text that is in the task as it is, and neither an address nor encoded."""


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


def texts_of(interface: str) -> list[Text]:
    """Give the texts of a labelling interface that have labels."""
    try:
        root = root_of(interface.encode(), "the labelling interface")
    except FormatError:  # which may repeat some of it
        raise FormatError("the labelling interface is not XML without entities of its own") from None
    choices: dict[str, dict[str, Choice]] = {}
    for labels in root.iter("Labels"):
        of_text = choices.setdefault(labels.get("toName", ""), {})
        for name, choice in _choices(labels):
            of_text.setdefault(name, choice)
    found = [_text(element, choices) for element in root.iter("Text") if _is_plain(element)]
    texts = [text for text in found if text.choices]
    if not texts:
        raise FormatError('the labelling interface needs Labels with a Label for a Text whose value is like "$text"')
    return texts


def _choices(labels: Element) -> Iterator[tuple[str, Choice]]:
    for label in labels.iter("Label"):
        called = label.get("alias") or label.get("value") or ""
        names = (called, label.get("value"), *label.get("predicted_values", "").split(","))
        choice = Choice(labels.get("name", ""), called)
        yield from ((name.strip(), choice) for name in names if name and name.strip())


def _is_plain(text: Element) -> bool:
    is_given = text.get("value", "").startswith("$")
    return is_given and text.get("encoding") in _PLAIN and text.get("valueType") in ("text", *_PLAIN)


def _text(element: Element, choices: Mapping[str, Mapping[str, Choice]]) -> Text:
    name = element.get("name", "")
    return Text(name, element.get("value", "")[1:], choices.get(name, {}))
