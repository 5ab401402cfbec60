"""The search for thresholds."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from disconer import Document
from disconer.models.model import SearchSpace
from disconer.schemes import Decoding, GridScheme, LoneNode
from disconer.schemes.grid import EdgeCell, EdgeTag, Grids, SegmentCell, SegmentTag
from disconer.scoring import score_pairs
from disconer.training.dataset import Dataset
from disconer.training.thresholds import choose_thresholds

DOCUMENT = Document("joint and back pain today", [("A", [(0, 5), (15, 19)]), ("A", [(10, 19)])])
VALUES = (0.2, 0.5, 0.8)
CHOICES: SearchSpace = [
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
    dev = Dataset.from_documents([DOCUMENT])
    output = grids(*numbers)

    def f1(scheme: GridScheme) -> float:
        return score_pairs(zip(dev.documents, dev.with_mentions([scheme.decode(output).mentions]), strict=True)).all.f1

    best = choose_thresholds(GridScheme(), CHOICES, [output], dev)
    fields: dict[str, Sequence[Any]] = {name: values for group in CHOICES for name, values in group.items()}
    everything = (dict(zip(fields, values, strict=True)) for values in product(*fields.values()))
    assert f1(best) == max(f1(replace(GridScheme(), **values)) for values in everything)


def test_of_thresholds_that_are_as_good_the_middle_is_taken() -> None:
    dev = Dataset.from_documents([DOCUMENT])
    for start in (0.05, 0.5, 0.9):
        scheme = GridScheme(segment_threshold=start, node_threshold=start, edge_threshold=start)
        assert choose_thresholds(scheme, CHOICES, [grids(0.9, 0.1, 0.9, 0.9)], dev) == GridScheme()


def test_a_mention_is_judged_as_it_will_be_scored() -> None:
    """Two parts with only a blank between them are one mention."""
    document = Document("back pain today", [("A", [(0, 9)])])
    parts = {SegmentCell("A", SegmentTag.BEGIN, 0, 0): 0.3, SegmentCell("A", SegmentTag.INSIDE, 1, 1): 0.3}
    edges = {EdgeCell("A", EdgeTag.HEAD, 0, 1): 0.9, EdgeCell("A", EdgeTag.TAIL, 0, 1): 0.9}
    best = choose_thresholds(GridScheme(), CHOICES, [Grids(parts, edges)], Dataset.from_documents([document]))
    assert best.node_threshold == 0.2


def test_a_model_that_finds_everything_everywhere_does_not_hold_the_search_up() -> None:
    words = range(60)
    sentence = Document(" ".join("w" for _ in words), [("A", [(0, 1)])])
    tags = (SegmentTag.BEGIN, SegmentTag.INSIDE)
    nodes = {SegmentCell("A", tag, first, first): 0.9 for tag in tags for first in words}
    edges = {EdgeCell("A", tag, one, other): 0.9 for tag in EdgeTag for one in words for other in words if one != other}
    decoded: list[GridScheme] = []

    class Counting(GridScheme):
        def decode(self, grids: Grids) -> Decoding:
            decoded.append(self)
            return super().decode(grids)

    choose_thresholds(Counting(), CHOICES, [Grids(nodes, edges)], Dataset.from_documents([sentence]))
    assert not decoded


def test_discontinuous_mentions_may_have_a_share_of_their_own() -> None:
    """Where one is found only together with three wrong mentions, it is worth that if the share is great enough."""
    words = "joint and back pain or toe then hip then leg then arm then"
    documents = [Document(words, [("A", [(0, 5), (15, 19)])]), Document("one two", [("A", [(0, 3)]), ("A", [(4, 7)])])]
    parts = {SegmentCell("A", SegmentTag.BEGIN, 0, 0): 0.3, SegmentCell("A", SegmentTag.INSIDE, 3, 3): 0.3}
    lone = {SegmentCell("A", SegmentTag.BEGIN, word, word): 0.3 for word in (5, 7, 9)}
    lone |= {SegmentCell("A", SegmentTag.INSIDE, word, word): 0.3 for word in (6, 8, 10)}
    pairs = ((0, 3), (5, 6), (7, 8), (9, 10))
    edges = {EdgeCell("A", tag, *pair): 0.9 for tag in (EdgeTag.HEAD, EdgeTag.TAIL) for pair in pairs}
    whole = {SegmentCell("A", SegmentTag.SINGLE, word, word): 0.9 for word in (0, 1)}
    outputs = [Grids(parts | lone, edges), Grids(whole, {})]
    dev = Dataset.from_documents(documents)
    chosen = [choose_thresholds(GridScheme(), CHOICES, outputs, dev, share).node_threshold for share in (0, 0.5)]
    assert chosen[0] > 0.3 > chosen[1]


def test_thresholds_that_find_nothing_are_better_than_hopeless_ones() -> None:
    nodes = {SegmentCell("A", SegmentTag.BEGIN, word, word): 0.6 for word in range(400)}
    dev = Dataset.from_documents([Document("one two", [("A", [(0, 3)])])])
    assert choose_thresholds(GridScheme(), CHOICES, [Grids(nodes, {})], dev).node_threshold > 0.6


@pytest.mark.parametrize(("found", "threshold"), [(8, 0.5), (4, 0.2)])
def test_no_threshold_is_taken_that_finds_several_times_what_there_is(found: int, threshold: float) -> None:
    """Were F1 alone to decide, both true mentions among eight would be worth six wrong ones."""
    dev = Dataset.from_documents([Document("a b c d e f g h", [("A", [(0, 1)]), ("A", [(2, 3)])])])
    output = Grids({SegmentCell("A", SegmentTag.SINGLE, word, word): 0.3 for word in range(found)}, {})
    best = choose_thresholds(GridScheme(), [{"segment_threshold": VALUES}], [output], dev)
    assert best.segment_threshold == threshold
