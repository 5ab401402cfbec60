"""The relations that join regions of a Label Studio annotation into mentions: those labelled `fragment`, or not at all.

Where regions share an id, a relation joins all that it may mean.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from disconer.formats.json_keys import list_at

FRAGMENT = "fragment"
"""The label of the relations that join the regions of a mention."""
RELATION = "relation"

Identifier = str | int
Ends = tuple[Identifier, Identifier]
"""What a relation comes from and goes to."""
_Node = tuple[int, str]
"""The number of a region and one of its labels."""
_Named = dict[Identifier, dict[str, list[_Node]]]
"""What ids stand for, by their labels."""
_Thing = TypeVar("_Thing", bound=Hashable)


class Labelled(NamedTuple):
    """What joins need to know of a region."""

    identifier: object
    labels: Sequence[str]


class RegionGroup(NamedTuple):
    """The numbers of the regions that make up a mention, and the relations that join them."""

    label: str
    numbers: list[int]
    relations: list[dict[str, Any]]


class _Join(NamedTuple):
    """What a relation joins under one label: several regions at an end where they share the id."""

    starts: list[_Node]
    goals: list[_Node]
    relation: dict[str, Any]


def group_regions(
    regions: Sequence[Labelled], results: Iterable[dict[str, Any]]
) -> tuple[list[RegionGroup], list[dict[str, Any]]]:
    """Group regions into mentions; also returns the results that join nothing."""
    named = _index_by_id(regions)
    joins: list[_Join] = []
    others = []
    for result in results:
        of_result = _read_joins(result, named)
        joins += of_result
        if not of_result:
            others.append(result)
    nodes = [(number, label) for number, region in enumerate(regions) for label in region.labels]
    return _make_groups(_unite(nodes, _list_pairs(joins)), joins), others


def read_ends(result: dict[str, Any]) -> Ends | None:
    """Read what a relation joins; None when a result is something else."""
    if result.get("type") != RELATION or list_at(result, "labels") not in ([], [FRAGMENT]):
        return None
    start, end = result.get("from_id"), result.get("to_id")
    return (start, end) if isinstance(start, Identifier) and isinstance(end, Identifier) else None


def chain_regions(identifiers: Iterable[Any]) -> list[dict[str, Any]]:
    """Make a relation from each region to the next."""
    common = {"type": RELATION, "direction": "right", "labels": [FRAGMENT]}
    return [{"from_id": one, "to_id": other, **common} for one, other in pairwise(identifiers)]


def is_joining_all(ends: Sequence[Ends], identifiers: Sequence[Identifier]) -> bool:
    """Tell whether relations join all of these regions and nothing else."""
    if not {identifier for pair in ends for identifier in pair} <= set(identifiers):
        return False
    return len(_unite(identifiers, ends)[identifiers[0]]) == len(identifiers)


def _index_by_id(regions: Sequence[Labelled]) -> _Named:
    named: _Named = {}
    for number, (identifier, labels) in enumerate(regions):
        if isinstance(identifier, Identifier):
            of_identifier = named.setdefault(identifier, {})
            for label in dict.fromkeys(labels):
                of_identifier.setdefault(label, []).append((number, label))
    return named


def _read_joins(result: dict[str, Any], named: _Named) -> list[_Join]:
    ends = read_ends(result)
    starts, goals = (named.get(end, {}) for end in ends) if ends else ({}, {})
    shared = [label for label in starts.keys() & goals.keys() if starts is not goals or len(starts[label]) > 1]
    return [_Join(starts[label], goals[label], result) for label in shared]


def _list_pairs(joins: Sequence[_Join]) -> Iterator[tuple[_Node, _Node]]:
    """Pair what belongs together: the first of either end, and once the others that share its id."""
    namesakes = {id(nodes): nodes for join in joins for nodes in (join.starts, join.goals)}
    for nodes in namesakes.values():
        yield from pairwise(nodes)
    yield from ((join.starts[0], join.goals[0]) for join in joins)


def _unite(things: Iterable[_Thing], pairs: Iterable[tuple[_Thing, _Thing]]) -> dict[_Thing, list[_Thing]]:
    """Map each node to its connected component; of two, the smaller goes into the larger."""
    groups = {thing: [thing] for thing in things}
    for one, other in pairs:
        smaller, larger = sorted((groups[one], groups[other]), key=len)
        if smaller is not larger:
            larger += smaller
            groups |= dict.fromkeys(smaller, larger)
    return groups


def _make_groups(united: dict[_Node, list[_Node]], joins: Iterable[_Join]) -> list[RegionGroup]:
    unique = {id(nodes): nodes for nodes in united.values()}
    groups = {key: RegionGroup(nodes[0][1], [number for number, _ in nodes], []) for key, nodes in unique.items()}
    for join in joins:
        groups[id(united[join.starts[0]])].relations.append(join.relation)
    return list(groups.values())
