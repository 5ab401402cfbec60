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
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, quote
from disconer.formats.losses import Losses
from disconer.formats.references import as_identifier, assign_identifiers
from disconer.formats.surface import is_same, to_utf16
from disconer.formats.xml_files import (
    child_text,
    escape_text,
    is_writable,
    parse_root,
    quote_attribute,
    replace_unwritable,
)
from disconer.foundation.spans import Span

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
_HELD_KEYS = frozenset(("knowtator", "id"))
_TEXTS = frozenset(("annotator", "annotator_id", "class_name", "comment", "created"))
"""The details that are texts; the others are slots."""
_SLOT_KEYS = frozenset(("name", "kind", "values"))


class KnowtatorAnnotation(NamedTuple):
    """An annotation, as far as it can be understood."""

    identifier: str
    label: str
    """The id of its class."""
    spans: tuple[Span, ...]
    """None when it is about the document, or of other annotations."""
    surface: str | None
    """The text that the file repeats."""
    details: Details
    problem: str | None = None
    """Why it cannot be used."""

    @property
    def surfaces(self) -> list[str | None]:
        """The repeated texts of the fragments, as far as they can be told apart."""
        if self.surface is None or len(self.spans) == 1:
            return [self.surface] * len(self.spans)
        surfaces = self.surface.split(BETWEEN_FRAGMENTS)
        return [*surfaces] if len(surfaces) == len(self.spans) else [None] * len(self.spans)

    def is_repeating(self, fragments: Iterable[str]) -> bool:
        """Tell whether the text that the file repeats, if it does, is that of the fragments."""
        texts = list(fragments)
        joined = (BETWEEN_FRAGMENTS.join(texts), " ".join(texts))
        return self.surface is None or any(is_same(self.surface, text) for text in joined)


class AnnotatedText(NamedTuple):
    """A text and the annotations that a file has of it."""

    source: str
    """What the file with the text is called, without folders; nothing when the annotations do not say."""
    annotations: list[KnowtatorAnnotation]


class _Entry(NamedTuple):
    """An annotation that is written."""

    label: str
    spans: Sequence[Span]
    """In UTF-16 code units; none when it marks nothing."""
    surface: str
    details: Details


def read_annotations(content: bytes, place: Path | str) -> list[AnnotatedText]:
    """Read the annotations of a file, which belong to one text, or to several in the second version."""
    root = parse_root(content, place)
    if root.tag == FIRST:
        return [AnnotatedText(_strip_folders(root.get("textSource", "")), _read_first_version(root))]
    if root.tag == PROJECT:
        return [
            AnnotatedText(_read_source(document), _read_second_version(document)) for document in root.iter("document")
        ]
    message = f"this is not Knowtator's XML: it begins with {quote(root.tag)} and not with {FIRST!r}"
    raise FormatError(message, path=place)


def _strip_folders(source: str) -> str:
    """The last step of a path, which may be one of Windows."""
    return _LAST_STEP.search(source)[0]  # type: ignore[index]


def _read_source(document: Element) -> str:
    identifier = document.get("id", "")
    return _strip_folders(document.get("text-file") or (f"{identifier}.txt" if identifier else ""))


def _read_first_version(root: Element) -> list[KnowtatorAnnotation]:
    slots = {element.get("id", ""): element for element in root if element.tag.endswith("SlotMention")}
    mentions: dict[str, Element] = {}
    for element in (*root.iterfind("classMention"), *root.iterfind("instanceMention")):
        mentions.setdefault(element.get("id", ""), element)
    placed = [_read_annotation(element, mentions, slots) for element in root.iterfind("annotation")]
    # Relations may have arguments and a class but nothing to show in the text.
    others = mentions.keys() - {annotation.identifier for annotation in placed}
    return placed + [
        _make_annotation(identifier, mention, Element("annotation"), slots)
        for identifier, mention in mentions.items()
        if identifier in others
    ]


def _read_annotation(element: Element, mentions: dict[str, Element], slots: dict[str, Element]) -> KnowtatorAnnotation:
    mention = element.find("mention")
    identifier = "" if mention is None else mention.get("id", "")
    return _make_annotation(identifier, mentions.get(identifier), element, slots)


def _make_annotation(
    identifier: str, mention: Element | None, element: Element, slots: dict[str, Element]
) -> KnowtatorAnnotation:
    """Make an annotation of its own element and the one that says its class."""
    named = next((child for child in (() if mention is None else mention) if child.tag.startswith("mention")), None)
    label = "" if named is None else named.get("id", "")
    annotator = element.find("annotator")
    details = {
        "annotator": child_text(element, "annotator"),
        "annotator_id": "" if annotator is None else annotator.get("id", ""),
        "class_name": "" if named is None else named.text,
        "comment": child_text(element, "annotationComment"),
        "created": child_text(element, "creationDate"),
        "slots": [] if mention is None else _read_slots(mention, slots),
    }
    return _finish_annotation(identifier, label, element, element.findtext("spannedText"), details)


def _read_slots(mention: Element, slots: dict[str, Element]) -> list[Details]:
    used = (slots.get(reference.get("id", "")) for reference in mention.iterfind("hasSlotMention"))
    return [_read_slot(element) for element in used if element is not None]


def _read_slot(element: Element) -> Details:
    named = element.find("mentionSlot")
    kind = element.tag.removesuffix("SlotMention")
    values = [value.get("value", "") for value in element.iter(f"{element.tag}Value")]
    return _make_slot("" if named is None else named.get("id", ""), kind, values)


def _make_slot(name: str, kind: str, values: list[str]) -> Details:
    return {"name": name, "kind": kind, "values": values}


def _read_second_version(document: Element) -> list[KnowtatorAnnotation]:
    slots = _read_triples(document)
    return [_read_second_annotation(element, slots) for element in document.iterfind("annotation")]


def _read_second_annotation(element: Element, slots: dict[str, list[Details]]) -> KnowtatorAnnotation:
    identifier = element.get("id", "")
    named = element.find("class")
    details = {
        "annotator": element.get("annotator", ""),
        "class_name": "" if named is None else named.get("label") or named.text,
        "slots": slots.get(identifier, []),
    }
    texts = [span.text or "" for span in element.iterfind("span")]
    surface = BETWEEN_FRAGMENTS.join(texts) if all(texts) else None
    return _finish_annotation(identifier, "" if named is None else named.get("id", ""), element, surface, details)


def _read_triples(document: Element) -> dict[str, list[Details]]:
    """Read the relations in which each annotation is the subject."""
    relations: dict[str, list[Details]] = {}
    for space in document.iterfind("graph-space"):
        vertices = {vertex.get("id", ""): vertex.get("annotation", "") for vertex in space.iterfind("vertex")}
        for triple in space.iterfind("triple"):
            subject, value = (vertices.get(triple.get(role, ""), "") for role in ("subject", "object"))
            relations.setdefault(subject, []).append(_make_slot(triple.get("property", ""), COMPLEX, [value]))
    return relations


def _finish_annotation(
    identifier: str, label: str, element: Element, surface: str | None, details: Details
) -> KnowtatorAnnotation:
    pairs = [(span.get("start", ""), span.get("end", "")) for span in element.iterfind("span")]
    given = {key: value for key, value in details.items() if value and (key, value) != ("class_name", label)}
    if not all(_OFFSET.fullmatch(offset) for pair in pairs for offset in pair):
        return KnowtatorAnnotation(identifier, label, (), surface, given, "offsets that are not whole numbers")
    spans = tuple((int(start), int(end)) for start, end in pairs)
    return KnowtatorAnnotation(
        identifier, label, spans, surface, given, None if label else "an annotation without a class"
    )


def to_lines(document: Document, source: str, losses: Losses) -> Iterator[str]:
    """Convert a document to the lines of its annotation file, and count what they do not hold."""
    losses.note_extras(document, _HELD_KEYS)
    losses.note_id(document)
    losses.note_layout(document.layout, "Knowtator")
    others = _read_others(document.extras.get("knowtator", []), losses)
    identifiers = _choose_identifiers(document, others, losses)
    entries = [*_to_entries(document, losses), *(_Entry(other["label"], (), "", other) for other in others)]
    there = frozenset(identifiers)
    slot_names = (name for number in count(1) if (name := f"disconer_Slot_{number}") not in there)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<annotations textSource={quote_attribute(source)}>"
    for identifier, entry in zip(identifiers, entries, strict=True):
        yield from _to_annotation_lines(identifier, entry)
    for identifier, entry in zip(identifiers, entries, strict=True):
        slots = [_drop_dead_links(slot, there, losses) for slot in entry.details.get("slots", [])]
        yield from _to_class_lines(identifier, entry, [(next(slot_names), slot) for slot in slots])
    yield "</annotations>"


def _choose_identifiers(document: Document, others: Sequence[Details], losses: Losses) -> list[str]:
    """Keep the ids that annotations came with, and give the others numbers."""
    wanted = [mention.extras.get("id", "") for mention in document] + [other["id"] for other in others]
    usable = [identifier if is_writable(identifier) else "" for identifier in map(as_identifier, wanted)]
    identifiers = assign_identifiers(usable, "disconer_Instance_")
    lost = sum(identifier not in ("", given) for identifier, given in zip(wanted, identifiers, strict=True))
    losses.note("ids of annotations that Knowtator cannot use", lost)
    return identifiers


def _to_entries(document: Document, losses: Losses) -> Iterator[_Entry]:
    spans = [(start, end) for mention in document for start, end in mention.fragments]
    counted = iter(to_utf16(spans, document.text))
    for mention in document:
        details = mention.extras.get("knowtator", {})
        losses.note("values of the mentions' key 'knowtator'", not _are_details(details))
        yield _Entry(
            mention.label,
            [next(counted) for _ in mention.fragments],
            _join_fragments(mention),
            details if _are_details(details) else {},
        )


def _join_fragments(mention: Mention) -> str:
    text = mention.layout.text
    return BETWEEN_FRAGMENTS.join(replace_unwritable(text[start:end]) for start, end in mention.fragments)


def _read_others(value: Any, losses: Losses) -> list[Details]:
    """Read the annotations that mark nothing; a value that is something else is counted as lost."""
    if isinstance(value, list) and all(map(_is_other, value)):
        return value
    losses.note("values of the key 'knowtator'")
    return []


def _is_other(value: Any) -> bool:
    if not isinstance(value, dict) or not all(_is_text(value.get(key)) for key in ("id", "label")):
        return False
    return _are_details({key: inner for key, inner in value.items() if key not in ("id", "label")})


def _are_details(value: Any) -> bool:
    """Tell whether a value, which anybody may have written, is what reading an annotation yields."""
    if not isinstance(value, dict) or not value.keys() <= _TEXTS | {"slots"}:
        return False
    slots = value.get("slots", [])
    texts = (text for key, text in value.items() if key != "slots")
    return all(map(_is_text, texts)) and isinstance(slots, list) and all(map(_is_slot, slots))


def _is_slot(value: Any) -> bool:
    if not isinstance(value, dict) or value.keys() != _SLOT_KEYS or value["kind"] not in KINDS:
        return False
    return isinstance(value["values"], list) and all(map(_is_text, (value["name"], *value["values"])))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and is_writable(value)


def _drop_dead_links(slot: Details, there: frozenset[str], losses: Losses) -> Details:
    """Leave out the links of a slot that lead nowhere."""
    if slot["kind"] != COMPLEX:
        return slot
    kept = [value for value in slot["values"] if value in there]
    losses.note("links to annotations that are not there", len(slot["values"]) - len(kept))
    return {**slot, "values": kept}


def _to_annotation_lines(identifier: str, entry: _Entry) -> Iterator[str]:
    """Write who marked what."""
    details = entry.details
    yield "  <annotation>"
    yield f"    <mention id={quote_attribute(identifier)} />"
    if "annotator" in details or "annotator_id" in details:
        name = escape_text(details.get("annotator", ""))
        yield f"    <annotator id={quote_attribute(details.get('annotator_id', ''))}>{name}</annotator>"
    for start, end in entry.spans:
        yield f'    <span start="{start}" end="{end}" />'
    if entry.spans:
        yield f"    <spannedText>{escape_text(entry.surface)}</spannedText>"
    for key, tag in (("comment", "annotationComment"), ("created", "creationDate")):
        if key in details:
            yield f"    <{tag}>{escape_text(details[key])}</{tag}>"
    yield "  </annotation>"


def _to_class_lines(identifier: str, entry: _Entry, slots: Sequence[tuple[str, Details]]) -> Iterator[str]:
    """Write the class and the slots of an annotation."""
    class_name = entry.details.get("class_name", entry.label)
    yield f"  <classMention id={quote_attribute(identifier)}>"
    yield f"    <mentionClass id={quote_attribute(entry.label)}>{escape_text(class_name)}</mentionClass>"
    for name, _ in slots:
        yield f"    <hasSlotMention id={quote_attribute(name)} />"
    yield "  </classMention>"
    yield from chain.from_iterable(_to_slot_lines(name, slot) for name, slot in slots)


def _to_slot_lines(name: str, slot: Details) -> Iterator[str]:
    tag = f"{slot['kind']}SlotMention"
    yield f"  <{tag} id={quote_attribute(name)}>"
    yield f"    <mentionSlot id={quote_attribute(slot['name'])} />"
    for value in slot["values"]:
        yield f"    <{tag}Value value={quote_attribute(value)} />"
    yield f"  </{tag}>"
