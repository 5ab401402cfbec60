"""What a person sees of a study while it runs: a live view of all jobs on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from disconer.drawing.characters import printable
from disconer.drawing.terminal import is_capable
from disconer.study.job import Job
from disconer.training.metrics import Epoch, best_epoch
from disconer.training.progress import duration


class View(Protocol):
    """Somebody who is told how a study goes."""

    def began(self, job: Job) -> None:
        """Hear that a job was begun, or goes on."""

    def look(self, working: Sequence[Job]) -> None:
        """Look at what is being done; this happens often."""

    def ended(self, job: Job, status: int) -> None:
        """Hear that a job ended, and the status of its process: 0 when all is well."""

    def close(self) -> None:
        """Look no longer."""


class Overview:
    """How far a study is: epochs done of all, and how long the rest may take."""

    def __init__(self, jobs: Sequence[Job], at_once: int) -> None:
        self.jobs = jobs
        self.at_once = at_once
        self._done: dict[Job, list[Epoch]] = {}
        """What is finished, which does not change any more."""

    def look(self) -> "Progress":
        """See how far every job is."""
        epochs = dict(self._done)
        for job in self.jobs:
            if job not in self._done:
                epochs[job] = job.epochs
                if job.is_finished:
                    self._done[job] = epochs[job]
        left = [job.config.training.epochs - len(epochs[job]) for job in self.jobs if job not in self._done]
        total = sum(job.config.training.epochs for job in self.jobs)
        seconds = [epoch.seconds for own in epochs.values() for epoch in own]
        mean = sum(seconds) / len(seconds) if seconds else None
        return Progress(
            len(self._done),
            len(self.jobs),
            1 - sum(left) / max(total, 1),
            None if mean is None or not left else sum(left) * mean / min(self.at_once, len(left)),
        )


@dataclass(frozen=True)
class Progress:
    """How far a study is at a moment."""

    finished: int
    jobs: int
    share: float
    """Of the epochs; a training that stopped early has done all of its own."""
    seconds_left: float | None

    def __str__(self) -> str:
        line = f"{self.finished} of {self.jobs} trainings finished, {self.share:.0%} of the epochs"
        return line if self.seconds_left is None else f"{line}, about {duration(self.seconds_left)} left"


def _result(job: Job, status: int) -> str:
    if status:
        how = f"failed with status {status}" if status > 0 else f"was ended by signal {-status}"
        return f"{job.name} {how}: {job.last_line()} (more in {job.log})"
    return f"{job.name}: best on dev was {best_epoch(job.epochs).line()}"


class LineView:
    """Plain lines on standard error."""

    def __init__(self, overview: Overview, every_seconds: float = 60.0) -> None:
        self.overview = overview
        self.every_seconds = every_seconds
        self.told = time.monotonic()

    def began(self, job: Job) -> None:
        self._tell(f"{job.name}: {'goes on' if job.epochs else 'begins'}")

    def look(self, working: Sequence[Job]) -> None:
        if time.monotonic() - self.told >= self.every_seconds:
            self.told = time.monotonic()
            self._tell(f"{self.overview.look()}; {len(working)} at work")

    def ended(self, job: Job, status: int) -> None:
        self._tell(_result(job, status))
        self._tell(str(self.overview.look()))

    def close(self) -> None:
        """There is nothing to put away."""

    def _tell(self, line: str) -> None:
        print(printable(line), file=sys.stderr, flush=True)  # noqa: T201


class LiveView:
    """A bar for the whole study, and a line for every training at work."""

    def __init__(self, overview: Overview) -> None:
        self.overview = overview
        self.console = Console(stderr=True)
        self.live = Live(console=self.console, refresh_per_second=2, transient=True)
        self.live.start()

    def began(self, job: Job) -> None:
        """See it appear."""

    def look(self, working: Sequence[Job]) -> None:
        self.live.update(self._drawn(working))

    def ended(self, job: Job, status: int) -> None:
        self.console.print(Text(printable(_result(job, status)), style="red" if status else ""))

    def close(self) -> None:
        self.live.stop()

    def _drawn(self, working: Sequence[Job]) -> RenderableType:
        rows = Table.grid(padding=(0, 2))
        for job in working:
            rows.add_row(Text(job.name), Text(printable(job.last_line()), overflow="ellipsis", no_wrap=True))
        progress = self.overview.look()
        whole = Table.grid(padding=(0, 2))
        whole.add_row(ProgressBar(total=1.0, completed=progress.share, width=40), Text(str(progress)))
        return Group(rows, whole)


class NoView:
    """Nobody looks."""

    def began(self, job: Job) -> None:
        """Say nothing."""

    def look(self, working: Sequence[Job]) -> None:
        """Say nothing."""

    def ended(self, job: Job, status: int) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Say nothing."""


def view(overview: Overview, quiet: bool) -> View:
    """Give the view that suits whoever is there to look."""
    if quiet:
        return NoView()
    return LiveView(overview) if is_capable(sys.stderr) else LineView(overview)
