"""`disconer compare` on predictions, models and runs."""

import io
import json
import sys
from pathlib import Path
from random import Random

import pytest

from disconer import Document, read, write
from disconer.cli import main
from disconer.corpora.sample import sample
from disconer.report.builder import ReportEntry
from tests.report.invented import worse


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gold, and two files of predictions."""
    folder = tmp_path_factory.mktemp("compare")
    gold = sample()["test"][:60]
    write(gold, folder / "gold.jsonl")
    for name, share in (("good", 0.1), ("bad", 0.5)):
        write(worse(gold, Random(1), share), folder / f"{name}.jsonl")
    write(worse(gold, Random(2), 0.5), folder / "bad-too.jsonl")
    return folder


def compare(*arguments: object) -> int:
    return main(["compare", *map(str, arguments), "--device", "cpu"])


def test_predictions_of_anybody(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = compare(
        f"Good={folder / 'good.jsonl'}", f"Bad={folder / 'bad.jsonl'}", f"Bad={folder / 'bad-too.jsonl'}",
        "--data", folder / "gold.jsonl", "-o", tmp_path / "report.html", "--json", tmp_path / "report.json",
        "--tables", tmp_path / "tables", "--title", "Two systems",
    )  # fmt: skip
    assert status == 0
    assert "wrote" in capsys.readouterr().err
    found = json.loads((tmp_path / "report.json").read_text())
    assert found["title"] == "Two systems"
    assert [system["title"] for system in found["systems"]] == ["Good", "Bad"]
    systems = found["corpora"][0]["systems"]
    assert [len(system["answers"]) for system in systems.values()] == [1, 2]
    assert main(["score", str(folder / "gold.jsonl"), str(folder / "good.jsonl"), "--json", str(tmp_path / "s")]) == 0
    alone = json.loads((tmp_path / "s").read_text())
    assert systems["Good"]["answers"][0]["scores"] == alone
    assert systems["Good"]["sentences_per_second"] is None
    assert "<title>Two systems</title>" in (tmp_path / "report.html").read_text()
    assert (tmp_path / "tables" / "main.tex").is_file()


def test_predictions_in_another_format(folder: Path, tmp_path: Path) -> None:
    brat = tmp_path / "predicted"
    gold = [Document(d.layout, d.mentions, f"d{number}") for number, d in enumerate(read(folder / "gold.jsonl"))]
    write(gold, tmp_path / "gold.jsonl")
    write(gold, brat)
    assert compare(brat, "--data", tmp_path / "gold.jsonl", "-o", tmp_path / "r.html", "--json", tmp_path / "j") == 0
    found = json.loads((tmp_path / "j").read_text())["corpora"][0]["systems"]["predicted"]
    assert found["answers"][0]["scores"]["all"]["f1"] == 1
    assert found["curve"] == []


def test_standard_input_is_read_once(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO((folder / "good.jsonl").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    arguments = ("Mine=-", "--data", folder / "gold.jsonl", "-o", tmp_path / "r.html", "--json", tmp_path / "j")
    assert compare(*arguments) == 0
    assert len(json.loads((tmp_path / "j").read_text())["corpora"][0]["systems"]["Mine"]["curve"]) == 19


def test_folders_are_named_in_full() -> None:
    assert ReportEntry.parse("runs/lr0.1.jsonl").title == "lr0.1"
    assert ReportEntry.parse(str(Path(__file__).parent)).title == "cli"
    assert ReportEntry.parse("A b=x/y") == ReportEntry("A b", Path("x/y"))


def test_a_format_that_no_name_tells(folder: Path, tmp_path: Path) -> None:
    for name in ("gold", "good"):
        (tmp_path / f"{name}.dat").write_bytes((folder / f"{name}.jsonl").read_bytes())
    arguments = (tmp_path / "good.dat", "--data", tmp_path / "gold.dat", "-o", tmp_path / "r.html", "--quiet")
    assert compare(*arguments) == 2
    assert compare(*arguments, "--from", "jsonl") == 0


def test_predictions_on_a_file_called_dev_were_not_chosen_on_it(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "dev.jsonl").write_bytes((folder / "gold.jsonl").read_bytes())
    assert compare(folder / "good.jsonl", "--data", tmp_path / "dev.jsonl", "-o", tmp_path / "r.html") == 0
    assert "were chosen on the same data" not in (tmp_path / "r.html").read_text()


def test_a_model_answers_and_is_timed(folder: Path, model_folder: Path, tmp_path: Path) -> None:
    json_path = tmp_path / "report.json"
    for name in ("gold", "good"):
        write(list(read(folder / f"{name}.jsonl"))[:3], tmp_path / f"{name}.jsonl")
    status = compare(
        f"Model={model_folder}", tmp_path / "good.jsonl", "--data", tmp_path / "gold.jsonl",
        "-o", tmp_path / "report.html", "--json", json_path, "--quiet",
    )  # fmt: skip
    assert status == 0
    model = json.loads(json_path.read_text())["corpora"][0]["systems"]["Model"]
    assert model["sentences_per_second"] > 0
    recalls = [point["all"]["recall"] for point in model["curve"]]
    assert len(recalls) == 19
    assert recalls[0] >= recalls[-1] == 0


def test_a_single_system_needs_no_comparison(folder: Path, tmp_path: Path) -> None:
    assert compare(folder / "good.jsonl", "--data", folder / "gold.jsonl", "-o", tmp_path / "report.html") == 0
    assert "Significance" not in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("good.jsonl", "-o", "r.html"), "this is no run, so name the annotated data with --data"),
        (("good.jsonl", "nowhere.jsonl", "--data", "gold.jsonl", "-o", "r.html"), "no such file or folder"),
        (("good.jsonl", "good.jsonl", "--data", "gold.jsonl", "-o", "r.html"), "named twice"),
        (("good.jsonl", "--data", "empty.jsonl", "-o", "r.html"), "there is no document in it"),
        (("other.jsonl", "--data", "gold.jsonl", "-o", "r.html"), "other.jsonl: gold has 60 documents"),
        (("good.jsonl", "--data", "gold.jsonl", "-o", "nowhere/r.html"), "there is no such folder"),
        (("good.jsonl", "--data", "gold.jsonl", "-o", "-", "--json", "-"), "cannot go to the same place"),
        (("good.jsonl", "--data", "gold.jsonl", "-o", "r.html", "--json", "./r.html"), "cannot go to the same place"),
        (("good.jsonl", "--data", "gold.jsonl", "-o", "../r.html", "--tables", "."), "not an empty folder"),
        (("good.jsonl", "--data", "gold.jsonl", "-o", "new/r.html", "--tables", "new"), "cannot go into the folder of"),
        (("good.jsonl", "good=bad.jsonl", "--data", "gold.jsonl", "-o", "r.html"), "there are two 'good'"),
        (("good.jsonl", "a/good.jsonl", "--data", "gold.jsonl", "-o", "r.html"), "there are two 'good'"),
    ],
)
def test_calls_that_are_wrong(
    folder: Path,
    arguments: tuple[str, ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    (folder / "empty.jsonl").write_text("")
    for name in ("a", "new"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "a" / "good.jsonl").write_text((folder / "good.jsonl").read_text())
    (folder / "other.jsonl").write_text('{"text": "Something else"}\n')
    assert compare(*arguments) == 2
    error = capsys.readouterr().err.strip().split("\n")[-1]
    assert message in error
    assert not (folder / "r.html").exists()
