"""The results of a Label Studio annotation: regions, and the relations that join them into mentions.

Label Studio has no regions with gaps. The fragments of a mention are regions of one label, joined by relations from
each to the next; these bear the label `fragment`, and relations without a label join as well. Every mention has regions
of its own, even where two of them share a fragment. A region of several labels is as many mentions.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

from disconer.document import Fragment, Mention
from disconer.exceptions import FormatError, shown
from disconer.formats.json_keys import list_at, unknown
from disconer.formats.losses import Losses
from disconer.formats.naming import fresh_names
from disconer.formats.scores import score_of
from disconer.formats.surface import in_code_points, is_same
from disconer.spans import Span, is_offset
from disconer.tokenize import Layout

FRAGMENT = "fragment"
"""The label of the relations that join the regions of a mention."""
KEPT = "label-studio"
"""The extra key, of documents and of mentions, of what Label Studio says beside text and mentions."""

Identifier = str | int
Node = tuple[int, str]
"""The number of a region and one of its labels."""

_DEFAULTS = {"from_name": "label", "to_name": "text"}
"""What the tags of the labelling interface are called."""
_OUR_IDENTIFIER = re.compile(r"disconer-[0-9]+")
_MENTION_VALUES = frozenset(("start", "end", "labels"))
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


def mentions_of(results: Sequence[Any], layout: Layout) -> tuple[list[Mention], list[Any]]:
    """Give the mentions among the results of an annotation, and the results that are something else."""
    regions = _regions([result for result in results if _is_region(result)], layout.text)
    joins, others = _joins([result for result in results if not _is_region(result)], regions)
    groups = _groups([(number, label) for number, region in enumerate(regions) for label in region.labels], joins)
    referred = set(_identifiers(others))
    mentions = [_mention(label, [regions[number] for number in numbers], referred, layout) for label, numbers in groups]
    return mentions, others


def results_of(mentions: Sequence[Mention], others: Sequence[Any], losses: Losses) -> list[Any]:
    """Undo `mentions_of`."""
    kept = [_kept_parts(mention, losses) for mention in mentions]
    taken = {*_identifiers(others), *_identifiers(part for parts in kept for part in parts)}
    fresh = fresh_names("disconer-", {str(identifier) for identifier in taken})
    regions: dict[Identifier, dict[str, Any]] = {}
    relations: dict[tuple[Identifier, Identifier], dict[str, Any]] = {}
    for mention, parts in zip(mentions, kept, strict=True):
        of_mention = [_region(*pair, mention) for pair in zip(mention.fragments, parts, strict=True)]
        chain = [_placed(region, regions, fresh, losses) for region in _with_extras(of_mention, mention)]
        relations |= {pair: _relation(*pair) for pair in pairwise(chain)}
    return [*regions.values(), *relations.values(), *_without_dangling(others, regions.keys(), losses)]


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


def _joins(results: Iterable[dict[str, Any]], regions: Sequence[_Region]) -> tuple[list[tuple[Node, Node]], list[Any]]:
    """Give what relations join, and the results that join nothing."""
    numbers: dict[Any, list[int]] = {}
    for number, region in enumerate(regions):
        for identifier in _identifiers([region.result]):
            numbers.setdefault(identifier, []).append(number)
    joins: list[tuple[Node, Node]] = []
    others = []
    for result in results:
        joined = list(_joined(result, regions, numbers))
        joins += joined
        if not joined:
            others.append(result)
    return joins, others


def _joined(
    result: dict[str, Any], regions: Sequence[_Region], numbers: Mapping[Any, list[int]]
) -> Iterator[tuple[Node, Node]]:
    """Give what a result joins: regions with a label in common, where it is a relation without another meaning."""
    if result.get("type") != "relation" or list_at(result, "labels") not in ([], [FRAGMENT]):
        return
    ends = [result.get(key) for key in ("from_id", "to_id")]
    if all(isinstance(end, Identifier) for end in ends):
        for one, other in product(*(numbers.get(end, []) for end in ends)):
            shared = [label for label in regions[one].labels if label in regions[other].labels and one != other]
            yield from (((one, label), (other, label)) for label in shared)


def _groups(nodes: Iterable[Node], joins: Iterable[tuple[Node, Node]]) -> list[tuple[str, list[int]]]:
    """Give a label and the numbers of the regions for each mention."""
    groups = {node: [node] for node in nodes}
    for one, other in joins:
        if groups[one] is not groups[other]:
            groups[one] += groups[other]
            groups |= dict.fromkeys(groups[other], groups[one])
    unique = {id(group): group for group in groups.values()}
    return [(group[0][1], [number for number, _ in group]) for group in unique.values()]


def _mention(label: str, regions: list[_Region], referred: set[Identifier], layout: Layout) -> Mention:
    regions.sort(key=lambda region: region.span)
    scores = [region.score for region in regions if region.score is not None]
    parts = [_part(region, referred, layout.text) for region in regions]
    meta = parts[0].get("meta")
    extras: dict[str, Any] = {}
    if isinstance(meta, dict) and KEPT not in meta:
        extras = parts[0].pop("meta")
    if any(parts):
        extras = {**extras, KEPT: parts}
    return Mention(label, [region.span for region in regions], layout, min(scores, default=None), extras)


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


def _kept_parts(mention: Mention, losses: Losses) -> list[dict[str, Any]]:
    """Give what was kept of a mention's regions, one for each fragment."""
    parts = mention.extras.get(KEPT, [])
    if not isinstance(parts, list) or not all(
        isinstance(part, dict) and isinstance(part.get("value", {}), dict) for part in parts
    ):
        losses.note(f"values of the mentions' key {KEPT!r}")
        parts = []
    fragments = len(mention.fragments)
    losses.note("regions that are one with their neighbour", len(parts[fragments:]))
    return [*parts[:fragments], *({} for _ in range(fragments - len(parts)))]


def _region(fragment: Fragment, part: Mapping[str, Any], mention: Mention) -> dict[str, Any]:
    start, end = fragment
    values = {"start": start, "end": end, "text": mention.layout.text[start:end], "labels": [mention.label]}
    value = {**values, **unknown(part.get("value", {}), _MENTION_VALUES)}
    region = {"id": None, **_DEFAULTS, **part, "type": "labels", "value": value}
    return region if mention.score is None else {**region, "score": mention.score}


def _with_extras(regions: list[dict[str, Any]], mention: Mention) -> list[dict[str, Any]]:
    """Put the unknown keys of a mention where Label Studio has room for them: with the first of its regions."""
    extras = unknown(mention.extras, (KEPT,))
    if extras:
        meta = regions[0].get("meta")
        regions[0]["meta"] = {**(meta if isinstance(meta, dict) else {}), **extras}
    return regions


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


def _relation(one: Identifier, other: Identifier) -> dict[str, Any]:
    return {"from_id": one, "to_id": other, "type": "relation", "direction": "right", "labels": [FRAGMENT]}


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
