"""The results of a Label Studio annotation: regions, and the relations that join them into mentions.

Label Studio has no regions with gaps. The fragments of a mention are regions of one label, joined by relations from
each to the next; these have the label `fragment`, and relations without a label join as well. Every mention has regions
of its own, even where two of them share a fragment. A region of several labels is as many mentions.

A mention's extra key `label-studio` lists what its regions say beside it, a part each, and then the relations that join
them if disconer would write others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from disconer.document import Fragment, Mention
from disconer.exceptions import FormatError, quote
from disconer.formats import jsonl
from disconer.formats.json_keys import add_unknown, drop_keys, list_at, read_score
from disconer.formats.label_studio.joins import (
    RELATION,
    Ends,
    Identifier,
    Labelled,
    RegionGroup,
    chain_regions,
    group_regions,
    is_joining_all,
    read_ends,
)
from disconer.formats.losses import Losses
from disconer.formats.references import generate_names
from disconer.formats.surface import is_same, to_code_points
from disconer.foundation.spans import Span, is_offset
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
        return read_score(self.result.get("score"))

    def surface(self, text: str) -> str:
        """The text that the region claims, or else the one at its offsets."""
        surface = self.result["value"].get(_TEXT)
        return surface if isinstance(surface, str) else text[slice(*self.span)]


class _JoinedRegions:
    """The regions of a mention, in the order of the text."""

    def __init__(self, group: RegionGroup, regions: Sequence[_Region]) -> None:
        self.label = group.label
        self.regions = sorted((regions[number] for number in group.numbers), key=lambda region: region.span)
        usual = chain_regions(region.result.get("id") for region in self.regions)
        self.kept_relations = group.relations if group.relations != usual else []
        """Those that join the regions, if they would be written otherwise."""


def read_mentions(results: Sequence[Any], layout: Layout) -> tuple[list[Mention], list[Any]]:
    """Read the mentions among the results of an annotation; also returns the results that are something else."""
    regions = _read_regions([result for result in results if _is_region(result)], layout.text)
    labelled = [Labelled(region.result.get("id"), region.labels) for region in regions]
    groups, others = group_regions(labelled, [result for result in results if not _is_region(result)])
    found = [_JoinedRegions(group, regions) for group in groups]
    kept = chain.from_iterable(each.kept_relations for each in found)
    referred = {*_list_identifiers(others), *_list_identifiers(kept)}
    return [_read_mention(each, referred, layout) for each in found], others


def to_results(mentions: Sequence[Mention], others: Sequence[Any], losses: Losses) -> list[Any]:
    """Undo `read_mentions`."""
    kept = [_read_kept(mention, losses) for mention in mentions]
    taken = {*_list_identifiers(others), *_list_identifiers(result for of_mention in kept for result in of_mention)}
    fresh = generate_names(OUR_PREFIX, {str(identifier) for identifier in taken})
    regions: dict[Identifier, dict[str, Any]] = {}
    relations: dict[Ends, list[dict[str, Any]]] = {}
    for mention, of_mention in zip(mentions, kept, strict=True):
        parts = [result for result in of_mention if not _is_relation(result)]
        placed = [_place_region(region, regions, fresh, losses) for region in _to_regions(mention, parts, losses)]
        relations |= _to_relations(placed, [result for result in of_mention if _is_relation(result)], losses)
    joining = chain.from_iterable(relations.values())
    return [*regions.values(), *joining, *_drop_dangling(others, regions.keys(), losses)]


def _is_region(result: Any) -> bool:
    if not isinstance(result, dict) or not isinstance(result.get("value", {}), dict):
        raise FormatError("a result must be an object, and so must its 'value'")
    if result.get("type") in _NOT_OF_TEXT:
        raise FormatError(f"regions of type {quote(result['type'])} are not of plain text: export a project of Text")
    return result.get("type") == "labels" and bool(list_at(result.get("value", {}), "labels"))


def _read_regions(results: Sequence[dict[str, Any]], text: str) -> list[_Region]:
    """Check regions, and count their offsets in code points."""
    values = [result["value"] for result in results]
    for value in values:
        if not (is_offset(value.get("start")) and is_offset(value.get("end"))):
            raise FormatError("'start' and 'end' of a region must be whole numbers")
        if not all(isinstance(label, str) for label in value["labels"]):
            raise FormatError("the labels of a region must be strings")
    spans = [(value["start"], value["end"]) for value in values]
    counted = to_code_points(spans, [value.get("text") for value in values], text)
    return [_Region(*pair) for pair in zip(results, counted, strict=True)]


def _read_mention(found: _JoinedRegions, referred: set[Identifier], layout: Layout) -> Mention:
    scores = [region.score for region in found.regions if region.score is not None]
    parts = [_collect_part(region, referred, layout.text) for region in found.regions]
    extras = _pop_meta_extras(parts[0])
    if any(_has_text(part) for part in parts):
        extras[_TEXT] = " ".join(region.surface(layout.text) for region in found.regions)
    kept = [*parts, *found.kept_relations]
    if any(kept):
        extras[KEPT] = kept
    spans = [region.span for region in found.regions]
    return Mention(found.label, spans, layout, min(scores, default=None), extras)


def _pop_meta_extras(part: dict[str, Any]) -> dict[str, Any]:
    """Take the keys out of a region's `meta` that a mention can have."""
    meta = part.get("meta")
    extras = drop_keys(meta, _NOT_IN_EXTRAS) if isinstance(meta, dict) else {}
    if extras:
        part["meta"] = drop_keys(part["meta"], extras)
        if not part["meta"]:
            del part["meta"]
    return extras


def _has_text(part: Mapping[str, Any]) -> bool:
    return isinstance(part.get("value", {}).get(_TEXT), str)


def _collect_part(region: _Region, referred: set[Identifier], text: str) -> dict[str, Any]:
    """Collect what a region says beside the mention, without what would be written anyway."""
    values = drop_keys(region.result["value"], _MENTION_VALUES)
    if is_same(values.get("text"), text[slice(*region.span)]):
        del values["text"]
    part = drop_keys(region.result, ("type", "value"))
    identifier = part.get("id")
    if isinstance(identifier, str) and _OUR_IDENTIFIER.fullmatch(identifier) and identifier not in referred:
        del part["id"]
    if region.score is not None:
        del part["score"]
    part = {key: value for key, value in part.items() if key not in _DEFAULTS or _DEFAULTS[key] != value}
    return {**part, "value": values} if values else part


def _read_kept(mention: Mention, losses: Losses) -> list[dict[str, Any]]:
    """Read what was kept of a mention's regions and of the relations between them."""
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


def _to_regions(mention: Mention, kept: Sequence[dict[str, Any]], losses: Losses) -> list[dict[str, Any]]:
    """Make a region of each fragment, with what was kept of it."""
    fragments = len(mention.fragments)
    losses.note("regions that are one with their neighbour", len(kept[fragments:]))
    parts = [*kept[:fragments], *({} for _ in range(fragments - len(kept)))]
    if _TEXT in mention.extras and not any(_has_text(part) for part in parts):
        losses.note_keys((_TEXT,), "mentions' ")
    regions = [_to_region(*pair, mention) for pair in zip(mention.fragments, parts, strict=True)]
    _put_extras(regions[0], mention, losses)
    return regions


def _put_extras(region: dict[str, Any], mention: Mention, losses: Losses) -> None:
    """Put the unknown keys of a mention where Label Studio has room for them: with the first of its regions."""
    extras = drop_keys(mention.extras, (KEPT, _TEXT))
    meta = region.get("meta", {})
    if extras and isinstance(meta, dict):
        region["meta"] = add_unknown(meta, extras, frozenset(), losses, "mentions' ")
    elif extras:
        losses.note_keys(extras, "mentions' ")


def _to_relations(
    identifiers: Sequence[Identifier], kept: Sequence[dict[str, Any]], losses: Losses
) -> dict[Ends, list[dict[str, Any]]]:
    """Relate a mention's regions, by their ends: with the kept relations where they still join them."""
    ends = [pair for pair in map(read_ends, kept) if pair]
    is_kept = ends and len(ends) == len(kept) and is_joining_all(ends, identifiers)
    losses.note("relations between regions that are no longer the same", 0 if is_kept else len(kept))
    relations: dict[Ends, list[dict[str, Any]]] = {}
    for relation in kept if is_kept else chain_regions(identifiers):
        relations.setdefault((relation["from_id"], relation["to_id"]), []).append(relation)
    return relations


def _to_region(fragment: Fragment, part: Mapping[str, Any], mention: Mention) -> dict[str, Any]:
    start, end = fragment
    values = {"start": start, "end": end, "text": mention.layout.text[start:end], "labels": [mention.label]}
    value = {**values, **drop_keys(part.get("value", {}), _MENTION_VALUES)}
    region = {"id": None, **_DEFAULTS, **part, "type": "labels", "value": value}
    return region if mention.score is None else {**region, "score": mention.score}


def _place_region(
    region: dict[str, Any], regions: dict[Identifier, dict[str, Any]], fresh: Iterator[str], losses: Losses
) -> Identifier:
    """Put a region among the others, and give its id; where it differs by its label only, the two become one."""
    wanted: Identifier = region["id"] if isinstance(region["id"], Identifier) else next(fresh)
    there = regions.get(wanted)
    if there and _is_same_but_for_labels(there, region):
        there["value"]["labels"] += region["value"]["labels"]
        return wanted
    losses.note("ids of regions that another bears", there is not None)
    identifier = next(fresh) if there else wanted
    regions[identifier] = {**region, "id": identifier}
    return identifier


def _is_same_but_for_labels(one: dict[str, Any], other: dict[str, Any]) -> bool:
    rests = [{**region, "value": drop_keys(region["value"], ("labels",))} for region in (one, other)]
    return rests[0] == rests[1] and not set(one["value"]["labels"]) & set(other["value"]["labels"])


def _drop_dangling(results: Sequence[Any], regions: Iterable[Identifier], losses: Losses) -> list[Any]:
    """Leave out results about regions that are not there, say because the mentions were replaced by predictions."""
    there = {*regions, *_list_identifiers(result for result in results if _is_unlabelled(result))}
    kept = [
        result for result in results if not _is_about_regions(result) or there.issuperset(_list_identifiers([result]))
    ]
    losses.note("relations and choices about regions that are not there", len(results) - len(kept))
    return kept


def _is_unlabelled(result: Any) -> bool:
    """Tell whether a result is a region itself, one without a label."""
    return isinstance(result, dict) and result.get("type") == "labels"


def _is_about_regions(result: Any) -> bool:
    if not isinstance(result, dict):
        return False
    return result.get("type") == "relation" or (isinstance(result.get("value"), dict) and "start" in result["value"])


def _list_identifiers(results: Iterable[Any]) -> Iterator[Identifier]:
    """List the ids of results and of those that they relate."""
    for result in results:
        if isinstance(result, dict):
            named = (result.get(key) for key in ("id", "from_id", "to_id"))
            yield from (identifier for identifier in named if isinstance(identifier, Identifier))
