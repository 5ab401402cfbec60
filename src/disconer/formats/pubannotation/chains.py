"""Denotations of PubAnnotation that are chained together: the older of its two ways to write a gap.

    {"id": "T1", "span": {"begin": 0, "end": 12}, "obj": "_FRAGMENT"}
    {"id": "T2", "span": {"begin": 26, "end": 30}, "obj": "ADR"}
    {"pred": "_lexicallyChainedTo", "subj": "T2", "obj": "T1"}

The last denotation of a chain is the mention, whatever those that it leads to are called; several may share one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from disconer.exceptions import FormatError, shown

Record = dict[str, Any]
_PREDICATE = "_lexicallyChainedTo"


class Chains:
    """Which denotations lead to which."""

    def __init__(self, denotations: Iterable[Record], relations: Iterable[Any]) -> None:
        self._bearers: dict[Any, list[Record]] = defaultdict(list)
        for denotation in denotations:
            if isinstance(denotation.get("id"), str):
                self._bearers[denotation["id"]].append(denotation)
        self.other_relations: list[Any] = []
        self._links: dict[str, list[str]] = defaultdict(list)
        for relation in relations:
            if self._is_link(relation):
                self._links[relation["subj"]].append(relation["obj"])
            else:
                self.other_relations.append(relation)
        self._fragments = {fragment for fragments in self._links.values() for fragment in fragments}

    def chained(self, denotations: Iterable[Record]) -> Iterator[list[Record]]:
        """Give every mention as the denotations that make it up, the one that names it first."""
        unused = set(self._fragments)
        for denotation in denotations:
            identifier = denotation.get("id")
            if not self._is_fragment(identifier):
                members = self._members(identifier)
                unused -= members
                yield [denotation, *(bearer for member in sorted(members) for bearer in self._bearers[member])]
        if unused:
            raise FormatError(f"the chain of the denotation {shown(min(unused))} leads back to itself")

    def _is_link(self, relation: Any) -> bool:
        if not isinstance(relation, dict) or relation.get("pred") != _PREDICATE:
            return False
        ends = (relation.get("subj"), relation.get("obj"))
        return all(isinstance(end, str) and end in self._bearers for end in ends)

    def _is_fragment(self, identifier: Any) -> bool:
        return isinstance(identifier, str) and identifier in self._fragments

    def _members(self, identifier: Any) -> set[str]:
        """Give everything that a denotation leads to."""
        members: set[str] = set()
        ahead = [identifier] if isinstance(identifier, str) else []
        while ahead:
            following = set(self._links.get(ahead.pop(), ())) - members
            members |= following
            ahead += following
        return members
