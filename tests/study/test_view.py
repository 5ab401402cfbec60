"""What a person sees of a study."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from disconer.foundation.progress import LineDisplay, NoDisplay
from disconer.study.job import Job
from disconer.study.view import Overview, StudyStatus, View
from disconer.training.config import Config, TrainingSettings
from disconer.training.metrics import Epoch, write_metrics

COUNTS = {"precision": 0.5, "recall": 0.5, "f1": 0.5, "gold": 1, "predicted": 1, "correct": 1}


@pytest.fixture
def jobs(tmp_path: Path) -> list[Job]:
    """Three trainings of four epochs: one is finished, one is half done, one has not begun."""
    config = Config(training=TrainingSettings(epochs=4, patience=0))
    jobs = [Job("c", "s", seed, config, tmp_path, tmp_path / "out") for seed in (1, 2, 3)]
    for job, epochs in zip(jobs, (4, 2), strict=False):
        folder = job.run / f"seed-{job.seed}"
        (folder / "model").mkdir(parents=True)
        scopes = dict.fromkeys(("all", "disc_sentences", "disc_mentions"), COUNTS)
        write_metrics([Epoch(n + 1, 1.0, scopes, {}, 30.0, 60.0) for n in range(epochs)], folder / "metrics.jsonl")
        job.log.parent.mkdir(parents=True, exist_ok=True)
        job.log.write_text("begins\nsomething \x1b[31mred\n\n")
    return jobs


def test_an_overview_counts_epochs_and_time(jobs: list[Job]) -> None:
    progress = Overview(jobs, at_once=2).look()
    assert (progress.finished, progress.jobs, progress.share) == (1, 3, 0.5)
    assert progress.seconds_left == 6 * 60 / 2
    assert str(progress) == "1 of 3 trainings finished, 50% of the epochs, about 3 min left"


def test_one_that_stopped_early_has_done_all_of_its_own(jobs: list[Job]) -> None:
    patient = replace(jobs[1].config, training=TrainingSettings(epochs=4, patience=1))
    early = [jobs[0], replace(jobs[1], config=patient)]
    progress = Overview(early, at_once=2).look()
    assert (progress.finished, progress.share, progress.seconds_left) == (2, 1.0, None)


def test_nothing_is_known_before_the_first_epoch(jobs: list[Job]) -> None:
    progress = Overview(jobs[2:], at_once=2).look()
    assert str(progress) == "0 of 1 trainings finished, 0% of the epochs"


def test_lines_for_a_log(jobs: list[Job], capsys: pytest.CaptureFixture[str]) -> None:
    view = View(Overview(jobs, 2), LineDisplay(every_seconds=0))
    view.report_start(jobs[2])
    view.report_start(jobs[1])
    view.look(jobs[1:])
    view.report_end(jobs[0], 0)
    view.report_end(jobs[1], 1)
    view.report_end(jobs[1], -9)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["c/s seed 3: begins", "c/s seed 2: goes on"]
    assert lines[2].endswith("; 2 at work")
    assert lines[3].startswith("c/s seed 1: best on dev was epoch 1: ")
    assert lines[5].startswith(r"c/s seed 2 failed with status 1: something \x1b[31mred (more in ")
    assert lines[7].startswith("c/s seed 2 was ended by signal 9: ")


def test_nothing_is_read_for_those_who_do_not_look(jobs: list[Job], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Overview, "look")
    for display in (NoDisplay(), LineDisplay(every_seconds=60)):
        View(Overview(jobs, 2), display).look(jobs)


def test_a_live_view_shows_every_training_at_work(jobs: list[Job]) -> None:
    screen = Console(file=io.StringIO(), width=100, force_terminal=False)
    screen.print(StudyStatus(Overview(jobs, 2), jobs[1:2]).render(100))
    assert isinstance(screen.file, io.StringIO)
    shown = screen.file.getvalue()
    assert r"c/s seed 2  something \x1b[31mred" in shown
    assert "1 of 3 trainings finished, 50% of the epochs" in shown
