"""Characters as readers see them: what is drawn as one, how wide it is, and what must not reach a terminal."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

import regex
from rich.cells import cell_len

from disconer.foundation.spans import Span, unite_spans

# \X alone would look back at every flag before a flag.
_CHARACTER = regex.compile(r"[\U0001F1E6-\U0001F1FF]{2}|\X")


def character_edges(text: str) -> list[int]:
    r"""The offsets where what readers see as one character begins, and the end of the text.

    >>> character_edges("nai\u0308ve")
    [0, 1, 2, 4, 5, 6]
    """
    return [*(match.start() for match in _CHARACTER.finditer(text)), len(text)]


def whole_characters(fragments: Iterable[Iterable[int]], edges: Sequence[int]) -> list[Span]:
    r"""Widen fragments to the characters that readers see: half an emoji or a lone accent cannot be marked.

    >>> whole_characters([(3, 5)], character_edges("nai\u0308ve"))
    [(2, 5)]
    """
    return unite_spans(
        (edges[bisect_right(edges, start) - 1], edges[bisect_left(edges, end)]) for start, end in fragments
    )


def columns(text: str) -> int:
    """The columns that a text fills in a terminal.

    >>> columns("pain"), columns("頭痛"), columns("👩‍⚕️")
    (4, 4, 2)
    """
    if text.isascii():
        return len(text)
    # A terminal draws no character wider than two columns, of however many code points it consists.
    return sum(min(2, cell_len(match[0])) for match in _CHARACTER.finditer(text))


def printable(text: str) -> str:
    """Write out what would move the cursor, change colours or break the line: names may come from anybody."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
