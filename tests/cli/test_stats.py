"""disconer stats."""

import json
from pathlib import Path

import pytest

from disconer.cli import main


def test_stats_prints_tables_and_writes_json(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(gold), "--json", str(tmp_path / "stats.json")]) == 0
    printed = capsys.readouterr()
    assert "% discontinuous" in printed.out
    assert printed.err == ""
    results = json.loads((tmp_path / "stats.json").read_text())
    assert results["files"][str(gold)]["discontinuous"] == 1
    assert results["scheme"] == "grid"


def test_stats_puts_corpora_side_by_side(gold: Path, predicted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(gold), str(predicted)]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["gold.jsonl", "predicted.jsonl"]


def test_stats_names_columns_by_what_differs(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for corpus in ("one", "two"):
        (tmp_path / corpus / "data").mkdir(parents=True)
        (tmp_path / corpus / "data" / "dev.jsonl").write_bytes(gold.read_bytes())
    paths = [str(tmp_path / corpus / "data" / "dev.jsonl") for corpus in ("one", "two")]
    assert main(["stats", *paths, paths[0]]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["one", "two"]


def test_labels_that_look_like_markup_are_printed_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "entities": [{"label": "[red]x[/red]", "spans": [[0, 1]]}]}\n', encoding="utf-8")
    assert main(["stats", str(path)]) == 0
    assert "[red]x[/red]" in capsys.readouterr().out


def test_split_overrides_how_sentences_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "One. Two."}\n{"text": "One.\\nTwo."}\n', encoding="utf-8")
    for split, expected in (("auto", 3), ("always", 4), ("never", 2)):
        main(["stats", str(path), "--split", split, "--json", "-"])
        assert json.loads(capsys.readouterr().out)["files"][str(path)]["sentences"] == expected
