"""The columns of the two grids: which tag of which label each logit stands for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from disconer.encoders.batch import Integers
from disconer.passage import WordMention
from disconer.schemes.grid import EdgeTag, GridScheme, SegmentTag, TagSet

SegmentColumn = tuple[str, SegmentTag]
EdgeColumn = tuple[str, EdgeTag]


@dataclass(frozen=True)
class GridTargets:
    """The cells of a sentence's grids that hold a tag; each a row of two words and a column."""

    segments: Integers
    """First word, last word, column."""
    edges: Integers
    """Source word, target word, column."""


class GridTags:
    """The tags of both grids for given labels."""

    def __init__(self, labels: Sequence[str], scheme: GridScheme) -> None:
        kinds = (
            [SegmentTag.ANY] if scheme.tags is TagSet.ONE else [SegmentTag.BEGIN, SegmentTag.INSIDE, SegmentTag.SINGLE]
        )
        self.scheme = scheme
        self.segments: list[SegmentColumn] = [(label, kind) for label in labels for kind in kinds]
        self.edges: list[EdgeColumn] = [(label, kind) for label in labels for kind in scheme.edge_tags]

    @cached_property
    def _segment_numbers(self) -> dict[SegmentColumn, int]:
        return {column: number for number, column in enumerate(self.segments)}

    @cached_property
    def edge_numbers(self) -> dict[EdgeColumn, int]:
        return {column: number for number, column in enumerate(self.edges)}

    def targets(self, mentions: Iterable[WordMention]) -> GridTargets:
        """Encode the mentions of a sentence as cells of the grids."""
        grids = self.scheme.encode(mentions)
        segments = [(first, last, self._segment_numbers[label, tag]) for label, tag, first, last in grids.segments]
        edges = [(source, target, self.edge_numbers[label, tag]) for label, tag, source, target in grids.edges]
        return GridTargets(_rows(segments), _rows(edges))


def _rows(rows: list[tuple[int, int, int]]) -> Integers:
    return np.array(rows, dtype=np.int64).reshape(-1, 3)
