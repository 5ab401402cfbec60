"""A choice of things that are worth much together: each adds what the ones before it have not brought already.

What is learned about a word grows with the logarithm of the bits that are chosen on it, so that the first sentence
about a word counts in full, and the tenth hardly. Such a sum has diminishing returns, for which taking the best next
one, by what it brings for what it costs, is a good way; and what a thing would bring only ever falls, so that most
need not be looked at again.
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log1p


@dataclass(frozen=True)
class Candidate:
    """Something to choose: the bits it holds on each word, and what it costs to annotate."""

    bits: Mapping[str, float]
    cost: float


def chosen(candidates: Sequence[Candidate]) -> Iterator[tuple[int, float]]:
    """Give the numbers of candidates, the best first, each with what it adds to those before it, for its cost.

    >>> long, again, other = Candidate({"jaundice": 3}, 1), Candidate({"jaundice": 2}, 1), Candidate({"rash": 1}, 1)
    >>> [number for number, _ in chosen([long, again, other])]
    [0, 2, 1]
    """
    known: dict[str, float] = {}
    waiting = [(-_gain(candidate, known), number) for number, candidate in enumerate(candidates)]
    heapq.heapify(waiting)
    while waiting:
        _, number = heapq.heappop(waiting)
        candidate = candidates[number]
        entry = (-_gain(candidate, known), number)
        if waiting and entry > waiting[0]:  # others may bring more by now
            heapq.heappush(waiting, entry)
            continue
        yield number, -entry[0]
        for word, bits in candidate.bits.items():
            known[word] = known.get(word, 0.0) + bits


def _gain(candidate: Candidate, known: Mapping[str, float]) -> float:
    gains = (log1p(bits / (1 + known.get(word, 0.0))) for word, bits in candidate.bits.items())
    return sum(gains) / candidate.cost
