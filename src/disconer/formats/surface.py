"""The text of a mention that a file repeats beside the offsets: a witness of how these were counted."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain

from disconer.spans import Span

_LAST_OF_THE_BASIC_PLANE = "\uffff"


def is_same(surface: object, text: str) -> bool:
    r"""Tell whether a repeated text is the one at the offsets, white space aside, which some write as `\n`."""
    return isinstance(surface, str) and _bare(surface) == _bare(text)


def in_code_points(
    spans: Sequence[Span], surfaces: Sequence[object], text: str, prefers_units: bool = False
) -> list[Span]:
    """Give spans in code points; they may count UTF-16 code units, if that finds more of the repeated texts.

    Where both find the same number they count code points, or code units if those are preferred.

    >>> in_code_points([(3, 7)], ["pain"], "🙂 pain")
    [(2, 6)]
    """
    if max(text, default="") <= _LAST_OF_THE_BASIC_PLANE:
        return list(spans)
    offsets = _offsets_of_units(text)
    as_units = [(_at(start, offsets), _at(end, offsets)) for start, end in spans]
    readings = (as_units, list(spans)) if prefers_units else (list(spans), as_units)
    return max(readings, key=lambda counted: _agreeing(counted, surfaces, text))


def in_utf16(spans: Iterable[Span], text: str) -> list[Span]:
    """Count UTF-16 code units instead of code points.

    >>> in_utf16([(2, 6)], "🙂 pain")
    [(3, 7)]
    """
    units = [0, *accumulate(1 + (character > _LAST_OF_THE_BASIC_PLANE) for character in text)]
    return [(units[start], units[end]) for start, end in spans]


def _bare(text: str) -> str:
    return "".join(text.replace("\\n", " ").split())


def _offsets_of_units(text: str) -> list[int]:
    """Give the code point that each UTF-16 code unit belongs to, and the end."""
    pairs = ((index,) * (1 + (character > _LAST_OF_THE_BASIC_PLANE)) for index, character in enumerate(text))
    return [*chain.from_iterable(pairs), len(text)]


def _at(unit: int, offsets: list[int]) -> int:
    return offsets[unit] if 0 <= unit < len(offsets) else unit


def _agreeing(spans: Iterable[Span], surfaces: Iterable[object], text: str) -> int:
    return sum(is_same(surface, text[start:end]) for (start, end), surface in zip(spans, surfaces, strict=True))
