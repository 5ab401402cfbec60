"""disconer train."""

import json
import re
from pathlib import Path

import pytest

from disconer.cli import main


@pytest.fixture
def data(tmp_path: Path) -> Path:
    gold = {"text": "Joint and back pain.", "entities": [{"label": "ADR", "spans": [[0, 5], [15, 19]]}]}
    (tmp_path / "data.jsonl").write_text((json.dumps(gold) + "\n") * 4)
    return tmp_path / "data.jsonl"


def train(*arguments: object) -> int:
    return main(["train", *map(str, arguments)])


def test_training_from_the_command_line(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert train("--train", data, "--dev", data, "--out", run, "--encoder", "tiny", "--epochs", 1, "--seed", 1, 2) == 0
    errors = capsys.readouterr().err
    assert "4 sentences, 4 mentions, 4 with gaps" in errors
    assert re.search(r"seed 2, epoch 1: loss [\d.]+, dev F1 [\d.]+ / [\d.]+ / [\d.]+", errors)
    assert (run / "seed-1" / "model").is_dir()
    assert (run / "seed-2" / "model").is_dir()
    assert main(["evaluate", str(run), str(data), "--quiet"]) == 0
    assert train("--out", run, "--resume", "--seed", 1, 2, "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_settings_come_from_a_file_and_flags_override(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.toml").write_text('[encoder]\nname = "tiny"\n[training]\nepochs = 7\nclip = 0.5\n')
    options = ("--config", tmp_path / "c.toml", "--train", data, "--dev", data)
    assert train(*options, "--epochs", 2, "--set", "mac.width=32", "--show") == 0
    shown = capsys.readouterr().out
    for line in ('name = "tiny"', "epochs = 2", "clip = 0.5", "width = 32", f'train = "{data}"'):
        assert line in shown.splitlines()
    (tmp_path / "shown.toml").write_text(shown)
    assert train("--config", tmp_path / "shown.toml", "--show") == 0
    assert capsys.readouterr().out == shown


def test_the_papers_recipe_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("--config", "paper", "--show") == 0
    shown = capsys.readouterr().out.splitlines()
    for line in (
        "epochs = 300",
        "batch_size = 12",
        "encoder_rate = 1e-05",
        "head_rate = 1e-05",
        "search_thresholds = false",
    ):
        assert line in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--train", "{data}"), "--dev"),
        (("--train", "nowhere", "--dev", "{data}", "--out", "run"), "no such file"),
        (("--config", "nowhere.toml"), "nowhere.toml"),
        (("--set", "training.epoch=3"), "training.epochs"),
        (("--epochs", "0"), "above 0"),
        (("--train", "{data}", "--dev", "{data}", "--out", "{data}"), "name a folder"),
        (("--train", "{data}", "--dev", "{data}", "--out", "run", "--encoder", "./nothing"), "encoder"),
        (("--train", "{data}", "--dev", "{data}", "--out", "no/such", "--encoder", "tiny"), "make it first"),
        (("--train", "{data}", "--dev", "{data}", "--out", "run", "--set", "training.clip=inf"), "must be a number"),
        (("--train", "{data}", "--dev", "{data}", "--out", "run", "--encoder", "tiny", "--seed", str(10**30)), "seed"),
    ],
)
def test_wrong_calls_of_train_are_one_line(
    arguments: tuple[str, ...], message: str, data: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(data.parent)
    try:
        status = train(*(argument.format(data=data) for argument in arguments), "--quiet")
    except SystemExit as stop:
        status = int(str(stop.code))
    errors = capsys.readouterr().err
    assert status == 2
    assert errors.count("\n") == 1
    assert message in errors
    assert {path.name for path in data.parent.iterdir()} == {"data.jsonl"}
