"""Sets of words as bit masks, and the runs of words that they are."""

from collections.abc import Iterable

from disconer.document import Segment


def word_mask(segments: Iterable[Segment]) -> int:
    """Give the words of segments as a bit mask.

    >>> bin(word_mask([(0, 1), (4, 4)]))
    '0b10011'
    """
    mask = 0
    for first, last in segments:
        mask |= (1 << last + 1) - (1 << first)
    return mask


def runs(mask: int) -> tuple[Segment, ...]:
    """Give the runs of words that a bit mask holds, in the order of the text.

    >>> runs(0b10011)
    ((0, 1), (4, 4))
    """
    found = []
    position = 0
    while mask:
        skipped = (mask & -mask).bit_length() - 1
        mask >>= skipped
        length = (~mask & -~mask).bit_length() - 1
        mask >>= length
        found.append((position + skipped, position + skipped + length - 1))
        position += skipped + length
    return tuple(found)
