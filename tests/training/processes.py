"""Runs in processes of their own, which can be killed, and what runs leave behind."""

import multiprocessing
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from disconer.cli import program
from disconer.models.settings import MacSettings
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


class Training:
    """`disconer train` in a process of its own, forked from one that has imported what takes seconds."""

    def __init__(self, arguments: list[str], said: Path) -> None:
        self._said = said
        self._process = _FORKS.Process(target=_train, args=(arguments, said))
        self._process.start()

    def send_signal(self, number: int) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def finish(self) -> tuple[int, str]:
        """Wait for its end; returns the exit status and what it said."""
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode, self._said.read_text(encoding="utf-8")

    def wait_for(self, path: Path) -> None:
        """Wait until it has written something."""
        while not path.exists():
            assert self._process.is_alive(), self.finish()
            time.sleep(0.002)


_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["disconer.training.run", "transformers.models.bert.modeling_bert"])


def _train(arguments: list[str], said: Path) -> None:
    with said.open("w", encoding="utf-8") as stream:
        os.dup2(stream.fileno(), 2)
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 (until the end)
    os.environ["COLUMNS"] = "200"
    listen()
    sys.argv = ["disconer", "train", *arguments]
    program()


def listen() -> None:
    """Have a process hear Ctrl-C even where those who started the tests do not, as in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def start(config: Config, out: Path, *more: str) -> Training:
    settings = {
        "mac.width": config.settings_of(MacSettings).width, "training.patience": config.training.patience,
        "training.head_rate": config.training.head_rate, "training.encoder_rate": config.training.encoder_rate,
    }  # fmt: skip
    command = ["--train", config.data.train, "--dev", config.data.dev, "--out", str(out), "--encoder", "tiny"]
    command += ["--epochs", str(config.training.epochs), "--threads", "1"]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    return Training([*command, *more], out.with_name(f"{out.name}.said"))
