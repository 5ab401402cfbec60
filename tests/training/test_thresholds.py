"""The search for thresholds."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from disconer import Document
from disconer.models.model import Choices
from disconer.schemes import GridScheme, LoneNode
from disconer.schemes.grid import EdgeCell, EdgeTag, Grids, SegmentCell, SegmentTag
from disconer.scoring import score
from disconer.training.examples import Corpus
from disconer.training.thresholds import best_scheme

DOCUMENT = Document("joint and back pain today", [("A", [(0, 5), (15, 19)]), ("A", [(10, 19)])])
VALUES = (0.2, 0.5, 0.8)
CHOICES: Choices = [
    {"segment_threshold": VALUES},
    {"node_threshold": VALUES, "edge_threshold": VALUES, "lone_node": tuple(LoneNode)},
]


def grids(whole: float, wrong: float, parts: float, edge: float) -> Grids:
    segments = {
        SegmentCell("A", SegmentTag.SINGLE, 2, 3): whole,
        SegmentCell("A", SegmentTag.SINGLE, 4, 4): wrong,
        SegmentCell("A", SegmentTag.BEGIN, 0, 0): parts,
        SegmentCell("A", SegmentTag.INSIDE, 3, 3): parts,
    }
    return Grids(segments, {EdgeCell("A", EdgeTag.HEAD, 0, 3): edge, EdgeCell("A", EdgeTag.TAIL, 0, 3): edge})


@pytest.mark.parametrize(
    "numbers", [(0.9, 0.6, 0.3, 0.3), (0.6, 0.1, 0.9, 0.6), (0.3, 0.25, 0.3, 0.9), (0.9, 0.1, 0.1, 0.1)]
)
def test_it_finds_what_trying_everything_finds(numbers: tuple[float, float, float, float]) -> None:
    dev = Corpus.of([DOCUMENT])
    output = grids(*numbers)

    def f1(scheme: GridScheme) -> float:
        return score(zip(dev.documents, dev.with_mentions([scheme.decode(output).mentions]), strict=True)).all.f1

    best = best_scheme(GridScheme(), CHOICES, [output], dev)
    fields: dict[str, Sequence[Any]] = {name: values for group in CHOICES for name, values in group.items()}
    everything = (dict(zip(fields, values, strict=True)) for values in product(*fields.values()))
    assert f1(best) == max(f1(replace(GridScheme(), **values)) for values in everything)


def test_what_is_good_enough_is_left_alone() -> None:
    scheme = GridScheme(segment_threshold=0.45)
    assert best_scheme(scheme, CHOICES, [grids(0.9, 0.1, 0.9, 0.9)], Corpus.of([DOCUMENT])) == scheme


def test_mentions_that_no_prediction_can_reach_count_as_missed() -> None:
    """Otherwise a threshold would look better than it is; here they change nothing but must not break anything."""
    cut = Document("painful day", [("A", [(0, 4)])])
    output = Grids({SegmentCell("A", SegmentTag.SINGLE, 0, 0): 0.6}, {})
    best = best_scheme(GridScheme(), CHOICES, [output], Corpus.of([cut]))
    assert not best.decode(output).mentions or best == GridScheme()
