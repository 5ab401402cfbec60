"""Runs that go on: after a kill, an interruption, or with more seeds."""

import shutil
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

import disconer
import disconer.scoring
from disconer.encoders.settings import Recurrence
from disconer.exceptions import InputError, RunError
from disconer.foundation.settings import from_mapping, read_toml
from disconer.models.settings import LearnedEdges
from disconer.training.config import Config, Precision, read_config, resolve_config
from disconer.training.loop import SeedRun
from disconer.training.metrics import median_seed, read_metrics
from disconer.training.run import Run
from tests.training.processes import files_below, interrupt_at, start, weights_of


@pytest.fixture(scope="module")
def undisturbed(settings: Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    assert start(settings, folder).finish()[0] == 0
    return folder


@pytest.mark.parametrize(
    "moment", ["seed-0", "seed-0/checkpoint", "seed-0/model", "seed-0/checkpoint/epoch-2.safetensors"]
)
def test_a_run_killed_at_any_moment_ends_in_the_same_weights(
    moment: str, undisturbed: Path, config: Config, tmp_path: Path
) -> None:
    killed = start(config, tmp_path / "killed")
    killed.wait_for(tmp_path / "killed" / moment)
    killed.send_signal(signal.SIGKILL)
    assert killed.finish()[0] == -signal.SIGKILL
    assert start(config, tmp_path / "killed", "--resume").finish()[0] == 0
    one, other = undisturbed, tmp_path / "killed"
    assert files_below(one) == files_below(other)
    for name in ("model/model.safetensors", "seed-0/checkpoint/epoch-3.safetensors"):
        ours, theirs = load_file(one / name), load_file(other / name)
        assert all(torch.equal(ours[key], theirs[key]) for key in ours.keys() | theirs.keys())
    assert (one / "model" / "config.json").read_text() == (other / "model" / "config.json").read_text()
    losses = [[epoch.loss for epoch in read_metrics(run / "seed-0" / "metrics.jsonl")] for run in (one, other)]
    assert losses[0] == losses[1]


def test_a_run_of_before_some_settings_goes_on_as_it_began(config: Config, tmp_path: Path) -> None:
    before = replace(
        config,
        encoder=replace(config.encoder, recurrence=Recurrence.NONE),
        training=replace(config.training, epochs=1),
    ).with_model_settings(replace(config.mac, learned_edges=LearnedEdges.ALL))  # type: ignore[attr-defined]
    Run(before, tmp_path / "run").train()
    kept = tmp_path / "run" / "config.toml"
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join(line for line in lines if not line.startswith(("recurrence", "learned_edges"))))
    assert read_config(tmp_path / "run").encoder.recurrence is Recurrence.NONE
    resumed = resolve_config([{"seeds": [7]}], resumed=tmp_path / "run")
    Run(resumed, tmp_path / "run").train(resume=True)
    models = [load_file(tmp_path / "run" / seed / "model" / "model.safetensors") for seed in ("seed-0", "seed-7")]
    assert models[0].keys() == models[1].keys()
    assert 'recurrence = "none"' in kept.read_text()
    assert 'learned_edges = "all"' in kept.read_text()


def test_what_was_not_written_after_a_checkpoint_is_made_again(config: Config, tmp_path: Path) -> None:
    """As after a kill between the checkpoint and the model of the best epoch."""
    once = replace(config, training=replace(config.training, epochs=1))
    Run(once, tmp_path / "run").train()
    before = {name: (tmp_path / "run" / name).read_bytes() for name in files_below(tmp_path / "run")}
    shutil.rmtree(tmp_path / "run" / "seed-0" / "model")
    shutil.rmtree(tmp_path / "run" / "model")
    (tmp_path / "run" / "seed-0" / "metrics.jsonl").unlink()
    Run(once, tmp_path / "run").train(resume=True)
    assert {name: (tmp_path / "run" / name).read_bytes() for name in files_below(tmp_path / "run")} == before


def test_resuming_keeps_the_seeds_and_takes_new_ones(config: Config, tmp_path: Path) -> None:
    two = replace(config, seeds=(1, 2), training=replace(config.training, epochs=1))
    first = Run(two, tmp_path / "run").train()
    again = from_mapping(Config, read_toml(tmp_path / "run" / "config.toml"))
    assert Run(again, tmp_path / "run").train(resume=True) == first
    third = Run(replace(again, seeds=(3,)), tmp_path / "run").train(resume=True)
    assert list(third) == [3]
    assert read_toml(tmp_path / "run" / "config.toml")["seeds"] == [1, 2, 3]
    more = first | third
    median = median_seed(more)
    assert weights_of(tmp_path / "run") == weights_of(tmp_path / "run" / f"seed-{median}")


def test_a_run_killed_before_its_configuration_was_there_begins_anew(config: Config, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".disconer-0123.tmp").write_text("[training]")
    Run(replace(config, training=replace(config.training, epochs=1)), tmp_path / "run").train(resume=True)
    assert (tmp_path / "run" / "config.toml").is_file()
    assert not (tmp_path / "run" / ".disconer-0123.tmp").exists()


def test_a_finished_seed_needs_its_checkpoint_no_more(config: Config, tmp_path: Path) -> None:
    once = replace(config, training=replace(config.training, epochs=1))
    first = Run(once, tmp_path / "run").train()
    shutil.rmtree(tmp_path / "run" / "seed-0" / "checkpoint")
    before = weights_of(tmp_path / "run" / "seed-0")
    both = Run(replace(once, seeds=(0, 1)), tmp_path / "run").train(resume=True)
    assert both[0] == first[0]
    assert list(both) == [0, 1]
    assert weights_of(tmp_path / "run" / "seed-0") == before


def test_other_data_is_refused_without_checkpoints_too(config: Config, tmp_path: Path) -> None:
    once = replace(config, training=replace(config.training, epochs=1))
    Run(once, tmp_path / "run").train()
    shutil.rmtree(tmp_path / "run" / "seed-0" / "checkpoint")
    (tmp_path / "train.jsonl").write_text(Path(config.data.train).read_text().split("\n", 1)[1])
    Path(config.data.train).rename(tmp_path / "kept.jsonl")
    try:
        shutil.copy(tmp_path / "train.jsonl", config.data.train)
        with pytest.raises(InputError, match="not what this run began with"):
            Run(replace(once, seeds=(3,)), tmp_path / "run").train(resume=True)
    finally:
        shutil.copy(tmp_path / "kept.jsonl", config.data.train)


def test_damaged_metrics_are_one_line(config: Config, tmp_path: Path) -> None:
    once = replace(config, training=replace(config.training, epochs=1))
    Run(once, tmp_path / "run").train()
    shutil.rmtree(tmp_path / "run" / "seed-0" / "checkpoint")
    (tmp_path / "run" / "seed-0" / "metrics.jsonl").write_text('{"epoch": 1')
    with pytest.raises(InputError, match=r"metrics\.jsonl: these metrics are damaged"):
        Run(once, tmp_path / "run").train(resume=True)


def test_an_unfinished_seed_without_its_checkpoint_is_not_overwritten(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_at(monkeypatch, epoch=2)
    with pytest.raises(RunError, match="best so far of seed 0"):
        Run(config, tmp_path / "run").train()
    monkeypatch.undo()
    shutil.rmtree(tmp_path / "run" / "seed-0" / "checkpoint")
    with pytest.raises(InputError, match="checkpoint is gone"):
        Run(config, tmp_path / "run").train(resume=True)


def test_interruption_keeps_the_model_of_a_finished_seed(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a seed that has just begun may score."""
    Run(config, tmp_path / "run").train()
    before = weights_of(tmp_path / "run")
    interrupt_at(monkeypatch, epoch=2)
    with pytest.raises(RunError, match="the model of seed 0"):
        Run(replace(config, seeds=(4,)), tmp_path / "run").train(resume=True)
    assert (tmp_path / "run" / "seed-4" / "model").is_dir()
    assert weights_of(tmp_path / "run") == before


def test_interruption_while_finished_seeds_are_taken_up_changes_nothing(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = replace(config, seeds=(0, 1, 2), training=replace(config.training, epochs=1))
    best = Run(three, tmp_path / "run").train()
    before = weights_of(tmp_path / "run")
    assert before == weights_of(tmp_path / "run" / f"seed-{median_seed(best)}")

    def interrupt(_: SeedRun) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SeedRun, "_restore", interrupt)
    with pytest.raises(RunError, match=f"the model of seed {median_seed(best)}"):
        Run(replace(three, seeds=(3,)), tmp_path / "run").train(resume=True)
    assert weights_of(tmp_path / "run") == before


def test_other_data_is_not_taken_for_a_corrupt_checkpoint(config: Config, tmp_path: Path) -> None:
    data = tmp_path / "train.jsonl"
    shutil.copy(config.data.train, data)
    own = replace(config, data=replace(config.data, train=str(data)), training=replace(config.training, epochs=2))
    Run(own, tmp_path / "run").train()
    data.write_text(data.read_text() + '{"text": "Some nausea.", "entities": [{"label": "ADR", "spans": [[5, 11]]}]}\n')
    with pytest.raises(InputError, match="not what this run began with"):
        Run(own, tmp_path / "run").train(resume=True)


def test_the_scale_of_the_loss_is_taken_up_again(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = replace(config, training=replace(config.training, precision=Precision.FLOAT16))
    Run(half, tmp_path / "undisturbed").train()
    interrupt_at(monkeypatch, epoch=3)
    with pytest.raises(RunError, match="interrupted"):
        Run(half, tmp_path / "run").train()
    monkeypatch.undo()
    Run(half, tmp_path / "run").train(resume=True)
    assert weights_of(tmp_path / "run") == weights_of(tmp_path / "undisturbed")


def test_a_finished_run_that_is_resumed_does_nothing(config: Config, tmp_path: Path) -> None:
    best = Run(config, tmp_path / "run").train()
    before = (tmp_path / "run" / "seed-0" / "checkpoint" / "progress.json").stat().st_mtime_ns
    assert Run(config, tmp_path / "run").train(resume=True) == best
    assert (tmp_path / "run" / "seed-0" / "checkpoint" / "progress.json").stat().st_mtime_ns == before


def test_interruption_leaves_the_best_model(config: Config, tmp_path: Path) -> None:
    endless = replace(config, training=replace(config.training, epochs=1000))
    process = start(endless, tmp_path / "run")
    process.wait_for(tmp_path / "run" / "seed-0" / "metrics.jsonl")
    process.send_signal(signal.SIGINT)
    status, errors = process.finish()
    assert status == 1
    assert "Traceback" not in errors
    assert "interrupted" in errors.splitlines()[-1]
    assert "--resume" in errors.splitlines()[-1]
    assert disconer.load(tmp_path / "run")("Pain.").text == "Pain."


def test_interruption_before_the_first_epoch_says_so(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_at(monkeypatch, epoch=1)
    with pytest.raises(RunError, match="no model yet"):
        Run(config, tmp_path / "run").train()


def test_another_configuration_cannot_go_on_in_the_same_folder(config: Config, tmp_path: Path) -> None:
    Run(config, tmp_path / "run").train()
    with pytest.raises(InputError, match="--resume"):
        Run(config, tmp_path / "run").train()
    other = replace(config, training=replace(config.training, clip=2.0))
    with pytest.raises(InputError, match=r"training\.clip"):
        Run(other, tmp_path / "run").train(resume=True)


@pytest.mark.parametrize("damage", ["progress.json", "epoch-3.safetensors"])
def test_a_corrupt_checkpoint_is_one_line(damage: str, config: Config, tmp_path: Path) -> None:
    Run(config, tmp_path / "run").train()
    path = tmp_path / "run" / "seed-0" / "checkpoint" / damage
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(InputError, match="corrupt"):
        Run(config, tmp_path / "run").train(resume=True)
