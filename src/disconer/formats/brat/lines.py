"""The lines of a brat annotation file that are not mentions: kept as they stand, and left out when they dangle."""

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from disconer.formats.losses import Losses
from disconer.formats.references import Referring, standing

KINDS = {
    "R": "relations",
    "E": "events",
    "A": "attributes",
    "M": "attributes",
    "*": "equivalences",
    "#": "notes",
    "N": "normalizations",
}
_OTHER = "other lines"
_REFERENCE = re.compile(r"[A-Z#]+[0-9]+")
_UNWRITABLE = re.compile("T|\\Z|[\\s\ufeff]|.*[\n\r]", re.DOTALL)  # what a reader would take for something else


class KeptLine(NamedTuple):
    """A line as it stood in its file, what it is called, and what it speaks of."""

    kind: str
    text: str
    identifier: str
    references: list[str]


def by_kind(lines: Iterable[str]) -> dict[str, list[str]]:
    """Group lines for the extra key `brat` of a document."""
    kinds: dict[str, list[str]] = {}
    for line in lines:
        kinds.setdefault(KINDS.get(line[0], _OTHER), []).append(line.replace("\r", " "))
    return kinds


def kept_lines(kinds: Any, losses: Losses) -> list[KeptLine] | None:
    """Undo `by_kind`; None when the value, which anybody may have written, is nothing of that sort."""
    if not isinstance(kinds, Mapping) or not all(isinstance(lines, list) for lines in kinds.values()):
        return None
    found = [(kind, line) for kind, lines in kinds.items() for line in lines]
    for kind, line in found:
        losses.note(f"brat {kind} that are no lines of an annotation file", not _is_writable(line))
    return [KeptLine(kind, line, line.split("\t")[0], _references(line)) for kind, line in found if _is_writable(line)]


def without_dangling(lines: list[KeptLine], identifiers: Iterable[str], losses: Losses) -> list[str]:
    """Leave out the lines that refer to something which is not there, and in turn those that refer to them."""
    things: dict[str, list[tuple[Referring, str]]] = {}
    for line in lines:
        things.setdefault(line.kind, []).append((Referring(line.identifier, line.references), line.text))
    return list(chain.from_iterable(standing(things, identifiers, "brat", losses).values()))


def _is_writable(line: object) -> bool:
    return isinstance(line, str) and not _UNWRITABLE.match(line) and line == line.encode(errors="replace").decode()


def _references(line: str) -> list[str]:
    """Give the ids that a line refers to: all of a relation's, event's or equivalence's, the first of the others'."""
    columns = line.split("\t")
    tokens = columns[1].split() if len(columns) > 1 else []
    if line[0] in "RE*":
        tokens = [token.rpartition(":")[2] for token in tokens[line[0] != "E" :]]
    else:
        tokens = tokens[1:2] if line[0] in KINDS else []
    return [token for token in tokens if _REFERENCE.fullmatch(token)]
