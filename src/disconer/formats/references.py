"""Ids of parts of a file: assigning them, dropping what refers to an id that nothing has, naming a part in an error."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple, TypeVar

from disconer.exceptions import InputError, quote
from disconer.formats.losses import Losses

_Thing = TypeVar("_Thing")


class Referring(NamedTuple):
    """What a thing is called, if anything, and the ids that it refers to."""

    identifier: str | None
    references: Collection[str]


def as_identifier(value: object) -> str:
    """Return an id as it is, empty when it is not text that UTF-8 can hold."""
    return value if isinstance(value, str) and value == value.encode(errors="replace").decode() else ""


def assign_identifiers(wanted: Sequence[str], prefix: str, taken: Iterable[str] = ()) -> list[str]:
    """Assign each the id it wants, if it is the first to, and the others numbers that are not taken.

    >>> assign_identifiers(["T2", "", "T2", ""], "T", taken=["T3"])
    ['T2', 'T1', 'T4', 'T5']
    """
    unused = set(wanted) - {""}
    fresh = generate_names(prefix, unused.union(taken))
    identifiers = []
    for identifier in wanted:
        identifiers.append(identifier if identifier in unused else next(fresh))
        unused.discard(identifier)
    return identifiers


def drop_dangling(
    things: Mapping[str, Iterable[tuple[Referring, _Thing]]], there: Iterable[str], format_name: str, losses: Losses
) -> dict[str, list[_Thing]]:
    """Drop and count the things, grouped by kind, that refer to an id that nothing has.

    >>> things = {"events": [(Referring("E1", ["T1"]), "one"), (Referring("E2", ["T2"]), "two")]}
    >>> losses = Losses()
    >>> drop_dangling(things, ["T1"], "brat", losses), losses.lines()
    ({'events': ['one']}, ['brat events that refer to something that is not there (1)'])
    """
    placed = [(kind, *thing) for kind, of_kind in things.items() for thing in of_kind]
    removed = find_dangling([referring for _, referring, _ in placed], there)
    remaining: dict[str, list[_Thing]] = {kind: [] for kind in things}
    for index, (kind, _, thing) in enumerate(placed):
        if index in removed:
            losses.note(f"{format_name} {quote(kind)[1:-1]} that refer to something that is not there")
        else:
            remaining[kind].append(thing)
    return remaining


def find_dangling(things: Sequence[Referring], there: Iterable[str]) -> set[int]:
    """Find the things that refer to something which is not there, and then those that refer to these.

    >>> sorted(find_dangling([Referring("E1", ["T1"]), Referring("E2", ["E3"]), Referring("E3", ["T2"])], ["T1"]))
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


@contextmanager
def name_in_errors(what: str, part: Mapping[str, Any]) -> Iterator[None]:
    """Name the part, by its id if it has one, in every `InputError` that leaves the block."""
    try:
        yield
    except InputError as error:
        if "id" in part:
            error.message = f"{what} {quote(part['id'])}: {error.message}"
        raise


def generate_names(prefix: str, taken: Container[str]) -> Iterator[str]:
    """Number names with a prefix, without those that are taken."""
    return (f"{prefix}{number}" for number in count(1) if f"{prefix}{number}" not in taken)
