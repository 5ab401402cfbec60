"""Comb's labels: the segments of all mentions, and which pairs of them merge, after Wang and Lu (2019).

Segments may overlap. Those that merge with no other are mentions on their own; otherwise every maximal clique of
segments that merge pair by pair is one, so that more than two fragments need no rule of their own. A segment that is
both a mention and a part of another is lost as a mention, as in the original, where merging uses segments up.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, NamedTuple

from disconer.passage import Segment, WordMention
from disconer.schemes.scheme import Decoding, Scheme
from disconer.schemes.segment_graph import GraphRules, SegmentGraph, best_segments


class LabelledSegment(NamedTuple):
    """A segment of a label."""

    label: str
    first: int
    last: int


class SegmentPair(NamedTuple):
    """Two segments of a label, in the order of the text."""

    label: str
    left: Segment
    right: Segment


@dataclass(frozen=True)
class SegmentScores:
    """The probability of each segment worth mentioning, and of each pair of them to merge."""

    segments: Mapping[LabelledSegment, float]
    merges: Mapping[SegmentPair, float]


@dataclass(frozen=True)
class SegmentScheme(Scheme):
    """Comb's encoding and decoding: segments, and whether two of them belong to the same mention."""

    name: ClassVar[str] = "comb"
    segment_threshold: float = 0.5
    """A segment counts from this probability on."""
    merge_threshold: float = 0.5
    """Two segments merge from this probability on."""
    budget: int = 10_000
    """Steps of the clique search, for each label of a sentence."""
    most_segments: int = 64
    """Only this many segments of a label, the most probable ones, are looked at."""

    def __post_init__(self) -> None:
        self._check_limits("budget", "most_segments")
        self._check_thresholds(may_be_zero=False)

    def quick(self) -> "SegmentScheme":
        """Put only the most probable segments together, and not for long."""
        return replace(self, most_segments=32, budget=1_000)

    def encode(self, mentions: Iterable[WordMention]) -> SegmentScores:
        """List the segments of mentions, and the pairs of them that lie in one."""
        segments: dict[LabelledSegment, float] = {}
        merges: dict[SegmentPair, float] = {}
        for label, parts in mentions:
            segments |= {LabelledSegment(label, *part): 1.0 for part in parts}
            merges |= {SegmentPair(label, *pair): 1.0 for pair in combinations(sorted(parts), 2)}
        return SegmentScores(segments, merges)

    def decode(self, labels: SegmentScores) -> Decoding:
        """Put together what merges."""
        rules = GraphRules(self.merge_threshold, keeps_lone=True, budget=self.budget)
        mentions: dict[WordMention, float] = {}
        complete = True
        pairs: dict[str, list[tuple[Segment, Segment]]] = defaultdict(list)
        for label, left, right in labels.merges:
            pairs[label].append((left, right))
        for label, scores in self.by_label(labels.segments).items():
            best = best_segments(scores, self.most_segments)

            def merge(one: Segment, other: Segment, label: str = label) -> float:
                return labels.merges.get(SegmentPair(label, *sorted((one, other))), 0.0)

            known = (pair for pair in pairs[label] if best.keys() >= set(pair))
            found = SegmentGraph(label, best, known, merge, rules).decode()
            complete &= found.complete and len(best) == len(scores)
            mentions |= found.mentions
        return Decoding(mentions, complete)

    def by_label(self, segments: Mapping[LabelledSegment, float]) -> dict[str, dict[Segment, float]]:
        """The segments that count, label by label."""
        found: dict[str, dict[Segment, float]] = defaultdict(dict)
        for (label, first, last), score in segments.items():
            if score >= self.segment_threshold:
                found[label][first, last] = score
        return found

    def count(self, labels: SegmentScores) -> int:
        """Count the segments that pass, which tells how much there is to decode."""
        return sum(score >= self.segment_threshold for score in labels.segments.values())

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Decode what a perfect model would predict; the limit on segments is for models that are confused."""
        return replace(self, most_segments=sys.maxsize).decode(self.encode(mentions))
