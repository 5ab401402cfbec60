"""The text of a mention that a file repeats beside the offsets: a witness of how these were counted."""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, product, repeat

from disconer.foundation.spans import Span

_LAST_OF_THE_BASIC_PLANE = "\uffff"
_BREAK = re.compile("\r\n")


def is_same(surface: object, text: str) -> bool:
    r"""Tell whether a repeated text is the one at the offsets, white space aside, which some write as `\n`."""
    return isinstance(surface, str) and _drop_blanks(surface) == _drop_blanks(text)


def join_text(text: str, spans: Iterable[Span]) -> str:
    """Join the texts at spans by one space."""
    return " ".join(text[start:end] for start, end in spans)


def to_code_points(
    spans: Sequence[Span], surfaces: Sequence[object], text: str, prefers_units: bool = False
) -> list[Span]:
    r"""Convert spans to code points, if counting in another way finds more of the repeated texts.

    These are UTF-16 code units, and line breaks of two characters as one. Where several find the same number they count
    code points, or code units if those are preferred, and every character of line breaks.

    >>> to_code_points([(3, 7)], ["pain"], "🙂 pain")
    [(2, 6)]
    >>> to_code_points([(2, 6)], ["pain"], "a\r\npain")
    [(3, 7)]
    """
    units = (prefers_units, not prefers_units) if max(text, default="") > _LAST_OF_THE_BASIC_PLANE else (False,)
    breaks = (False, True) if _BREAK.search(text) else (False,)
    if len(units) == len(breaks) == 1:
        return list(spans)
    counts = [_map_offsets(text, of_units, of_breaks) for of_breaks, of_units in product(breaks, units)]
    candidates = [[(_look_up(start, offsets), _look_up(end, offsets)) for start, end in spans] for offsets in counts]
    return max(candidates, key=lambda converted: _count_agreeing(converted, surfaces, text))


def to_utf16(spans: Iterable[Span], text: str) -> list[Span]:
    """Count UTF-16 code units instead of code points.

    >>> to_utf16([(2, 6)], "🙂 pain")
    [(3, 7)]
    """
    units = [0, *accumulate(1 + (character > _LAST_OF_THE_BASIC_PLANE) for character in text)]
    return [(units[start], units[end]) for start, end in spans]


def _drop_blanks(text: str) -> str:
    return "".join(text.replace("\\n", " ").split())


def _map_offsets(text: str, of_units: bool, of_breaks: bool) -> list[int]:
    """Map each counted unit to the code point that it begins or belongs to, and the last to the end."""
    counts = [1 + (of_units and character > _LAST_OF_THE_BASIC_PLANE) for character in text]
    for match in _BREAK.finditer(text) if of_breaks else ():
        counts[match.start() + 1] = 0
    return [*chain.from_iterable(map(repeat, range(len(text)), counts)), len(text)]


def _look_up(count: int, offsets: list[int]) -> int:
    """Look up an offset; what lies behind the text stays there."""
    if count < len(offsets):
        return offsets[count] if count >= 0 else count
    return max(count, offsets[-1] + 1)


def _count_agreeing(spans: Iterable[Span], surfaces: Iterable[object], text: str) -> int:
    return sum(is_same(surface, text[start:end]) for (start, end), surface in zip(spans, surfaces, strict=True))
