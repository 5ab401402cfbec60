"""What a person sees of a run."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from disconer.foundation.progress import LineDisplay, NoDisplay, choose_display
from disconer.training.progress import EpochStatus
from tests.cli.calls import in_terminal


class Clock:
    """What time it is for the modules that show progress alone: other threads of the tests ask, too."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        for module in ("disconer.training.progress", "disconer.foundation.progress"):
            monkeypatch.setattr(f"{module}.time", SimpleNamespace(monotonic=lambda: self.now))


def test_lines_tell_how_far_an_epoch_is(capsys: pytest.CaptureFixture[str]) -> None:
    lines, status = LineDisplay(every_seconds=0), EpochStatus("seed 1, epoch 2", batches=2, later=0)
    for _ in range(2):
        status.advance(sentences=2, loss=1.25)
        lines.show(status)
    lines.clear()
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("seed 1, epoch 2: 50%, loss 1.25, ")
    assert first.endswith(" sentences/s")  # nobody knows yet how long the rest takes
    assert second.startswith("seed 1, epoch 2: 100%, ")


def test_time_left_is_that_of_all_epochs_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    status = EpochStatus("epoch", batches=3, later=5)
    clock.now = 60.0  # the first batch takes longer than any other, and is not what the others take
    status.advance(sentences=3, loss=1.0)
    assert "left" not in str(status)
    clock.now = 90.0
    status.advance(sentences=3, loss=1.0)
    assert str(status).endswith(" 3 min left")
    clock.now = 120.0
    status.advance(sentences=3, loss=1.0)
    assert str(status).endswith(" 0 sentences/s, 2 min left")


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    nothing = choose_display(quiet=True)
    assert isinstance(nothing, NoDisplay)
    nothing.note("something")
    nothing.log("something")
    nothing.show(EpochStatus("epoch", batches=2, later=2))
    nothing.clear()
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar(data: Path, tmp_path: Path) -> None:
    shown = in_terminal(
        120, "train", "--train", data / "train.jsonl", "--dev", data / "dev.jsonl",
        "--out", tmp_path / "run", "--encoder", "tiny", "--epochs", "1", "--threads", "1", is_error=True,
    )  # fmt: skip
    assert "━" in shown
    assert "sentences/s" in shown
    assert "epoch 1 of 1: scoring dev" in shown
    assert "dev F1" in shown
