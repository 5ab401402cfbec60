"""Sets of words, or of nodes of a graph, as bit masks."""

from collections.abc import Iterable, Iterator

from disconer.passage import Segment

_WORD = (1 << 64) - 1
"""As many bits as a machine handles at once."""


def word_mask(segments: Iterable[Segment]) -> int:
    """The words of segments as a bit mask.

    >>> bin(word_mask([(0, 1), (4, 4)]))
    '0b10011'
    """
    mask = 0
    for first, last in segments:
        mask |= (1 << last + 1) - (1 << first)
    return mask


def runs(mask: int) -> tuple[Segment, ...]:
    """The runs of words that a bit mask holds, in the order of the text.

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


def bits(mask: int) -> Iterator[int]:
    """The positions of a mask's set bits, lowest first."""
    start = 0
    while mask:
        some = mask & _WORD  # whole masks of thousands of bits would be copied for every bit
        while some:
            lowest = some & -some
            yield start + lowest.bit_length() - 1
            some ^= lowest
        mask >>= _WORD.bit_length()
        start += _WORD.bit_length()
