"""Cached predictions are used again exactly as long as they are true."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from disconer.document import Document
from disconer.report.predictions import PredictionCache, evaluate_system
from disconer.scoring.curves import CurvePoint, curve_by_score
from tests.report.invented import worse


@dataclass
class Model:
    """Predicts what is right, and counts how often it runs."""

    predicted: list[Document]
    marks: str = "first"
    name: str = "seed 1"
    dev_f1: float | None = 0.5
    runs: list[str] = field(default_factory=list)

    def fingerprint(self) -> str:
        return self.marks

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], float]:
        self.runs.append("predict")
        return [own.with_mentions(found.mentions) for own, found in zip(gold, self.predicted, strict=True)], 10.0

    def curve(self, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:
        self.runs.append("curve")
        return curve_by_score(list(zip(gold, predicted, strict=True)))


def test_a_model_runs_once(gold: list[Document], tmp_path: Path) -> None:
    model = Model(worse(gold, Random(0), 0.3))
    cache = PredictionCache(tmp_path / "kept")
    first = evaluate_system("Mac", [model], gold, cache)
    again = evaluate_system("Mac", [model], gold, cache)
    assert model.runs == ["predict", "curve"]
    assert again.curve == first.curve
    assert [seed.scores for seed in again.seeds] == [seed.scores for seed in first.seeds]
    assert again.sentences_per_second == 10.0

    corrected = [document.with_mentions(document.mentions[1:]) for document in gold]
    other = evaluate_system("Mac", [model], corrected, cache)
    assert model.runs == ["predict", "curve", "curve"]
    assert other.curve[0].all.gold == other.median.scores.all.gold

    renamed = [Document(one.layout, one.mentions, f"new {number}") for number, one in enumerate(gold)]
    evaluate_system("Mac", [model], renamed, cache)
    assert model.runs[3:] == ["predict", "curve"]
    model.marks = "second"
    evaluate_system("Mac", [model], renamed, cache)
    assert model.runs[5:] == ["predict", "curve"]
    (tmp_path / "kept" / "seed-1.answer.json").write_text("{")
    evaluate_system("Mac", [model], renamed, cache)
    assert model.runs[7:] == ["predict"]


def test_nothing_is_cached_without_a_folder(gold: list[Document], tmp_path: Path) -> None:
    model = Model(gold)
    for _ in range(2):
        evaluate_system("Mac", [model], gold, PredictionCache())
    assert model.runs == ["predict", "curve"] * 2
    assert list(tmp_path.iterdir()) == []
