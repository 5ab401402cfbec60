"""Ids: giving them to things, and leaving out the things that refer to an id which nothing bears."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from disconer.exceptions import shown
from disconer.formats.losses import Losses
from disconer.formats.naming import fresh_names

_Thing = TypeVar("_Thing")


class Referring(NamedTuple):
    """What a thing is called, if anything, and the ids that it refers to."""

    identifier: str | None
    references: Collection[str]


def as_identifier(value: object) -> str:
    """Give an id that came with a thing, nothing when it is none that UTF-8 can hold."""
    return value if isinstance(value, str) and value == value.encode(errors="replace").decode() else ""


def unique_identifiers(wanted: Sequence[str], prefix: str, taken: Iterable[str] = ()) -> list[str]:
    """Give everybody the id they want, if any and if they are the first, and the others numbers that nobody bears.

    >>> unique_identifiers(["T2", "", "T2", ""], "T", taken=["T3"])
    ['T2', 'T1', 'T4', 'T5']
    """
    unused = set(wanted) - {""}
    fresh = fresh_names(prefix, unused.union(taken))
    identifiers = []
    for identifier in wanted:
        identifiers.append(identifier if identifier in unused else next(fresh))
        unused.discard(identifier)
    return identifiers


def standing(
    things: Mapping[str, Iterable[tuple[Referring, _Thing]]], there: Iterable[str], format_name: str, losses: Losses
) -> dict[str, list[_Thing]]:
    """Leave out the things that dangle, beside what is there, and count them; they and what remains go by their kinds.

    >>> things = {"events": [(Referring("E1", ["T1"]), "one"), (Referring("E2", ["T2"]), "two")]}
    >>> losses = Losses()
    >>> standing(things, ["T1"], "brat", losses), losses.lines()
    ({'events': ['one']}, ['brat events that refer to something that is not there (1)'])
    """
    placed = [(kind, *thing) for kind, of_kind in things.items() for thing in of_kind]
    removed = dangling([referring for _, referring, _ in placed], there)
    remaining: dict[str, list[_Thing]] = {kind: [] for kind in things}
    for index, (kind, _, thing) in enumerate(placed):
        if index in removed:
            losses.note(f"{format_name} {shown(kind)[1:-1]} that refer to something that is not there")
        else:
            remaining[kind].append(thing)
    return remaining


def dangling(things: Sequence[Referring], there: Iterable[str]) -> set[int]:
    """Find the things that refer to something which is not there, and in turn those that refer to them.

    >>> sorted(dangling([Referring("E1", ["T1"]), Referring("E2", ["E3"]), Referring("E3", ["T2"])], ["T1"]))
    [1, 2]
    """
    bearers = Counter([*there, *(thing.identifier for thing in things if thing.identifier is not None)])
    referring: dict[str, list[int]] = defaultdict(list)
    for index, thing in enumerate(things):
        for reference in thing.references:
            referring[reference].append(index)
    missing = [reference for reference in referring if not bearers[reference]]
    removed: set[int] = set()
    while missing:
        for index in set(referring[missing.pop()]) - removed:
            removed.add(index)
            identifier = things[index].identifier
            if identifier is not None:
                bearers[identifier] -= 1
                if not bearers[identifier]:
                    missing.append(identifier)
    return removed
