"""What a threshold on scores does to precision and recall, and whether scores can be taken at their word."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from disconer.document import Document
from disconer.scoring.counts import Counts, count_mentions, mention_keys
from disconer.scoring.pairing import Pair

CURVE_THRESHOLDS = tuple(step / 20 for step in range(1, 20))
"""0.05 to 0.95."""
_BINS = 10


@dataclass(frozen=True)
class CurvePoint:
    """Scores of the mentions that a threshold leaves."""

    threshold: float
    all: Counts
    disc_mentions: Counts


def threshold_point(threshold: float, pairs: Iterable[Pair]) -> CurvePoint:
    """Score what was predicted with a threshold."""
    everything, discontinuous = Counts(), Counts()
    for gold, predicted in pairs:
        everything += count_mentions(gold, predicted)
        discontinuous += count_mentions(gold, predicted, only_discontinuous=True)
    return CurvePoint(threshold, everything, discontinuous)


def has_scores(predicted: Iterable[Document]) -> bool:
    """Tell whether every mention has a score, and there is one."""
    scores = [mention.score for document in predicted for mention in document]
    return bool(scores) and None not in scores


def cut_off(document: Document, threshold: float) -> Document:
    """Keep the mentions whose score reaches a threshold."""
    return document.with_mentions(mention for mention in document if (mention.score or 0.0) >= threshold)


def curve_by_score(pairs: Sequence[Pair], thresholds: Sequence[float] = CURVE_THRESHOLDS) -> list[CurvePoint]:
    """Score predictions that are cut off at each threshold."""
    return [
        threshold_point(threshold, ((gold, cut_off(predicted, threshold)) for gold, predicted in pairs))
        for threshold in thresholds
    ]


@dataclass(frozen=True)
class CalibrationBin:
    """The predictions with scores in a tenth of the scale."""

    low: float
    high: float
    predicted: int
    correct: int
    mean_score: float

    @property
    def precision(self) -> float:
        return self.correct / self.predicted if self.predicted else 0.0


@dataclass(frozen=True)
class Calibration:
    """Whether a score of 0.8 means that 8 of 10 are right."""

    bins: tuple[CalibrationBin, ...]

    @property
    def expected_error(self) -> float:
        """The mean distance between score and precision, over all predictions."""
        total = sum(one.predicted for one in self.bins)
        distances = (one.predicted * abs(one.mean_score - one.precision) for one in self.bins)
        return sum(distances) / total if total else 0.0


def measure_calibration(pairs: Iterable[Pair]) -> Calibration:
    """Compare the scores of predictions with how many of them are right."""
    found: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for gold, predicted in pairs:
        right = mention_keys(gold)
        for mention in predicted.unique_mentions:
            score = mention.score or 0.0
            found[min(int(score * _BINS), _BINS - 1)].append((score, mention.key in right))
    return Calibration(
        tuple(
            CalibrationBin(
                number / _BINS,
                (number + 1) / _BINS,
                len(own),
                sum(is_right for _, is_right in own),
                sum(score for score, _ in own) / max(len(own), 1),
            )
            for number, own in enumerate(found)
        )
    )
