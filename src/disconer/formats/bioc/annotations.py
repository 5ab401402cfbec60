"""The annotations of a BioC document that are mentions."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from disconer.document import Mention
from disconer.formats import jsonl
from disconer.formats.bioc.parts import (
    Part,
    drop_known,
    list_annotations,
    list_containers,
    parts_at,
    read_identifier,
    read_infons,
    read_number,
)
from disconer.formats.json_keys import read_score
from disconer.formats.json_records import parse_record
from disconer.formats.references import Referring, assign_identifiers, find_dangling, name_in_errors
from disconer.formats.surface import is_same, join_text
from disconer.foundation.spans import Span
from disconer.tokenize import Layout

KEY = "bioc"
"""The extra key of what disconer does not know."""
_KNOWN = frozenset(("id", "infons", "text", "locations"))
_UNTYPED = "annotation"
_GAP_MARKS = ("...", "[...]", "…")
"""What some write into the text of an annotation where it has a gap."""


def read_mention(annotation: Part, layout: Layout) -> Mention:
    """Read an annotation as a mention, and keep in its extras what disconer does not know."""
    with name_in_errors("annotation", annotation):
        infons = read_infons(annotation)
        left = pop_leftovers(infons, jsonl.check_mention_leftovers)
        label, score = infons.pop("type", None) or _UNTYPED, read_score(infons.get("score"))
        kept = drop_known(
            {**drop_known(annotation, _KNOWN), "infons": infons if score is None else _drop_score(infons)}
        )
        extras = {"id": annotation["id"]} if "id" in annotation else {}
        spans = [_read_span(location) for location in parts_at(annotation, "locations")]
        if annotation.get("text") and not _is_text_at(annotation["text"], spans, layout.text):
            extras["text"] = annotation["text"]
        extras |= {KEY: kept} if kept else {}
        return Mention(label, spans, layout, score, {**extras, **left})


def to_annotation(mention: Mention, identifier: str) -> Part:
    """Undo `read_mention`."""
    kept = _select_held(mention, identifier)
    others = kept.get(KEY, {})
    score = {} if mention.score is None else {"score": str(mention.score)}
    left = jsonl.mention_leftovers(mention, kept)
    return {
        "id": identifier,
        "infons": {"type": mention.label, **score, **read_infons(others), **to_infon(left)},
        "text": kept.get("text", mention.text),
        "locations": [{"offset": start, "length": end - start} for start, end in mention.fragments],
        **drop_known(others, _KNOWN),
    }


def is_exact(annotation: Part, whole: str) -> bool:
    """Tell whether the text of an annotation is the one at its locations, to the letter."""
    return annotation.get("text") in _texts_at(
        [_read_span(location) for location in parts_at(annotation, "locations")], whole
    )


def pop_leftovers(infons: Part, check: Callable[[Any], Part]) -> Part:
    """Take what disconer wrote into an infon of its own."""
    written = infons.pop(jsonl.LEFTOVERS, None)
    return {} if written is None else check(parse_record(written) if isinstance(written, str) else written)


def to_infon(left: Part) -> Part:
    """Undo `pop_leftovers`."""
    return {jsonl.LEFTOVERS: json.dumps(left)} if left else {}


def _read_span(location: Part) -> Span:
    offset = read_number(location, "offset")
    return offset, offset + read_number(location, "length")


def _drop_score(infons: Part) -> Part:
    return {key: value for key, value in infons.items() if key != "score"}


def _is_text_at(text: Any, spans: Sequence[Span], whole: str) -> bool:
    """Tell whether a text is the one at these stretches, but for white space and what marks a gap."""
    return isinstance(text, str) and any(
        is_same(_drop_gap_marks(text), _drop_gap_marks(said)) for said in _texts_at(spans, whole)
    )


def _texts_at(spans: Sequence[Span], whole: str) -> list[str]:
    """Join the texts of spans as listed, in order, and with the gaps between them; empty when they leave the text."""
    in_order = sorted(spans)
    if in_order[-1][1] > len(whole):
        return []
    return [join_text(whole, spans), join_text(whole, in_order), whole[in_order[0][0] : in_order[-1][1]]]


def _drop_gap_marks(text: str) -> str:
    return " ".join(word for word in text.split() if word not in _GAP_MARKS)


def _select_held(mention: Mention, identifier: str) -> dict[str, Any]:
    """Select those of a mention's unknown keys that an annotation has a place for."""
    text = mention.extras.get("text")
    spans = [(start, end) for start, end in mention.fragments]
    is_held = {
        "id": mention.extras.get("id") == identifier,
        "text": isinstance(text, str) and text and not _is_text_at(text, spans, mention.layout.text),
        KEY: _is_kept(mention.extras.get(KEY), mention.score),
    }
    return {key: mention.extras[key] for key, held in is_held.items() if held}


def _is_kept(value: Any, score: float | None) -> bool:
    """Tell whether a value is what was kept of an annotation, and would be so again."""
    if not isinstance(value, dict) or not value or value.keys() & (_KNOWN - {"infons"}):
        return False
    infons = value.get("infons", {"no": "infons"})
    if not isinstance(infons, dict) or not infons or infons.keys() & {"type", jsonl.LEFTOVERS}:
        return False
    return "score" not in infons or (score is None and read_score(infons["score"]) is None)


def choose_identifiers(mentions: Sequence[Mention], kept: Part) -> list[str]:
    """Keep the ids that mentions came with, and number the others, avoiding ids that are assigned or referred to."""
    taken = {*_list_ids(kept), *_collect_references(kept)}
    return assign_identifiers([read_identifier(mention.extras) for mention in mentions], "T", taken)


def find_outside_references(document: Part) -> list[str]:
    """Find the ids that relations refer to and nothing in the document has, as PubTator3's relations do."""
    return sorted(_collect_references(document) - set(_list_ids(document)))


def find_dangling_relations(kept: Part, there: Iterable[str]) -> list[Part]:
    """Find the relations whose reference was there when the document was read and is not any more."""
    relations = list(_list_relations(kept))
    things = [Referring(read_identifier(one) or None, _read_references(one)) for one in relations]
    annotations = map(read_identifier, list_annotations(kept))
    return [relations[index] for index in sorted(find_dangling(things, [*there, *annotations]))]


def _list_ids(document: Part) -> Iterator[str]:
    yield from map(read_identifier, list_annotations(document))
    yield from map(read_identifier, _list_relations(document))


def _collect_references(document: Part) -> set[str]:
    return {reference for relation in _list_relations(document) for reference in _read_references(relation)}


def _read_references(relation: Part) -> list[str]:
    return [name for node in parts_at(relation, "nodes") if (name := read_identifier(node, "refid"))]


def _list_relations(document: Part) -> Iterator[Part]:
    return (relation for container in list_containers(document) for relation in parts_at(container, "relations"))
