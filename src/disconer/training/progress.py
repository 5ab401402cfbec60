"""What a person sees of a run while it trains: a live bar on a terminal, plain lines elsewhere, or nothing."""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn

from disconer.drawing.terminal import is_capable

Batch = list[int]
_BAR_WIDTH = 76
"""Terminals with fewer columns than these have no room for a bar."""


class Pace:
    """How fast the batches of an epoch go, and how long the seed's training will go on at that."""

    def __init__(self, batches: int, later: int) -> None:
        self.batches = batches
        self.later = later
        self.done = 0
        self.sentences = 0
        self.started = time.monotonic()

    def passed(self, batch: Batch) -> None:
        self.done += 1
        self.sentences += len(batch)

    @property
    def left(self) -> str:
        """How long the seed's training will go on."""
        return self._left(self._seconds())

    def __str__(self) -> str:
        seconds = self._seconds()
        return f"{self.sentences / seconds:.0f} sentences/s, {self._left(seconds)}"

    def _seconds(self) -> float:
        return max(time.monotonic() - self.started, 1e-9)

    def _left(self, seconds: float) -> str:
        return f"{duration((self.batches - self.done + self.later) * seconds / max(self.done, 1))} left"


def duration(seconds: float) -> str:
    """Say how long something takes, no finer than anybody wants to know.

    >>> [duration(seconds) for seconds in (8, 95, 3700)]
    ['8 s', '2 min', '1 h 2 min']
    """
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


class Watcher(Protocol):
    """Somebody who is told how training goes."""

    def note(self, line: str) -> None:
        """Hear something worth knowing."""

    def epoch(self, title: str, batches: Sequence[Batch], later: int) -> Iterator[Batch]:
        """Pass the batches of an epoch on, one by one; so many may come in the epochs after it."""

    def step(self, loss: float) -> None:
        """Hear the mean loss of the epoch so far."""


class Silence:
    """Nobody watches."""

    def note(self, line: str) -> None:
        """Say nothing."""

    def epoch(self, title: str, batches: Sequence[Batch], later: int) -> Iterator[Batch]:  # noqa: ARG002
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

    def epoch(self, title: str, batches: Sequence[Batch], later: int) -> Iterator[Batch]:
        pace, told = Pace(len(batches), later), time.monotonic()
        for batch in batches:
            yield batch
            pace.passed(batch)
            if time.monotonic() - told >= self.every_seconds:
                told = time.monotonic()
                self.note(f"{title}: {pace.done / pace.batches:.0%}, loss {self.loss:.2f}, {pace}")

    def step(self, loss: float) -> None:
        self.loss = loss


class Bar:
    """A live bar on a terminal."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)
        self.loss = 0.0

    def note(self, line: str) -> None:
        self.console.print(line, markup=False, highlight=False)

    def epoch(self, title: str, batches: Sequence[Batch], later: int) -> Iterator[Batch]:
        pace = Pace(len(batches), later)
        with Progress(*self._columns(), console=self.console, transient=True) as progress:
            task = progress.add_task(title, total=len(batches), loss=0.0, pace=pace)
            for batch in batches:
                yield batch
                pace.passed(batch)
                progress.update(task, advance=1, loss=self.loss)

    def _columns(self) -> tuple[ProgressColumn, ...]:
        """Give what there is room for."""
        title, count = TextColumn("{task.description}"), MofNCompleteColumn()
        if self.console.width < _BAR_WIDTH:
            return title, count, TextColumn("{task.fields[pace].left}")
        return title, BarColumn(), count, TextColumn("loss {task.fields[loss]:.2f}, {task.fields[pace]}")

    def step(self, loss: float) -> None:
        self.loss = loss


def watcher(quiet: bool = False) -> Watcher:
    """Give the watcher that suits whoever is there to look."""
    if quiet:
        return Silence()
    return Bar() if is_capable(sys.stderr) else Lines()
