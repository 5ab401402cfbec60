"""disconer score."""

import json
from pathlib import Path

import pytest

from disconer.cli import main
from tests.cli.calls import PREDICTED, assert_one_line, run


def test_a_score_of_nothing_is_a_dash(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.jsonl").write_text('{"text": "a"}\n', encoding="utf-8")
    assert main(["stats", str(gold), str(tmp_path / "none.jsonl")]) == 0
    (row,) = (line.split() for line in capsys.readouterr().out.splitlines() if "oracle F1, disc" in line)
    assert row[-2:] == ["100.0", "–"]
    assert main(["score", str(gold), str(gold)]) == 0
    (row,) = (line.split() for line in capsys.readouterr().out.splitlines() if line.split()[:1] == ["inner"])
    assert row == ["inner", "–", "–", "–", "0", "0", "0"]


def test_score_prints_tables_and_json(gold: Path, predicted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(gold), str(predicted)]) == 0
    assert "discontinuous mentions only" in capsys.readouterr().out
    assert main(["score", str(gold), str(predicted), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["all"] == {
        "precision": 0.0, "recall": 0.0, "f1": 0.0, "gold": 1, "predicted": 1, "correct": 0,
    }  # fmt: skip


def test_predictions_of_other_documents_are_named(gold: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(PREDICTED.replace("back pain", "neck pain"), encoding="utf-8")
    done = run("score", gold, other)
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert f"{gold} and {other}: document '1' has another text" in done.stderr
