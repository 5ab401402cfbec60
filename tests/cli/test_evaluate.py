"""disconer evaluate."""

import json
from pathlib import Path

import pytest

from disconer.cli import main
from tests.cli.test_predict import TEXT, predict


def test_evaluate_is_predict_and_then_score(
    model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = [
        {"id": "1", "text": TEXT, "entities": [{"label": "ADR", "spans": [[0, 12], [38, 42]]}]},
        {"id": "2", "text": "Joint pain.", "entities": [{"label": "Drug", "spans": [[0, 5]]}]},
    ]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)))
    evaluate = ["evaluate", str(model_folder), str(tmp_path / "gold.jsonl"), "--json", str(tmp_path / "one.json")]
    assert main(evaluate) == 0
    table = capsys.readouterr().out
    assert predict(model_folder, tmp_path / "gold.jsonl", "-o", tmp_path / "predicted.jsonl", "--quiet") == 0
    score = ["score", str(tmp_path / "gold.jsonl"), str(tmp_path / "predicted.jsonl")]
    assert main([*score, "--json", str(tmp_path / "two.json")]) == 0
    assert capsys.readouterr().out == table
    assert (tmp_path / "one.json").read_text() == (tmp_path / "two.json").read_text()


def test_text_without_annotations_is_said_to_be_none(
    model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "note.txt").write_text(TEXT)
    assert main(["evaluate", str(model_folder), str(tmp_path / "note.txt"), "--from", "text"]) == 0
    assert "nothing is annotated here" in capsys.readouterr().err
    gold = {"text": TEXT, "entities": [{"label": "ADR", "spans": [[0, 12]]}]}
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold))
    assert main(["evaluate", str(model_folder), str(tmp_path / "gold.jsonl")]) == 0
    assert "nothing is annotated" not in capsys.readouterr().err
