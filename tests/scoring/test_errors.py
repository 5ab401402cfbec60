"""Every false positive and every miss has exactly one kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document
from disconer.scoring import pair_documents, score_pairs
from disconer.scoring.errors import ERROR_SIDES, ErrorKind, ErrorSide, classify_errors, count_errors
from disconer.tokenize import Layout
from tests.strategies import layouts, mentions

TEXT = "Severe joint and shoulder pain and also nausea"
SEVERE, JOINT, SHOULDER, PAIN, NAUSEA = (0, 6), (7, 12), (17, 25), (26, 30), (40, 46)
Said = list[tuple[str, list[tuple[int, int]]]]

FALSE, MISS = ErrorSide.FALSE_POSITIVE, ErrorSide.MISS
CASES: dict[str, tuple[Said, Said, list[tuple[ErrorSide, ErrorKind]]]] = {
    "nothing is wrong": ([("A", [JOINT])], [("A", [JOINT])], []),
    "another label": (
        [("A", [JOINT])],
        [("B", [JOINT])],
        [(FALSE, ErrorKind.TYPE), (MISS, ErrorKind.TYPE)],
    ),
    "another label with gaps": (
        [("A", [JOINT, PAIN])],
        [("B", [JOINT, PAIN])],
        [(FALSE, ErrorKind.TYPE), (MISS, ErrorKind.TYPE)],
    ),
    "a part is not there": (
        [("A", [JOINT, PAIN])],
        [("A", [JOINT])],
        [(FALSE, ErrorKind.FRAGMENT), (MISS, ErrorKind.FRAGMENT)],
    ),
    "one of three parts is not there": (
        [("A", [SEVERE, SHOULDER, NAUSEA])],
        [("A", [SEVERE, NAUSEA])],
        [(FALSE, ErrorKind.FRAGMENT), (MISS, ErrorKind.FRAGMENT)],
    ),
    "all parts are there and not joined": (
        [("A", [JOINT, PAIN])],
        [("A", [JOINT]), ("A", [PAIN])],
        [(FALSE, ErrorKind.COMBINATION)] * 2 + [(MISS, ErrorKind.COMBINATION)],
    ),
    "a part too much": (
        [("A", [JOINT, PAIN])],
        [("A", [JOINT, PAIN, NAUSEA])],
        [(FALSE, ErrorKind.COMBINATION), (MISS, ErrorKind.COMBINATION)],
    ),
    "a part too much beside a single one": (
        [("A", [PAIN])],
        [("A", [JOINT, PAIN])],
        [(FALSE, ErrorKind.COMBINATION), (MISS, ErrorKind.COMBINATION)],
    ),
    "two that share a word are made one": (
        [("A", [SEVERE, JOINT, PAIN]), ("A", [SEVERE, SHOULDER, PAIN])],
        [("A", [SEVERE, JOINT, SHOULDER, PAIN])],
        [(FALSE, ErrorKind.COMBINATION)] + [(MISS, ErrorKind.BOUNDARY)] * 2,
    ),
    "the parts of two mentions are exchanged": (
        [("A", [SEVERE, PAIN]), ("A", [JOINT, NAUSEA])],
        [("A", [SEVERE, NAUSEA]), ("A", [JOINT, PAIN])],
        [(FALSE, ErrorKind.COMBINATION)] * 2 + [(MISS, ErrorKind.COMBINATION)] * 2,
    ),
    "the parts of mentions that were found are combined once more": (
        [("A", [JOINT]), ("A", [PAIN])],
        [("A", [JOINT]), ("A", [PAIN]), ("A", [JOINT, PAIN])],
        [(FALSE, ErrorKind.COMBINATION)],
    ),
    "a word too much": (
        [("A", [JOINT])],
        [("A", [(0, 12)])],
        [(FALSE, ErrorKind.BOUNDARY), (MISS, ErrorKind.BOUNDARY)],
    ),
    "a part is cut short": (
        [("A", [(0, 12), PAIN])],
        [("A", [JOINT, PAIN])],
        [(FALSE, ErrorKind.BOUNDARY), (MISS, ErrorKind.BOUNDARY)],
    ),
    "a gap is filled": (
        [("A", [JOINT, PAIN])],
        [("A", [(7, 30)])],
        [(FALSE, ErrorKind.BOUNDARY), (MISS, ErrorKind.BOUNDARY)],
    ),
    "nothing was there": ([], [("A", [NAUSEA])], [(FALSE, ErrorKind.SPURIOUS)]),
    "nothing was said": ([("A", [NAUSEA])], [], [(MISS, ErrorKind.MISSED)]),
    "both label and words are wrong": (
        [("A", [JOINT])],
        [("B", [(0, 12)])],
        [(FALSE, ErrorKind.SPURIOUS), (MISS, ErrorKind.MISSED)],
    ),
    "what was found is nobody's partner": (
        [("A", [PAIN]), ("A", [JOINT, PAIN])],
        [("A", [PAIN])],
        [(MISS, ErrorKind.MISSED)],
    ),
    "another label at what was found": (
        [("A", [JOINT])],
        [("A", [JOINT]), ("B", [JOINT])],
        [(FALSE, ErrorKind.SPURIOUS)],
    ),
}


@pytest.mark.parametrize(("gold", "predicted", "expected"), CASES.values(), ids=CASES)
def test_kinds(gold: Said, predicted: Said, expected: list[tuple[ErrorSide, ErrorKind]]) -> None:
    layout = Layout(TEXT)
    found = classify_errors(Document(layout, gold), Document(layout, predicted))
    assert sorted((error.side, error.kind) for error in found) == sorted(expected)


def test_an_error_has_the_overlap_pattern_of_its_own_side() -> None:
    layout = Layout(TEXT)
    gold = Document(layout, [("A", [JOINT, PAIN]), ("A", [SHOULDER, PAIN])])
    found = classify_errors(gold, Document(layout, [("A", [SEVERE, NAUSEA]), ("A", [JOINT])]))
    assert {(error.mention.text, error.overlap) for error in found} == {
        ("Severe nausea", "no"),
        ("joint", "continuous"),
        ("joint pain", "right"),
        ("shoulder pain", "continuous"),
    }


@st.composite
def two_sides(draw: st.DrawFn) -> tuple[Document, Document]:
    layout = draw(layouts().filter(lambda layout: layout.text))
    labels = st.sampled_from(["A", "B"])
    gold, predicted = (draw(st.lists(mentions(layout, labels), max_size=4)) for _ in range(2))
    shared = draw(st.lists(st.sampled_from(gold), max_size=2)) if gold else []
    return Document(layout, gold), Document(layout, [*predicted, *shared])


@given(two_sides())
def test_every_error_counts_once_and_has_a_kind_of_its_side(sides: tuple[Document, Document]) -> None:
    gold, predicted = sides
    found = classify_errors(gold, predicted)
    counts = score_pairs(pair_documents([gold], [predicted])).all
    keys = [(error.side, error.mention.key) for error in found]
    assert len(set(keys)) == len(keys)
    assert sum(side is FALSE for side, _ in keys) == counts.predicted - counts.correct
    assert sum(side is MISS for side, _ in keys) == counts.gold - counts.correct
    assert all(error.side in ERROR_SIDES[error.kind] for error in found)
    assert sum(count for by_side in count_errors(found).values() for count in by_side.values()) == len(found)


@given(two_sides())
def test_exchanging_the_sides_exchanges_the_errors(sides: tuple[Document, Document]) -> None:
    """But for fragments that are missing, which become fragments too many."""
    gold, predicted = sides
    other_side = {FALSE: MISS, MISS: FALSE}
    other_kind = {ErrorKind.SPURIOUS: ErrorKind.MISSED, ErrorKind.MISSED: ErrorKind.SPURIOUS}
    there = {(e.side, e.mention.key): e.kind for e in classify_errors(gold, predicted)}
    back = {
        (other_side[e.side], e.mention.key): other_kind.get(e.kind, e.kind) for e in classify_errors(predicted, gold)
    }
    assert there.keys() == back.keys()
    for key, kind in there.items():
        assert kind == back[key] or {kind, back[key]} == {ErrorKind.FRAGMENT, ErrorKind.COMBINATION}
