"""From logits to probabilities and to segments, with numpy alone, whatever computed the logits."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disconer.encoders.batch import Integers

Floats = NDArray[np.floating[Any]]

_HIGHEST_FLOOR = 15.0
"""Logits from here on are always looked at."""
_MARGIN = 1e-3
"""Logits this far below a threshold are not looked at: more than rounding can ever be."""


def as_probabilities(logits: Floats) -> Floats:
    """Apply the sigmoid, in double precision."""
    with np.errstate(over="ignore"):  # what is far too large for the one is a 0 of the other
        return 1 / (1 + np.exp(-logits.astype(np.float64)))


def find_segments(logits: Floats, lengths: Integers, thresholds: Floats) -> Iterator[tuple[Any, ...]]:
    """Find the segments of a band, (length - 1, first word, column), that pass their column's threshold.

    Each is the number of its sentence, its first and last word there, its column, and its probability.
    """
    with np.errstate(divide="ignore"):  # a threshold of 1 has no logit
        floor = np.minimum(np.log(thresholds) - np.log1p(-thresholds), _HIGHEST_FLOOR) - _MARGIN
    steps, firsts, columns = np.nonzero(logits >= floor.astype(logits.dtype))
    ends = np.cumsum(lengths)
    sentences = np.searchsorted(ends, firsts, side="right")
    probabilities = as_probabilities(logits[steps, firsts, columns])
    passing = (firsts + steps < ends[sentences]) & (probabilities >= thresholds[columns])
    firsts = firsts - (ends - lengths)[sentences]
    rows = (sentences, firsts, firsts + steps, columns, probabilities)
    yield from zip(*(row[passing].tolist() for row in rows), strict=True)
