"""The passages of a BigBIO record, and the one text that they are parts of.

All offsets count in the text in which every passage stands at its own, as a rule with one space between two of them.
Some loaders get the passages' offsets wrong: what they mean is the passages joined by single spaces.
"""

from collections.abc import Sequence
from typing import Any

from disconer.formats.surface import is_same

_MOST_BLANKS = 1_000_000
"""More than any document leaves out between passages: offsets beyond are mistakes, or meant to fill the memory."""

Record = dict[str, Any]


def text_and_passages(passages: Sequence[Record], entities: Sequence[Record]) -> tuple[str, list[Record]]:
    """Put the text together, and give the passages without their texts, each with the offsets where it now stands.

    >>> text_and_passages([{"text": ["One."], "offsets": [[0, 4]]}, {"text": ["Two."], "offsets": [[6, 10]]}], [])
    ('One.  Two.', [{'offsets': [[0, 4]]}, {'offsets': [[6, 10]]}])
    """
    joined, joined_passages = _joined(passages)
    placed = placed_text(passages)
    if placed is None or _agreement(placed, entities) < _agreement(joined, entities):
        return joined, joined_passages
    return placed, [_without_text(passage, passage.get("offsets") or []) for passage in passages]


def placed_text(passages: Sequence[Record]) -> str | None:
    """Put every passage at its offsets, blanks in between; None when they do not all have a place of their own."""
    if any(len(_offsets(passage)) != len(_texts(passage)) for passage in passages):
        return None
    pieces = sorted(piece for passage in passages for piece in zip(_offsets(passage), _texts(passage), strict=True))
    blanks = pieces[-1][0][0] - sum(len(text) for _, text in pieces[:-1]) if pieces else 0
    parts: list[str] = []
    position = 0
    for (start, end), text in pieces:
        if start < position or end - start != len(text) or blanks > _MOST_BLANKS:
            return None
        parts += " " * (start - position), text
        position = end
    return "".join(parts)


def texts_at(text: str, offsets: Sequence[Sequence[int]]) -> list[str]:
    """Give the text at every pair of offsets."""
    return [text[start:end] for start, end in offsets]


def differs(text: str, place: Record) -> bool:
    """Tell whether the text at the offsets is another than the one that a record gives, white space aside."""
    return not is_same(" ".join(_texts(place)), " ".join(texts_at(text, _offsets(place))))


def _agreement(text: str, entities: Sequence[Record]) -> int:
    return sum(not differs(text, entity) for entity in entities)


def _joined(passages: Sequence[Record]) -> tuple[str, list[Record]]:
    """Join the passages by single spaces."""
    standing: list[Record] = []
    start = 0
    for passage in passages:
        offsets = []
        for text in _texts(passage):
            offsets.append([start, start + len(text)])
            start += len(text) + 1
        standing.append(_without_text(passage, offsets))
    return " ".join(text for passage in passages for text in _texts(passage)), standing


def _without_text(passage: Record, offsets: list[list[int]]) -> Record:
    return {key: value for key, value in passage.items() if key != "text"} | {"offsets": offsets}


def _texts(place: Record) -> list[str]:
    return place.get("text") or []


def _offsets(place: Record) -> list[list[int]]:
    return place.get("offsets") or []
