"""A whole study, with trainings of a second each."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from disconer import write
from disconer.cli import main
from disconer.corpora.sample import sample
from tests.report.invented import worse
from tests.training.processes import Training

STUDY = """\
title = "Two systems and a file"
seeds = [1, 2]
jobs = 2

[corpora.one]
train = "train.jsonl"
dev = "dev.jsonl"
test = "test.jsonl"

[corpora.two]
title = "The second"
train = "train.jsonl"
dev = "dev.jsonl"
every = 2

[settings]
encoder.name = "tiny"
mac.width = 16
training.epochs = 2

[systems.mac]
title = "Mac"

[systems.no-cln]
title = "Without"
of = "mac"
mac.pairs = "concatenation"

[systems.theirs]
title = "Theirs"
predictions.one = ["theirs.jsonl"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = sample()
    for name in ("train", "dev", "test"):
        write(documents[name][:40], tmp_path / f"{name}.jsonl")
    write(worse(documents["test"][:40], Random(0), 0.3), tmp_path / "theirs.jsonl")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    return tmp_path


class Done(NamedTuple):
    returncode: int
    stderr: str


def study(folder: Path, *arguments: str) -> Done:
    """Run a study from somewhere else than its own folder; only its trainings are processes of their own."""
    errors = io.StringIO()
    with chdir(folder.parent), redirect_stderr(errors), redirect_stdout(io.StringIO()):
        status = main(["study", str(folder / "study.toml"), "--device", "cpu", *arguments])
    return Done(status, errors.getvalue())


def changed_at(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in (folder / "study" / "runs").rglob("*") if path.is_file()}


def report(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "study" / "report.json").read_text())
    return found


def test_everything_is_trained_once_and_reported(folder: Path) -> None:
    first = STUDY.replace("seeds = [1, 2]", "seeds = [1]")
    (folder / "study.toml").write_text(first)
    done = study(folder)
    assert done.returncode == 0, done.stderr
    found = report(folder)
    assert [system["base"] for system in found["systems"]] == [None, "Mac", None]
    assert found["systems"][1]["changes"] == ["mac.pairs=concatenation"]
    one, two = found["corpora"]
    assert [(own["corpus"], own["evaluated"]) for own in (one, two)] == [("one", "test"), ("The second", "dev")]
    assert list(one["systems"]) == ["Mac", "Without", "Theirs"]
    assert list(two["systems"]) == ["Mac", "Without"]
    assert one["statistics"]["train"]["documents"] == 2 * two["statistics"]["train"]["documents"]
    assert (folder / "study" / "report.html").is_file()
    assert (folder / "study" / "tables" / "ablation.tex").is_file()

    before = changed_at(folder)
    (folder / "study.toml").write_text(STUDY)
    assert study(folder, "--quiet").stderr == ""
    after = changed_at(folder)
    assert before.items() - after.items() <= {
        (path, when) for path, when in before.items() if path.endswith("config.toml") or "/model/" in path
    }
    assert not any("seed-1" in path for path, _ in after.items() - before.items())
    for corpus in ("one", "two"):
        for system in ("mac", "no-cln"):
            run = folder / "study" / "runs" / corpus / system
            assert {path.name for path in run.iterdir()} == {"config.toml", "model", "seed-1", "seed-2"}
    both = report(folder)["corpora"]
    assert [answer["name"] for answer in both[0]["systems"]["Mac"]["answers"]] == ["seed 1", "seed 2"]

    assert study(folder).returncode == 0
    assert changed_at(folder) == after
    assert report(folder)["corpora"] == both
    (folder / "study.toml").write_text(STUDY.replace("seeds = [1, 2]", "seeds = [2]"))
    assert study(folder).returncode == 0
    assert [answer["name"] for answer in report(folder)["corpora"][0]["systems"]["Mac"]["answers"]] == ["seed 2"]

    (folder / "study.toml").write_text(STUDY.replace("mac.width = 16", "mac.width = 8"))
    refused = study(folder)
    assert refused.returncode == 2
    assert "has another mac.width than the study: delete it" in refused.stderr
    (folder / "study.toml").write_text(STUDY.replace("mac.width = 16", "mac.width = 16\nmac.longest_segment = 2"))
    assert "has another mac.longest_segment than the study" in study(folder).stderr
    (folder / "study.toml").write_text(STUDY)
    (folder / "study" / "tables" / "thesis.tgz").write_text("")
    assert "no report wrote this" in study(folder).stderr
    (folder / "study" / "tables" / "thesis.tgz").unlink()
    (folder / "dev.jsonl").write_text((folder / "test.jsonl").read_text())
    refused = study(folder)
    assert refused.returncode == 2
    assert "learned from other data than there is now" in refused.stderr


def test_predictions_alone_are_a_study_too(folder: Path) -> None:
    only = STUDY[: STUDY.index("[settings]")] + STUDY[STUDY.index("[systems.theirs]") :]
    (folder / "study.toml").write_text(only)
    assert study(folder).returncode == 0
    assert not (folder / "study" / "runs").exists()
    assert [system["title"] for system in report(folder)["systems"]] == ["Theirs"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('test = "test.jsonl"', 'test = "tset.jsonl"', "tset.jsonl: there is no such file or folder"),
        ('["theirs.jsonl"]', '["dev.jsonl"]', "dev.jsonl: "),
    ],
)
def test_what_is_not_there_is_found_out_before_training(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "study.toml").write_text(STUDY.replace(old, new))
    done = study(folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (folder / "study").exists()


def test_a_training_that_fails_does_not_stop_the_others(folder: Path) -> None:
    text = STUDY.replace('mac.pairs = "concatenation"', 'encoder.name = "./nowhere"')
    text = text[: text.index("[corpora.two]")] + text[text.index("[settings]") :]
    (folder / "study.toml").write_text(text.replace("seeds = [1, 2]", "seeds = [1]"))
    done = study(folder)
    assert done.returncode == 1
    assert "one/no-cln seed 1 failed with status 2: disconer: error: " in done.stderr
    assert "1 of 2 trainings failed" in done.stderr
    assert [system["title"] for system in report(folder)["systems"]] == ["Mac", "Theirs"]


def test_an_interrupted_study_goes_on(folder: Path) -> None:
    (folder / "study.toml").write_text(
        STUDY.replace("training.epochs = 2", "training.epochs = 40\ntraining.patience = 0")
    )
    command = [sys.executable, "-m", "disconer", "study", str(folder / "study.toml"), "--device", "cpu"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: any((folder / "study" / "runs").rglob("metrics.jsonl")))
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=600)
    assert process.returncode == 1
    assert error.strip().endswith("interrupted; the same command goes on where it was")
    logs = [path.read_text() for path in (folder / "study" / "logs").rglob("*.log")]
    assert logs
    assert all("interrupted" in log for log in logs)
    begun = {path: len(path.read_text().splitlines()) for path in (folder / "study").rglob("metrics.jsonl")}
    assert 0 < sum(begun.values()) < 40 * len(begun)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: all(len(path.read_text().splitlines()) > done for path, done in begun.items()))
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=600)
    for path, done in begun.items():
        epochs = [json.loads(line)["epoch"] for line in path.read_text().splitlines()]
        assert epochs == list(range(1, len(epochs) + 1))
        assert len(epochs) > done


def wait_for(happened: Callable[[], bool], seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.2)


def test_two_processes_may_train_seeds_of_one_run(folder: Path) -> None:
    base = [
        "--train", str(folder / "train.jsonl"), "--dev", str(folder / "dev.jsonl"), "--out", str(folder / "run"),
        "--encoder", "tiny", "--set", "mac.width=16", "--epochs", "2", "--device", "cpu", "--threads", "1", "--resume",
    ]  # fmt: skip
    processes = [Training([*base, "--seed", seed], folder / f"{number}.said") for number, seed in enumerate("1231")]
    for process in processes:
        status, said = process.finish()
        assert status == 0, said
    written = (folder / "run" / "config.toml").read_text()
    seeds = next(line for line in written.splitlines() if line.startswith("seeds"))
    assert sorted(json.loads(seeds.split("=")[1])) == [1, 2, 3]
    scores = {}
    for seed in (1, 2, 3):
        lines = (folder / "run" / f"seed-{seed}" / "metrics.jsonl").read_text().splitlines()
        assert [json.loads(line)["epoch"] for line in lines] == [1, 2]
        scores[seed] = max(json.loads(line)["dev"]["all"]["f1"] for line in lines)
    median = sorted(scores, key=lambda seed: (scores[seed], seed))[1]
    cards = {seed: (folder / "run" / f"seed-{seed}" / "model" / "MODEL_CARD.md").read_text() for seed in scores}
    assert f"--seed {median}" in cards[median]
    assert (folder / "run" / "model" / "MODEL_CARD.md").read_text() == cards[median]
