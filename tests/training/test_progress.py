"""What a person sees of a run."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path
from types import SimpleNamespace

import pytest

from disconer.foundation.progress import LineDisplay, NoDisplay, choose_display
from disconer.training.progress import EpochStatus


def test_lines_tell_how_far_an_epoch_is(capsys: pytest.CaptureFixture[str]) -> None:
    lines, status = LineDisplay(every_seconds=0), EpochStatus("seed 1, epoch 2", batches=2, later=0)
    for _ in range(2):
        status.advance(sentences=2, loss=1.25)
        lines.show(status)
    lines.clear()
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("seed 1, epoch 2: 50%, loss 1.25, ")
    assert "sentences/s" in first
    assert second.endswith("0 s left")


def test_time_left_is_that_of_all_epochs_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0.0, 30.0, 60.0))
    # For this module alone: other threads of the tests ask what time it is, too.
    monkeypatch.setattr("disconer.training.progress.time", SimpleNamespace(monotonic=lambda: next(clock)))
    status = EpochStatus("epoch", batches=2, later=6)
    status.advance(sentences=3, loss=1.0)
    assert str(status).endswith(" 0 sentences/s, 4 min left")
    status.advance(sentences=3, loss=1.0)
    assert str(status).endswith(" 0 sentences/s, 3 min left")


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    nothing = choose_display(quiet=True)
    assert isinstance(nothing, NoDisplay)
    nothing.note("something")
    nothing.log("something")
    nothing.show(EpochStatus("epoch", batches=2, later=2))
    nothing.clear()
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar(data: Path, tmp_path: Path) -> None:
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
    command = [
        sys.executable, "-m", "disconer", "train",
        "--train", str(data / "train.jsonl"), "--dev", str(data / "dev.jsonl"),
        "--out", str(tmp_path / "run"), "--encoder", "tiny", "--epochs", "1", "--threads", "1",
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=terminal, env={**os.environ, "TERM": "xterm"})
    os.close(terminal)
    shown = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:  # Linux says so at the end
            break
        if not part:
            break
        shown += part
    os.close(main)
    assert process.wait() == 0
    assert "━".encode() in shown
    assert b"sentences/s" in shown
    assert b"dev F1" in shown
