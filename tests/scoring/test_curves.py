import pytest

from disconer import Document
from disconer.document import Mention
from disconer.scoring import pair_documents
from disconer.scoring.curves import curve_by_score, has_scores, measure_calibration
from disconer.tokenize import Layout

LAYOUT = Layout("joint and shoulder pain and nausea")
JOINT, SHOULDER, PAIN, NAUSEA = (0, 5), (10, 18), (19, 23), (28, 34)


def document(*said: tuple[list[tuple[int, int]], float | None]) -> Document:
    return Document(LAYOUT, [Mention("A", fragments, LAYOUT, score) for fragments, score in said])


GOLD = document(([JOINT, PAIN], None), ([NAUSEA], None))
PREDICTED = document(([JOINT, PAIN], 0.42), ([NAUSEA], 0.9), ([SHOULDER], 0.95), ([PAIN], 0.45))
PAIRS = pair_documents([GOLD], [PREDICTED])


def test_a_threshold_keeps_what_reaches_it() -> None:
    points = {round(point.threshold, 2): point for point in curve_by_score(PAIRS)}
    assert min(points) == 0.05
    assert max(points) == 0.95
    assert (points[0.4].all.predicted, points[0.4].all.correct) == (4, 2)
    assert (points[0.45].all.predicted, points[0.45].all.correct) == (3, 1)
    assert (points[0.95].all.predicted, points[0.95].all.correct) == (1, 0)
    assert points[0.4].disc_mentions.f1 == 1
    assert points[0.45].disc_mentions.predicted == 0
    assert all(point.all.gold == 2 for point in points.values())


def test_scores_are_there_or_not() -> None:
    assert has_scores([PREDICTED])
    assert not has_scores([GOLD])
    assert not has_scores([document()])
    assert not has_scores([document(([JOINT], 0.5), ([PAIN], None))])


def test_calibration_compares_scores_with_what_is_right() -> None:
    found = measure_calibration(PAIRS)
    bins = {one.low: one for one in found.bins if one.predicted}
    assert bins.keys() == {0.4, 0.9}
    assert (bins[0.4].predicted, bins[0.4].precision) == (2, 0.5)
    assert bins[0.4].mean_score == pytest.approx(0.435)
    assert found.expected_error == pytest.approx((2 * (0.5 - 0.435) + 2 * (0.925 - 0.5)) / 4)


def test_a_certain_score_has_a_bin_too() -> None:
    one = document(([NAUSEA], 1.0))
    assert measure_calibration(pair_documents([GOLD], [one])).bins[-1].precision == 1
    assert measure_calibration([]).expected_error == 0
