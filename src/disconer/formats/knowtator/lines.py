"""The lines of Knowtator's XML, of its first version, that are written of a document."""

from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

from disconer.document import Document, Mention
from disconer.formats.knowtator.annotations import BETWEEN_FRAGMENTS, COMPLEX, KINDS, Details
from disconer.formats.losses import Losses
from disconer.formats.references import as_identifier, unique_identifiers
from disconer.formats.surface import in_utf16
from disconer.formats.xml_files import attribute, escaped, is_writable, writable
from disconer.spans import Span

_HELD_KEYS = frozenset(("knowtator", "id"))
_TEXTS = frozenset(("annotator", "annotator_id", "class_name", "comment", "created"))
"""The details that are texts; the others are slots."""
_SLOT_KEYS = frozenset(("name", "kind", "values"))


class _Entry(NamedTuple):
    """An annotation that is written."""

    label: str
    spans: Sequence[Span]
    """In UTF-16 code units; none when it marks nothing."""
    surface: str
    details: Details


def annotation_lines(document: Document, source: str, losses: Losses) -> Iterator[str]:
    """Give the lines of a document's annotation file, and count what they do not hold."""
    losses.note_extras(document, _HELD_KEYS)
    losses.note_id(document)
    losses.note_layout(document.layout, "Knowtator")
    others = _others(document.extras.get("knowtator", []), losses)
    identifiers = _identifiers(document, others, losses)
    entries = [*_placed(document, losses), *(_Entry(other["label"], (), "", other) for other in others)]
    there = frozenset(identifiers)
    slot_names = (name for number in count(1) if (name := f"disconer_Slot_{number}") not in there)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<annotations textSource={attribute(source)}>"
    for identifier, entry in zip(identifiers, entries, strict=True):
        yield from _place_lines(identifier, entry)
    for identifier, entry in zip(identifiers, entries, strict=True):
        slots = [_with_leading_links(slot, there, losses) for slot in entry.details.get("slots", [])]
        yield from _class_lines(identifier, entry, [(next(slot_names), slot) for slot in slots])
    yield "</annotations>"


def _identifiers(document: Document, others: Sequence[Details], losses: Losses) -> list[str]:
    """Keep the ids that annotations came with, and give the others numbers."""
    wanted = [mention.extras.get("id", "") for mention in document] + [other["id"] for other in others]
    usable = [identifier if is_writable(identifier) else "" for identifier in map(as_identifier, wanted)]
    identifiers = unique_identifiers(usable, "disconer_Instance_")
    lost = sum(identifier not in ("", given) for identifier, given in zip(wanted, identifiers, strict=True))
    losses.note("ids of annotations that Knowtator cannot use", lost)
    return identifiers


def _placed(document: Document, losses: Losses) -> Iterator[_Entry]:
    spans = [(start, end) for mention in document for start, end in mention.fragments]
    counted = iter(in_utf16(spans, document.text))
    for mention in document:
        details = mention.extras.get("knowtator", {})
        losses.note("values of the mentions' key 'knowtator'", not _are_details(details))
        yield _Entry(
            mention.label,
            [next(counted) for _ in mention.fragments],
            _surface(mention),
            details if _are_details(details) else {},
        )


def _surface(mention: Mention) -> str:
    text = mention.layout.text
    return BETWEEN_FRAGMENTS.join(writable(text[start:end]) for start, end in mention.fragments)


def _others(value: Any, losses: Losses) -> list[Details]:
    """Give the annotations that mark nothing; none, and count it, when the value is something else."""
    if isinstance(value, list) and all(map(_is_other, value)):
        return value
    losses.note("values of the key 'knowtator'")
    return []


def _is_other(value: Any) -> bool:
    if not isinstance(value, dict) or not all(_is_text(value.get(key)) for key in ("id", "label")):
        return False
    return _are_details({key: told for key, told in value.items() if key not in ("id", "label")})


def _are_details(value: Any) -> bool:
    """Tell whether a value, which anybody may have written, is what the reader makes of an annotation."""
    if not isinstance(value, dict) or not value.keys() <= _TEXTS | {"slots"}:
        return False
    slots = value.get("slots", [])
    texts = (told for key, told in value.items() if key != "slots")
    return all(map(_is_text, texts)) and isinstance(slots, list) and all(map(_is_slot, slots))


def _is_slot(value: Any) -> bool:
    if not isinstance(value, dict) or value.keys() != _SLOT_KEYS or value["kind"] not in KINDS:
        return False
    return isinstance(value["values"], list) and all(map(_is_text, (value["name"], *value["values"])))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and is_writable(value)


def _with_leading_links(slot: Details, there: frozenset[str], losses: Losses) -> Details:
    """Leave out the links of a slot that lead nowhere."""
    if slot["kind"] != COMPLEX:
        return slot
    kept = [value for value in slot["values"] if value in there]
    losses.note("links to annotations that are not there", len(slot["values"]) - len(kept))
    return {**slot, "values": kept}


def _place_lines(identifier: str, entry: _Entry) -> Iterator[str]:
    """Give the lines that say who marked what."""
    details = entry.details
    yield "  <annotation>"
    yield f"    <mention id={attribute(identifier)} />"
    if "annotator" in details or "annotator_id" in details:
        name = escaped(details.get("annotator", ""))
        yield f"    <annotator id={attribute(details.get('annotator_id', ''))}>{name}</annotator>"
    for start, end in entry.spans:
        yield f'    <span start="{start}" end="{end}" />'
    if entry.spans:
        yield f"    <spannedText>{escaped(entry.surface)}</spannedText>"
    for key, tag in (("comment", "annotationComment"), ("created", "creationDate")):
        if key in details:
            yield f"    <{tag}>{escaped(details[key])}</{tag}>"
    yield "  </annotation>"


def _class_lines(identifier: str, entry: _Entry, slots: Sequence[tuple[str, Details]]) -> Iterator[str]:
    """Give the lines that say the class and the slots of what is marked."""
    class_name = entry.details.get("class_name", entry.label)
    yield f"  <classMention id={attribute(identifier)}>"
    yield f"    <mentionClass id={attribute(entry.label)}>{escaped(class_name)}</mentionClass>"
    for name, _ in slots:
        yield f"    <hasSlotMention id={attribute(name)} />"
    yield "  </classMention>"
    yield from chain.from_iterable(_slot_lines(name, slot) for name, slot in slots)


def _slot_lines(name: str, slot: Details) -> Iterator[str]:
    tag = f"{slot['kind']}SlotMention"
    yield f"  <{tag} id={attribute(name)}>"
    yield f"    <mentionSlot id={attribute(slot['name'])} />"
    for value in slot["values"]:
        yield f"    <{tag}Value value={attribute(value)} />"
    yield f"  </{tag}>"
