"""What the offsets of a BioC document count.

BioC's description asks for bytes; PubMed Central, PubTator and the `bioc` library count code points, and programs in
Java the units of UTF-16. It is all the same while a text is ASCII; where it is not, the texts of the annotations tell.
"""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from disconer.exceptions import InputError
from disconer.formats.bioc.annotations import is_exact
from disconer.formats.bioc.parts import KINDS, LISTS, Part, annotations_of, is_mention, number, parts
from disconer.formats.bioc.passages import placed_texts, whole_text

_Width = Callable[[str], int]
"""How many units a character counts for."""
_BROKEN = -1
"""So many annotations are right in a document that cannot be read."""


def in_code_points(document: Part) -> Part:
    """Give a document with offsets in code points: as it is, unless more annotations are right in other units."""
    texts = placed_texts(parts(document, "passages"))
    if all(text.isascii() for _, text in texts) or _right(document) in (_BROKEN, _told(document)):
        return document
    views = (document, *(_converted(document, _Ruler(texts, width)) for width in (_bytes, _utf16_units)))
    return max(views, key=_right)


class _Ruler:
    """The way from offsets that count other units to code points."""

    def __init__(self, texts: list[tuple[int, str]], width: _Width) -> None:
        self._starts = [offset for offset, _ in texts]
        self._stretches: list[tuple[int, list[int]]] = []
        """For each text, how many code points stand before it, and how many units before each character of it."""
        units = code_points = 0
        for offset, text in texts:
            code_points += offset - units
            self._stretches.append((code_points, [0, *accumulate(map(width, text))]))
            units = offset + self._stretches[-1][1][-1]
            code_points += len(text)

    def code_point(self, offset: int) -> int:
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        code_points, units = self._stretches[at]
        inside = offset - self._starts[at]
        return code_points + bisect_right(units, inside) - 1 + max(0, inside - units[-1])


def _converted(part: Part, ruler: _Ruler, tag: str = "document") -> Part:
    converted = dict(part)
    for key in KINDS[tag].inner:
        if key in part and key != "relations":
            converted[key] = [_converted(one, ruler, LISTS[key]) for one in parts(part, key)]
    if "offset" in part:
        offset = number(part, "offset")
        converted["offset"] = ruler.code_point(offset)
        if "length" in part:
            converted["length"] = ruler.code_point(offset + number(part, "length")) - converted["offset"]
    return converted


def _right(document: Part) -> int:
    """Count the annotations whose text is the one at their offsets."""
    try:
        text = whole_text(parts(document, "passages"))
        return sum(is_mention(one) and is_exact(one, text) for one in annotations_of(document))
    except InputError:
        return _BROKEN


def _told(document: Part) -> int:
    """Count the annotations that have a text."""
    return sum(is_mention(one) and bool(one.get("text")) for one in annotations_of(document))


def _bytes(character: str) -> int:
    return len(character.encode(errors="replace"))


def _utf16_units(character: str) -> int:
    return 1 + (character > "\uffff")
