"""Every system trains, goes on after a break, and predicts, as Mac does."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from shutil import rmtree

import pytest

import disconer
from disconer.cli import main
from disconer.exceptions import RunError
from disconer.models.registry import ModelName
from disconer.scoring import statistics
from disconer.training.config import Config, Precision, read_config
from disconer.training.metrics import read_metrics
from disconer.training.run import Run
from tests.encoders import published_elmo
from tests.encoders.published_elmo import OPTIONS
from tests.training.processes import interrupt_at, weights_of

SYSTEMS = [name for name in ModelName if name is not ModelName.MAC]


@pytest.fixture(scope="module", params=SYSTEMS)
def run(request: pytest.FixtureRequest, settings: Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three epochs."""
    folder = tmp_path_factory.mktemp("systems") / str(request.param)
    Run(replace(settings, model=request.param), folder).train()
    return folder


def test_it_learns(run: Path) -> None:
    losses = [epoch.loss for epoch in read_metrics(run / "seed-0" / "metrics.jsonl")]
    assert losses[-1] < 0.7 * losses[0]


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_learns_a_handful_of_sentences_by_heart(
    name: ModelName, settings: Config, data: Path, tmp_path: Path
) -> None:
    scheme = replace(settings, model=name).new_scheme()
    expressible = (one for one in disconer.read(data / "train.jsonl") if statistics([one], scheme).oracle.all.f1 == 1)
    disconer.write(islice(expressible, 8), tmp_path / "few.jsonl")
    config = replace(
        settings,
        model=name,
        data=replace(settings.data, train=str(tmp_path / "few.jsonl"), dev=str(tmp_path / "few.jsonl")),
        training=replace(settings.training, epochs=60, hidden=0.0, precision=Precision.FLOAT32),
    )
    best = Run(config, tmp_path / "run").train()[0]
    assert best.score > 0.9


def test_what_dev_decides_is_kept_with_the_model(run: Path) -> None:
    epochs = read_metrics(run / "seed-0" / "metrics.jsonl")
    scheme, best = disconer.load(run / "model").engine.scheme, max(epochs, key=lambda epoch: epoch.score)
    assert all(getattr(scheme, name) == value for name, value in best.thresholds.items())
    assert epochs[-1].thresholds.keys() == best.thresholds.keys()


def test_it_goes_on_where_it_was_left_off(
    run: Path, settings: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = replace(settings, model=read_config(run).model)
    interrupt_at(monkeypatch, epoch=3)
    with pytest.raises(RunError, match="interrupted"):
        Run(config, tmp_path / "run").train()
    monkeypatch.undo()
    Run(config, tmp_path / "run").train(resume=True)
    assert weights_of(tmp_path / "run") == weights_of(run)


def test_the_command_line_predicts_with_it(run: Path, data: Path, tmp_path: Path) -> None:
    predictions = tmp_path / "predictions.jsonl"
    assert main(["predict", str(run), str(data / "dev.jsonl"), "-o", str(predictions), "--quiet"]) == 0
    assert len(list(disconer.read(predictions))) == 60


def test_it_is_compared_like_any_other(run: Path, data: Path, tmp_path: Path) -> None:
    page, numbers = tmp_path / "report.html", tmp_path / "report.json"
    predictions = tmp_path / "theirs.jsonl"
    assert main(["predict", str(run), str(data / "dev.jsonl"), "-o", str(predictions), "--quiet"]) == 0
    entries = [f"{run.name}={run}", f"theirs={predictions}"]
    more = ["--data", str(data / "dev.jsonl"), "-o", str(page), "--json", str(numbers), "--quiet"]
    assert main(["compare", *entries, *more]) == 0
    assert run.name in page.read_text()
    systems = json.loads(numbers.read_text())["systems"]
    assert [system["title"] for system in systems] == [run.name, "theirs"]


def test_trans_on_elmo_needs_the_published_files_for_training_only(data: Path, tmp_path: Path) -> None:
    (tmp_path / "elmo").mkdir()
    published_elmo.write(tmp_path / "elmo", OPTIONS, published_elmo.random_weights(OPTIONS))
    sizes = ["--set", "trans.width=8", "--set", "trans.history=4", "--set", "data.every=6", "--threads", "1"]
    files = ["--train", str(data / "train.jsonl"), "--dev", str(data / "dev.jsonl"), "--out", str(tmp_path / "run")]
    encoder = ["--config", "trans-elmo", "--encoder", f"elmo:{tmp_path / 'elmo'}", "--epochs", "1"]
    assert main(["train", *files, *encoder, *sizes, "--quiet"]) == 0
    rmtree(tmp_path / "elmo")
    (document,) = disconer.load(tmp_path / "run").pipe(["Severe joint and shoulder pain."])
    assert document.text == "Severe joint and shoulder pain."
    assert not (tmp_path / "run" / "model" / "tokenizer.json").exists()
    config = read_config(tmp_path / "run")
    assert (config.model, config.encoder.frozen, config.encoder.window) == ("trans", True, 512)
