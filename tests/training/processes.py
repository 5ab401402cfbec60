"""Runs in processes of their own, which can be killed, and what runs leave behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from disconer.training.config import Config
from disconer.training.loop import SeedRun


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def weights_of(folder: Path) -> bytes:
    return (folder / "model" / "model.safetensors").read_bytes()


def interrupt_at(monkeypatch: pytest.MonkeyPatch, epoch: int) -> None:
    """Have somebody press Ctrl-C when an epoch begins."""
    undisturbed = SeedRun._epoch

    def disturbed(self: SeedRun, number: int, *rest: Any) -> None:
        if number == epoch:
            raise KeyboardInterrupt
        undisturbed(self, number, *rest)

    monkeypatch.setattr(SeedRun, "_epoch", disturbed)


def start(config: Config, out: Path, *more: str) -> "subprocess.Popen[str]":
    changes = [
        f"mac.width={config.mac.width}", f"training.patience={config.training.patience}",
        f"training.head_rate={config.training.head_rate}", f"training.encoder_rate={config.training.encoder_rate}",
    ]  # fmt: skip
    command = [sys.executable, "-m", "disconer", "train", "--train", config.data.train, "--dev", config.data.dev]
    command += ["--out", str(out), "--encoder", "tiny", "--epochs", str(config.training.epochs), "--threads", "1"]
    for change in changes:
        command += ["--set", change]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "COLUMNS": "200"}
    return subprocess.Popen(
        [*command, *more], stderr=subprocess.PIPE, text=True, env=environment,
        preexec_fn=listen,  # noqa: PLW1509 (it takes no lock)
    )  # fmt: skip


def listen() -> None:
    """Have a process hear Ctrl-C even where those who started the tests do not, as in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def finish(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Wait for a process; give its exit status and what it said."""
    _, errors = process.communicate()
    return process.returncode, errors


def wait_for(path: Path, process: "subprocess.Popen[str]") -> None:
    while not path.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
