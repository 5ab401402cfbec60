"""The text of a mention that a file repeats beside the offsets: a witness of how these were counted."""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, product, repeat

from disconer.spans import Span

_LAST_OF_THE_BASIC_PLANE = "\uffff"
_BREAK = re.compile("\r\n")


def is_same(surface: object, text: str) -> bool:
    r"""Tell whether a repeated text is the one at the offsets, white space aside, which some write as `\n`."""
    return isinstance(surface, str) and _bare(surface) == _bare(text)


def in_code_points(
    spans: Sequence[Span], surfaces: Sequence[object], text: str, prefers_units: bool = False
) -> list[Span]:
    r"""Give spans in code points; they may count in other ways, if that finds more of the repeated texts.

    These are UTF-16 code units, and line breaks of two characters as one. Where several find the same number they count
    code points, or code units if those are preferred, and every character of line breaks.

    >>> in_code_points([(3, 7)], ["pain"], "🙂 pain")
    [(2, 6)]
    >>> in_code_points([(2, 6)], ["pain"], "a\r\npain")
    [(3, 7)]
    """
    units = (prefers_units, not prefers_units) if max(text, default="") > _LAST_OF_THE_BASIC_PLANE else (False,)
    breaks = (False, True) if _BREAK.search(text) else (False,)
    if len(units) == len(breaks) == 1:
        return list(spans)
    counts = [_counted(text, of_units, of_breaks) for of_breaks, of_units in product(breaks, units)]
    readings = [[(_at(start, offsets), _at(end, offsets)) for start, end in spans] for offsets in counts]
    return max(readings, key=lambda reading: _agreeing(reading, surfaces, text))


def in_utf16(spans: Iterable[Span], text: str) -> list[Span]:
    """Count UTF-16 code units instead of code points.

    >>> in_utf16([(2, 6)], "🙂 pain")
    [(3, 7)]
    """
    units = [0, *accumulate(1 + (character > _LAST_OF_THE_BASIC_PLANE) for character in text)]
    return [(units[start], units[end]) for start, end in spans]


def _bare(text: str) -> str:
    return "".join(text.replace("\\n", " ").split())


def _counted(text: str, of_units: bool, of_breaks: bool) -> list[int]:
    """Give the code point that each of the counted things begins with or belongs to, and the end."""
    counts = [1 + (of_units and character > _LAST_OF_THE_BASIC_PLANE) for character in text]
    for match in _BREAK.finditer(text) if of_breaks else ():
        counts[match.start() + 1] = 0
    return [*chain.from_iterable(map(repeat, range(len(text)), counts)), len(text)]


def _at(count: int, offsets: list[int]) -> int:
    """Give the offset of what has a number; what lies behind the text stays there."""
    if count < len(offsets):
        return offsets[count] if count >= 0 else count
    return max(count, offsets[-1] + 1)


def _agreeing(spans: Iterable[Span], surfaces: Iterable[object], text: str) -> int:
    return sum(is_same(surface, text[start:end]) for (start, end), surface in zip(spans, surfaces, strict=True))
