"""What a person sees of a study while it runs: a live view of all jobs on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Sequence
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from disconer.drawing.characters import printable
from disconer.study.job import Job
from disconer.training.metrics import best_epoch
from disconer.training.progress import duration


class View(Protocol):
    """Somebody who is told how a study goes."""

    def began(self, job: Job) -> None:
        """Hear that a job was begun, or goes on."""

    def look(self, working: Sequence[Job]) -> None:
        """Look at what is being done; this happens often."""

    def ended(self, job: Job, is_failure: bool) -> None:
        """Hear that a job ended."""

    def close(self) -> None:
        """Look no longer."""


class Overview:
    """How far a study is: epochs done of all, and how long the rest may take."""

    def __init__(self, jobs: Sequence[Job], at_once: int) -> None:
        self.jobs = jobs
        self.at_once = at_once

    def line(self) -> str:
        finished = sum(job.is_finished for job in self.jobs)
        line = f"{finished} of {len(self.jobs)} trainings finished, {self.share:.0%} of the epochs"
        left = self._seconds_left()
        return line if left is None or finished == len(self.jobs) else f"{line}, about {duration(left)} left"

    @property
    def share(self) -> float:
        """The share of the epochs that are done; a training that stopped early has done all of its own."""
        done = sum(_total(job) if job.is_finished else len(job.epochs) for job in self.jobs)
        return done / max(sum(map(_total, self.jobs)), 1)

    def _seconds_left(self) -> float | None:
        seconds = [epoch.seconds for job in self.jobs for epoch in job.epochs]
        if not seconds:
            return None
        to_do = sum(_total(job) - len(job.epochs) for job in self.jobs if not job.is_finished)
        return to_do * sum(seconds) / len(seconds) / self.at_once


def _total(job: Job) -> int:
    return job.config.training.epochs


def _result(job: Job, is_failure: bool) -> str:
    if is_failure:
        return f"{job.name} failed: {job.last_line()} (more in {job.log})"
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
            self._tell(f"{self.overview.line()}; {len(working)} at work")

    def ended(self, job: Job, is_failure: bool) -> None:
        self._tell(_result(job, is_failure))
        self._tell(self.overview.line())

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

    def ended(self, job: Job, is_failure: bool) -> None:
        self.console.print(Text(printable(_result(job, is_failure)), style="red" if is_failure else ""))

    def close(self) -> None:
        self.live.stop()

    def _drawn(self, working: Sequence[Job]) -> RenderableType:
        rows = Table.grid(padding=(0, 2))
        for job in working:
            rows.add_row(Text(job.name), Text(printable(job.last_line()), overflow="ellipsis", no_wrap=True))
        bar = ProgressBar(total=1.0, completed=self.overview.share, width=40)
        return Group(rows, bar, Text(self.overview.line()))


class NoView:
    """Nobody looks."""

    def began(self, job: Job) -> None:
        """Say nothing."""

    def look(self, working: Sequence[Job]) -> None:
        """Say nothing."""

    def ended(self, job: Job, is_failure: bool) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Say nothing."""


def view(overview: Overview, quiet: bool) -> View:
    """Give the view that suits whoever is there to look."""
    if quiet:
        return NoView()
    return LiveView(overview) if sys.stderr.isatty() else LineView(overview)
