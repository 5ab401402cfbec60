"""Answers that are kept are used again exactly as long as they are true."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from disconer.document import Document
from disconer.report.shelf import Shelf
from disconer.scoring.curves import CurvePoint, curve_by_score
from tests.report.invented import worse


@dataclass
class Model:
    """Answers with what is right, and counts how often it is asked."""

    answers: list[Document]
    marks: str = "first"
    name: str = "seed 1"
    dev_f1: float | None = 0.5
    asked: list[str] = field(default_factory=list)

    def fingerprint(self) -> str:
        return self.marks

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], float]:
        self.asked.append("predict")
        return [own.with_mentions(found.mentions) for own, found in zip(gold, self.answers, strict=True)], 10.0

    def curve(self, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:
        self.asked.append("curve")
        return curve_by_score(list(zip(gold, predicted, strict=True)))


def test_a_model_is_asked_once(gold: list[Document], tmp_path: Path) -> None:
    model = Model(worse(gold, Random(0), 0.3))
    shelf = Shelf(tmp_path / "kept")
    first = shelf.result("Mac", [model], gold)
    again = shelf.result("Mac", [model], gold)
    assert model.asked == ["predict", "curve"]
    assert again.curve == first.curve
    assert [answer.scores for answer in again.answers] == [answer.scores for answer in first.answers]
    assert again.sentences_per_second == 10.0

    corrected = [document.with_mentions(document.mentions[1:]) for document in gold]
    other = shelf.result("Mac", [model], corrected)
    assert model.asked == ["predict", "curve", "curve"]
    assert other.curve[0].all.gold == other.chosen.scores.all.gold

    renamed = [Document(one.layout, one.mentions, f"new {number}") for number, one in enumerate(gold)]
    shelf.result("Mac", [model], renamed)
    assert model.asked[3:] == ["predict", "curve"]
    model.marks = "second"
    shelf.result("Mac", [model], renamed)
    assert model.asked[5:] == ["predict", "curve"]
    (tmp_path / "kept" / "seed-1.answer.json").write_text("{")
    shelf.result("Mac", [model], renamed)
    assert model.asked[7:] == ["predict"]


def test_nothing_is_kept_without_a_folder(gold: list[Document], tmp_path: Path) -> None:
    model = Model(gold)
    for _ in range(2):
        Shelf().result("Mac", [model], gold)
    assert model.asked == ["predict", "curve"] * 2
    assert list(tmp_path.iterdir()) == []
