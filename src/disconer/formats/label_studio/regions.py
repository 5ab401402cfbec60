"""The results of a Label Studio annotation: regions, and the relations that join them into mentions.

Label Studio has no regions with gaps. The fragments of a mention are regions of one label, joined by relations from
each to the next; these bear the label `fragment`, and relations without a label join as well. Every mention has regions
of its own, even where two of them share a fragment. A region of several labels is as many mentions.

A mention's extra key `label-studio` lists what its regions say beside it, a part each, and then the relations that join
them if disconer would write others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from disconer.document import Fragment, Mention
from disconer.exceptions import FormatError, shown
from disconer.formats import jsonl
from disconer.formats.json_keys import list_at, unknown, with_unknown
from disconer.formats.label_studio.joins import (
    RELATION,
    Ends,
    Group,
    Identifier,
    Labelled,
    are_joining,
    chain_of,
    ends_of,
    joined,
)
from disconer.formats.losses import Losses
from disconer.formats.naming import fresh_names
from disconer.formats.scores import score_of
from disconer.formats.surface import in_code_points, is_same
from disconer.spans import Span, is_offset
from disconer.tokenize import Layout

KEPT = "label-studio"
"""The extra key, of documents and of mentions, of what Label Studio says beside text and mentions."""

_DEFAULTS = {"from_name": "label", "to_name": "text"}
"""What the tags of the labelling interface are called."""
OUR_PREFIX = "disconer-"
"""Of ids that disconer gives; a number follows."""
_OUR_IDENTIFIER = re.compile(f"{OUR_PREFIX}[0-9]+")
_MENTION_VALUES = frozenset(("start", "end", "labels"))
_TEXT = "text"
"""The extra key of a text that is not the one at the offsets."""
_NOT_IN_EXTRAS = jsonl.MENTION_KEYS | {KEPT, _TEXT}
"""Keys of `meta` that stay with their region."""
_NOT_OF_TEXT = ("hypertextlabels", "paragraphlabels")


class _Region(NamedTuple):
    """A labelled stretch of the text."""

    result: dict[str, Any]
    span: Span

    @property
    def labels(self) -> list[str]:
        labels: list[str] = self.result["value"]["labels"]
        return labels

    @property
    def score(self) -> float | None:
        """How sure a model was, where that is a number from 0 to 1."""
        return score_of(self.result.get("score"))

    def surface(self, text: str) -> str:
        """Give the text that it says it has, or else the one it has."""
        surface = self.result["value"].get(_TEXT)
        return surface if isinstance(surface, str) else text[slice(*self.span)]


class _JoinedRegions:
    """The regions of a mention, in the order of the text."""

    def __init__(self, group: Group, regions: Sequence[_Region]) -> None:
        self.label = group.label
        self.regions = sorted((regions[number] for number in group.numbers), key=lambda region: region.span)
        usual = chain_of(region.result.get("id") for region in self.regions)
        self.kept_relations = group.relations if group.relations != usual else []
        """Those that join the regions, if they would be written otherwise."""


def mentions_of(results: Sequence[Any], layout: Layout) -> tuple[list[Mention], list[Any]]:
    """Give the mentions among the results of an annotation, and the results that are something else."""
    regions = _regions([result for result in results if _is_region(result)], layout.text)
    labelled = [Labelled(region.result.get("id"), region.labels) for region in regions]
    groups, others = joined(labelled, [result for result in results if not _is_region(result)])
    found = [_JoinedRegions(group, regions) for group in groups]
    kept = chain.from_iterable(each.kept_relations for each in found)
    referred = {*_identifiers(others), *_identifiers(kept)}
    return [_mention(each, referred, layout) for each in found], others


def results_of(mentions: Sequence[Mention], others: Sequence[Any], losses: Losses) -> list[Any]:
    """Undo `mentions_of`."""
    kept = [_kept_results(mention, losses) for mention in mentions]
    taken = {*_identifiers(others), *_identifiers(result for of_mention in kept for result in of_mention)}
    fresh = fresh_names(OUR_PREFIX, {str(identifier) for identifier in taken})
    regions: dict[Identifier, dict[str, Any]] = {}
    relations: dict[Ends, list[dict[str, Any]]] = {}
    for mention, of_mention in zip(mentions, kept, strict=True):
        parts = [result for result in of_mention if not _is_relation(result)]
        placed = [_placed(region, regions, fresh, losses) for region in _regions_of(mention, parts, losses)]
        relations |= _relations(placed, [result for result in of_mention if _is_relation(result)], losses)
    joining = chain.from_iterable(relations.values())
    return [*regions.values(), *joining, *_without_dangling(others, regions.keys(), losses)]


def _is_region(result: Any) -> bool:
    if not isinstance(result, dict) or not isinstance(result.get("value", {}), dict):
        raise FormatError("a result must be an object, and so must its 'value'")
    if result.get("type") in _NOT_OF_TEXT:
        raise FormatError(f"regions of type {shown(result['type'])} are not of plain text: export a project of Text")
    return result.get("type") == "labels" and bool(list_at(result.get("value", {}), "labels"))


def _regions(results: Sequence[dict[str, Any]], text: str) -> list[_Region]:
    """Check regions, and count their offsets in code points."""
    values = [result["value"] for result in results]
    for value in values:
        if not (is_offset(value.get("start")) and is_offset(value.get("end"))):
            raise FormatError("'start' and 'end' of a region must be whole numbers")
        if not all(isinstance(label, str) for label in value["labels"]):
            raise FormatError("the labels of a region must be strings")
    spans = [(value["start"], value["end"]) for value in values]
    counted = in_code_points(spans, [value.get("text") for value in values], text)
    return [_Region(*pair) for pair in zip(results, counted, strict=True)]


def _mention(found: _JoinedRegions, referred: set[Identifier], layout: Layout) -> Mention:
    scores = [region.score for region in found.regions if region.score is not None]
    parts = [_part(region, referred, layout.text) for region in found.regions]
    extras = _taken_from_meta(parts[0])
    if any(_is_text_kept(part) for part in parts):
        extras[_TEXT] = " ".join(region.surface(layout.text) for region in found.regions)
    kept = [*parts, *found.kept_relations]
    if any(kept):
        extras[KEPT] = kept
    spans = [region.span for region in found.regions]
    return Mention(found.label, spans, layout, min(scores, default=None), extras)


def _taken_from_meta(part: dict[str, Any]) -> dict[str, Any]:
    """Take the keys out of a region's `meta` that a mention can have."""
    meta = part.get("meta")
    extras = unknown(meta, _NOT_IN_EXTRAS) if isinstance(meta, dict) else {}
    if extras:
        part["meta"] = unknown(part["meta"], extras)
        if not part["meta"]:
            del part["meta"]
    return extras


def _is_text_kept(part: Mapping[str, Any]) -> bool:
    return isinstance(part.get("value", {}).get(_TEXT), str)


def _part(region: _Region, referred: set[Identifier], text: str) -> dict[str, Any]:
    """Give what a region says beside the mention, and beside what it would say by itself when written."""
    values = unknown(region.result["value"], _MENTION_VALUES)
    if is_same(values.get("text"), text[slice(*region.span)]):
        del values["text"]
    part = unknown(region.result, ("type", "value"))
    identifier = part.get("id")
    if isinstance(identifier, str) and _OUR_IDENTIFIER.fullmatch(identifier) and identifier not in referred:
        del part["id"]
    if region.score is not None:
        del part["score"]
    part = {key: value for key, value in part.items() if key not in _DEFAULTS or _DEFAULTS[key] != value}
    return {**part, "value": values} if values else part


def _kept_results(mention: Mention, losses: Losses) -> list[dict[str, Any]]:
    """Give what was kept of a mention's regions and of the relations between them."""
    kept = mention.extras.get(KEPT, [])
    if isinstance(kept, list) and all(
        isinstance(result, dict) and isinstance(result.get("value", {}), dict) for result in kept
    ):
        return kept
    losses.note_keys((KEPT,), "mentions' ")
    return []


def _is_relation(result: Mapping[str, Any]) -> bool:
    """Tell a relation from what is kept of a region, which has no type."""
    return result.get("type") == RELATION


def _regions_of(mention: Mention, kept: Sequence[dict[str, Any]], losses: Losses) -> list[dict[str, Any]]:
    """Give a region for each fragment, with what was kept of it."""
    fragments = len(mention.fragments)
    losses.note("regions that are one with their neighbour", len(kept[fragments:]))
    parts = [*kept[:fragments], *({} for _ in range(fragments - len(kept)))]
    if _TEXT in mention.extras and not any(_is_text_kept(part) for part in parts):
        losses.note_keys((_TEXT,), "mentions' ")
    regions = [_region(*pair, mention) for pair in zip(mention.fragments, parts, strict=True)]
    _put_extras(regions[0], mention, losses)
    return regions


def _put_extras(region: dict[str, Any], mention: Mention, losses: Losses) -> None:
    """Put the unknown keys of a mention where Label Studio has room for them: with the first of its regions."""
    extras = unknown(mention.extras, (KEPT, _TEXT))
    meta = region.get("meta", {})
    if extras and isinstance(meta, dict):
        region["meta"] = with_unknown(meta, extras, frozenset(), losses, "mentions' ")
    elif extras:
        losses.note_keys(extras, "mentions' ")


def _relations(
    identifiers: Sequence[Identifier], kept: Sequence[dict[str, Any]], losses: Losses
) -> dict[Ends, list[dict[str, Any]]]:
    """Give the relations that join a mention's regions, by what they join: the kept ones where they still do."""
    ends = [pair for pair in map(ends_of, kept) if pair]
    is_kept = ends and len(ends) == len(kept) and are_joining(ends, identifiers)
    losses.note("relations between regions that are no longer the same", 0 if is_kept else len(kept))
    relations: dict[Ends, list[dict[str, Any]]] = {}
    for relation in kept if is_kept else chain_of(identifiers):
        relations.setdefault((relation["from_id"], relation["to_id"]), []).append(relation)
    return relations


def _region(fragment: Fragment, part: Mapping[str, Any], mention: Mention) -> dict[str, Any]:
    start, end = fragment
    values = {"start": start, "end": end, "text": mention.layout.text[start:end], "labels": [mention.label]}
    value = {**values, **unknown(part.get("value", {}), _MENTION_VALUES)}
    region = {"id": None, **_DEFAULTS, **part, "type": "labels", "value": value}
    return region if mention.score is None else {**region, "score": mention.score}


def _placed(
    region: dict[str, Any], regions: dict[Identifier, dict[str, Any]], fresh: Iterator[str], losses: Losses
) -> Identifier:
    """Put a region among the others, and give its id; where it differs by its label only, the two become one."""
    wanted: Identifier = region["id"] if isinstance(region["id"], Identifier) else next(fresh)
    there = regions.get(wanted)
    if there and _differ_by_label(there, region):
        there["value"]["labels"] += region["value"]["labels"]
        return wanted
    losses.note("ids of regions that another bears", there is not None)
    identifier = next(fresh) if there else wanted
    regions[identifier] = {**region, "id": identifier}
    return identifier


def _differ_by_label(one: dict[str, Any], other: dict[str, Any]) -> bool:
    rests = [{**region, "value": unknown(region["value"], ("labels",))} for region in (one, other)]
    return rests[0] == rests[1] and not set(one["value"]["labels"]) & set(other["value"]["labels"])


def _without_dangling(results: Sequence[Any], regions: Iterable[Identifier], losses: Losses) -> list[Any]:
    """Leave out results about regions that are not there, say because the mentions were replaced by predictions."""
    there = {*regions, *_identifiers(result for result in results if _is_unlabelled(result))}
    kept = [result for result in results if not _is_about_regions(result) or there.issuperset(_identifiers([result]))]
    losses.note("relations and choices about regions that are not there", len(results) - len(kept))
    return kept


def _is_unlabelled(result: Any) -> bool:
    """Tell whether a result is a region itself, one without a label."""
    return isinstance(result, dict) and result.get("type") == "labels"


def _is_about_regions(result: Any) -> bool:
    if not isinstance(result, dict):
        return False
    return result.get("type") == "relation" or (isinstance(result.get("value"), dict) and "start" in result["value"])


def _identifiers(results: Iterable[Any]) -> Iterator[Identifier]:
    """Give the ids of results and of those that they relate."""
    for result in results:
        if isinstance(result, dict):
            named = (result.get(key) for key in ("id", "from_id", "to_id"))
            yield from (identifier for identifier in named if isinstance(identifier, Identifier))
