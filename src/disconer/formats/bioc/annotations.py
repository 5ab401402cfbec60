"""The annotations of a BioC document that are mentions."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from disconer.document import Mention
from disconer.formats import leftovers
from disconer.formats.bioc.parts import Part, infons_of, number, parts, rest_of
from disconer.formats.json_records import parsed
from disconer.formats.naming import speaking_of
from disconer.formats.scores import score_of
from disconer.formats.surface import is_same
from disconer.spans import Span
from disconer.tokenize import Layout

KEY = "bioc"
"""The extra key of what disconer does not know."""
_KNOWN = frozenset(("id", "infons", "text", "locations"))
_UNTYPED = "annotation"
_GAP_MARKS = ("...", "[...]", "…")
"""What some write into the text of an annotation where it has a gap."""


def mention_of(annotation: Part, layout: Layout) -> Mention:
    """Read a mention."""
    with speaking_of("annotation", annotation):
        infons = infons_of(annotation)
        left = taken_leftovers(infons, leftovers.of_mention)
        label, score = infons.pop("type", None) or _UNTYPED, score_of(infons.get("score"))
        kept = rest_of({**rest_of(annotation, _KNOWN), "infons": infons if score is None else _unscored(infons)})
        extras = {"id": annotation["id"]} if "id" in annotation else {}
        spans = [_span(location) for location in parts(annotation, "locations")]
        if annotation.get("text") and not _is_text_at(annotation["text"], spans, layout.text):
            extras["text"] = annotation["text"]
        extras |= {KEY: kept} if kept else {}
        return Mention(label, spans, layout, score, {**extras, **left})


def annotation_of(mention: Mention, identifier: str) -> Part:
    """Undo `mention_of`."""
    kept = _held(mention, identifier)
    others = kept.get(KEY, {})
    score = {} if mention.score is None else {"score": str(mention.score)}
    left = leftovers.mention_leftovers(mention, kept)
    return {
        "id": identifier,
        "infons": {"type": mention.label, **score, **infons_of(others), **leftovers_infon(left)},
        "text": kept.get("text", mention.text),
        "locations": [{"offset": start, "length": end - start} for start, end in mention.fragments],
        **rest_of(others, _KNOWN),
    }


def is_exact(annotation: Part, whole: str) -> bool:
    """Tell whether the text of an annotation is the one at its locations, to the letter."""
    return annotation.get("text") in _texts_at([_span(location) for location in parts(annotation, "locations")], whole)


def taken_leftovers(infons: Part, check: Callable[[Any], Part]) -> Part:
    """Take what disconer wrote into an infon of its own."""
    written = infons.pop(leftovers.NAME, None)
    return {} if written is None else check(parsed(written) if isinstance(written, str) else written)


def leftovers_infon(left: Part) -> Part:
    """Undo `taken_leftovers`."""
    return {leftovers.NAME: json.dumps(left)} if left else {}


def _span(location: Part) -> Span:
    offset = number(location, "offset")
    return offset, offset + number(location, "length")


def _unscored(infons: Part) -> Part:
    return {key: value for key, value in infons.items() if key != "score"}


def _is_text_at(text: Any, spans: Sequence[Span], whole: str) -> bool:
    """Tell whether a text is the one at these stretches, but for white space and what marks a gap."""
    return isinstance(text, str) and any(is_same(_unmarked(text), _unmarked(said)) for said in _texts_at(spans, whole))


def _texts_at(spans: Sequence[Span], whole: str) -> list[str]:
    """Give the text of stretches as they stand, in order, and with the gaps between them; none outside the text."""
    in_order = sorted(spans)
    if in_order[-1][1] > len(whole):
        return []
    joined = (" ".join(whole[start:end] for start, end in stretches) for stretches in (spans, in_order))
    return [*joined, whole[in_order[0][0] : in_order[-1][1]]]


def _unmarked(text: str) -> str:
    return " ".join(word for word in text.split() if word not in _GAP_MARKS)


def _held(mention: Mention, identifier: str) -> dict[str, Any]:
    """Give those of a mention's unknown keys that an annotation has a place for."""
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
    if not isinstance(infons, dict) or not infons or infons.keys() & {"type", leftovers.NAME}:
        return False
    return "score" not in infons or (score is None and score_of(infons["score"]) is None)
