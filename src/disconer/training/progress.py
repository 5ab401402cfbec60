"""What a person sees of a run while it trains: a live bar on a terminal, plain lines elsewhere, or nothing."""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Batch = list[int]


class Watcher(Protocol):
    """Somebody who is told how training goes."""

    def note(self, line: str) -> None:
        """Hear something worth knowing."""

    def epoch(self, title: str, batches: Sequence[Batch]) -> Iterator[Batch]:
        """Pass the batches of an epoch on, one by one."""

    def step(self, loss: float) -> None:
        """Hear the mean loss of the epoch so far."""


class Silence:
    """Nobody watches."""

    def note(self, line: str) -> None:
        """Say nothing."""

    def epoch(self, title: str, batches: Sequence[Batch]) -> Iterator[Batch]:  # noqa: ARG002
        yield from batches

    def step(self, loss: float) -> None:
        """Say nothing."""


class Lines:
    """Plain lines on standard error, for logs: a few for an epoch, so that nobody wonders whether it still runs."""

    def __init__(self, every_seconds: float = 60.0) -> None:
        self.every_seconds = every_seconds
        self.loss = 0.0

    def note(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)  # noqa: T201

    def epoch(self, title: str, batches: Sequence[Batch]) -> Iterator[Batch]:
        started = told = time.monotonic()
        sentences = 0
        for number, batch in enumerate(batches):
            yield batch
            sentences += len(batch)
            now = time.monotonic()
            if now - told >= self.every_seconds:
                told, share = now, (number + 1) / len(batches)
                rate, left = sentences / (now - started), (now - started) * (1 / share - 1)
                self.note(f"{title}: {share:.0%}, loss {self.loss:.2f}, {rate:.0f} sentences/s, {left:.0f} s left")

    def step(self, loss: float) -> None:
        self.loss = loss


class Bar:
    """A live bar on a terminal."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)
        self.loss = 0.0

    def note(self, line: str) -> None:
        self.console.print(line, markup=False, highlight=False)

    def epoch(self, title: str, batches: Sequence[Batch]) -> Iterator[Batch]:
        columns = (
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("loss {task.fields[loss]:.2f}, {task.fields[rate]:.0f} sentences/s"), TimeRemainingColumn(),
        )  # fmt: skip
        with Progress(*columns, console=self.console, transient=True) as progress:
            task = progress.add_task(title, total=len(batches), loss=0.0, rate=0.0)
            started, sentences = time.monotonic(), 0
            for batch in batches:
                yield batch
                sentences += len(batch)
                rate = sentences / max(time.monotonic() - started, 1e-9)
                progress.update(task, advance=1, loss=self.loss, rate=rate)

    def step(self, loss: float) -> None:
        self.loss = loss


def watcher(quiet: bool = False) -> Watcher:
    """Give the watcher that suits whoever is there to look."""
    if quiet:
        return Silence()
    return Bar() if sys.stderr.isatty() else Lines()
