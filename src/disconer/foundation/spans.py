"""Stretches of a text: pairs of offsets, the end exclusive."""

from collections.abc import Iterable

from disconer.exceptions import OffsetError

Span = tuple[int, int]
"""A stretch of text: first character and one past the last, in code points."""


def unite_spans(spans: Iterable[Span]) -> list[Span]:
    """Put spans in order and join those that overlap.

    >>> unite_spans([(5, 7), (0, 2), (1, 3)])
    [(0, 3), (5, 7)]
    """
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def parse_spans(spans: Iterable[object], length: int, what: str) -> tuple[Span, ...]:
    """Read spans as pairs; raise when they are out of order, out of range, empty or overlap."""
    checked: list[Span] = []
    previous = 0
    for span in spans:
        start, end = parse_span(span, length, what)
        if start < previous:
            raise OffsetError(f"the {what} {start}-{end} begins before the one in front of it ends")
        checked.append((start, end))
        previous = end
    return tuple(checked)


def parse_span(span: object, length: int, what: str) -> Span:
    """Read one span as a pair; raise when it is not one or does not lie inside a text of that length."""
    if not isinstance(span, list | tuple) or len(span) != 2 or not all(map(is_offset, span)):
        raise OffsetError(f"a {what} must be a pair of whole numbers, [start, end]")
    start, end = span
    if start >= end:
        raise OffsetError(f"the {what} {start}-{end} is empty or reversed: write [start, end], end exclusive")
    if start < 0 or end > length:
        raise OffsetError(f"the {what} {start}-{end} lies outside the text, which has {length} characters")
    return start, end


def is_offset(value: object) -> bool:
    """Tell a whole number from everything else that Python would count with."""
    return isinstance(value, int) and not isinstance(value, bool)
