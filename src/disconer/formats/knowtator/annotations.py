"""The annotations in Knowtator's XML, of its first version, which eHOST writes too, and of its second.

    <annotations textSource="d1.txt">                           <knowtator-project>
      <annotation>                                                <document id="d1" text-file="d1.txt">
        <mention id="i1" />                                         <annotation annotator="me" id="i1">
        <annotator id="a1">me</annotator>                             <class id="ADR" label="reaction"/>
        <span start="0" end="6" />                                    <span start="0" end="6">Severe</span>
        <span start="17" end="30" />                                  <span start="17" end="30">shoulder pain</span>
        <spannedText>Severe ... shoulder pain</spannedText>         </annotation>
      </annotation>                                               </document>
      <classMention id="i1">                                    </knowtator-project>
        <mentionClass id="ADR">reaction</mentionClass>
        <hasSlotMention id="s1" />
      </classMention>
      <stringSlotMention id="s1">
        <mentionSlot id="CUI" />
        <stringSlotMentionValue value="C0030193" />
      </stringSlotMention>
    </annotations>

What an annotation says beside its class and its place becomes its details: `annotator` and `annotator_id`,
`class_name`, `comment`, `created`, and `slots`, each with a `name`, a `kind` (string, integer, boolean, float, or
complex, whose values are ids of other annotations) and `values`. The triples of the second version are complex slots
of their subjects.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from disconer.exceptions import FormatError, shown
from disconer.formats.surface import is_same
from disconer.formats.xml_files import root_of, text_of
from disconer.spans import Span

BETWEEN_FRAGMENTS = " ... "
"""What separates the fragments in the text that annotations of the first version repeat."""
COMPLEX = "complex"
"""The kind of slots whose values are ids of annotations."""
KINDS = ("string", "integer", "boolean", "float", COMPLEX)
FIRST, PROJECT = ROOTS = ("annotations", "knowtator-project")
"""The outermost elements of the two versions."""
_OFFSET = re.compile(r"\s*[0-9]{1,18}\s*")
_LAST_STEP = re.compile(r"[^/\\]*\Z")

Details = dict[str, Any]
"""What an annotation says beside its class and its place."""


class Annotation(NamedTuple):
    """An annotation, as far as it can be understood."""

    identifier: str
    label: str
    """The id of its class."""
    spans: tuple[Span, ...]
    """None when it speaks of the document, or of other annotations."""
    surface: str | None
    """The text that the file repeats."""
    details: Details
    problem: str | None = None
    """Why it cannot be used."""

    @property
    def pieces(self) -> list[str | None]:
        """The repeated texts of the fragments, as far as they can be told apart."""
        if self.surface is None or len(self.spans) == 1:
            return [self.surface] * len(self.spans)
        pieces = self.surface.split(BETWEEN_FRAGMENTS)
        return [*pieces] if len(pieces) == len(self.spans) else [None] * len(self.spans)

    def is_repeating(self, fragments: Iterable[str]) -> bool:
        """Tell whether the text that the file repeats, if it does, is that of the fragments."""
        texts = list(fragments)
        joined = (BETWEEN_FRAGMENTS.join(texts), " ".join(texts))
        return self.surface is None or any(is_same(self.surface, text) for text in joined)


class AnnotatedText(NamedTuple):
    """A text and the annotations that a file has of it."""

    source: str
    """What the file with the text is called, without folders; nothing when the annotations do not say."""
    annotations: list[Annotation]


def annotated_texts(content: bytes, place: Path | str) -> list[AnnotatedText]:
    """Read the annotations of a file, which belong to one text, or to several in the second version."""
    root = root_of(content, place)
    if root.tag == FIRST:
        return [AnnotatedText(_name(root.get("textSource", "")), _of_first_version(root))]
    if root.tag == PROJECT:
        return [AnnotatedText(_source(document), _of_second_version(document)) for document in root.iter("document")]
    message = f"this is not Knowtator's XML: it begins with {shown(root.tag)} and not with {FIRST!r}"
    raise FormatError(message, path=place)


def _name(source: str) -> str:
    """Give the last step of a path, which may be one of Windows."""
    return _LAST_STEP.search(source)[0]  # type: ignore[index]


def _source(document: Element) -> str:
    identifier = document.get("id", "")
    return _name(document.get("text-file") or (f"{identifier}.txt" if identifier else ""))


def _of_first_version(root: Element) -> list[Annotation]:
    slots = {element.get("id", ""): element for element in root if element.tag.endswith("SlotMention")}
    mentions: dict[str, Element] = {}
    for element in (*root.iterfind("classMention"), *root.iterfind("instanceMention")):
        mentions.setdefault(element.get("id", ""), element)
    placed = [_annotation(element, mentions, slots) for element in root.iterfind("annotation")]
    # Relations may have arguments and a class but nothing to show in the text.
    others = mentions.keys() - {annotation.identifier for annotation in placed}
    return placed + [
        _made(identifier, mention, Element("annotation"), slots)
        for identifier, mention in mentions.items()
        if identifier in others
    ]


def _annotation(element: Element, mentions: dict[str, Element], slots: dict[str, Element]) -> Annotation:
    mention = element.find("mention")
    identifier = "" if mention is None else mention.get("id", "")
    return _made(identifier, mentions.get(identifier), element, slots)


def _made(identifier: str, mention: Element | None, element: Element, slots: dict[str, Element]) -> Annotation:
    """Make an annotation of its own element and the one that says its class."""
    named = next((child for child in (() if mention is None else mention) if child.tag.startswith("mention")), None)
    label = "" if named is None else named.get("id", "")
    annotator = element.find("annotator")
    details = {
        "annotator": text_of(element, "annotator"),
        "annotator_id": "" if annotator is None else annotator.get("id", ""),
        "class_name": "" if named is None else named.text,
        "comment": text_of(element, "annotationComment"),
        "created": text_of(element, "creationDate"),
        "slots": [] if mention is None else _slots(mention, slots),
    }
    return _checked(identifier, label, element, element.findtext("spannedText"), details)


def _slots(mention: Element, slots: dict[str, Element]) -> list[Details]:
    used = (slots.get(reference.get("id", "")) for reference in mention.iterfind("hasSlotMention"))
    return [_slot(element) for element in used if element is not None]


def _slot(element: Element) -> Details:
    named = element.find("mentionSlot")
    kind = element.tag.removesuffix("SlotMention")
    values = [value.get("value", "") for value in element.iter(f"{element.tag}Value")]
    return _as_slot("" if named is None else named.get("id", ""), kind, values)


def _as_slot(name: str, kind: str, values: list[str]) -> Details:
    return {"name": name, "kind": kind, "values": values}


def _of_second_version(document: Element) -> list[Annotation]:
    slots = _triples(document)
    return [_second_annotation(element, slots) for element in document.iterfind("annotation")]


def _second_annotation(element: Element, slots: dict[str, list[Details]]) -> Annotation:
    identifier = element.get("id", "")
    named = element.find("class")
    details = {
        "annotator": element.get("annotator", ""),
        "class_name": "" if named is None else named.get("label") or named.text,
        "slots": slots.get(identifier, []),
    }
    texts = [span.text or "" for span in element.iterfind("span")]
    surface = BETWEEN_FRAGMENTS.join(texts) if all(texts) else None
    return _checked(identifier, "" if named is None else named.get("id", ""), element, surface, details)


def _triples(document: Element) -> dict[str, list[Details]]:
    """Give the relations in which each annotation is the subject."""
    relations: dict[str, list[Details]] = {}
    for space in document.iterfind("graph-space"):
        vertices = {vertex.get("id", ""): vertex.get("annotation", "") for vertex in space.iterfind("vertex")}
        for triple in space.iterfind("triple"):
            subject, value = (vertices.get(triple.get(role, ""), "") for role in ("subject", "object"))
            relations.setdefault(subject, []).append(_as_slot(triple.get("property", ""), COMPLEX, [value]))
    return relations


def _checked(identifier: str, label: str, element: Element, surface: str | None, details: Details) -> Annotation:
    pairs = [(span.get("start", ""), span.get("end", "")) for span in element.iterfind("span")]
    told = {key: value for key, value in details.items() if value and (key, value) != ("class_name", label)}
    if not all(_OFFSET.fullmatch(offset) for pair in pairs for offset in pair):
        return Annotation(identifier, label, (), surface, told, "offsets that are not whole numbers")
    spans = tuple((int(start), int(end)) for start, end in pairs)
    return Annotation(identifier, label, spans, surface, told, None if label else "an annotation without a class")
