"""What a person sees of a study while it runs: how far it is, and what every training at work says."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from disconer.foundation.characters import printable
from disconer.foundation.progress import Display
from disconer.foundation.wording import format_duration
from disconer.study.job import Job
from disconer.training.metrics import Epoch, best_epoch


class Overview:
    """How far a study is: epochs done of all, and how long the rest may take."""

    def __init__(self, jobs: Sequence[Job], at_once: int) -> None:
        self.jobs = jobs
        self.at_once = at_once
        self._done: dict[Job, list[Epoch]] = {}
        """What is finished, which does not change any more."""

    def look(self) -> "StudyProgress":
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
        return StudyProgress(
            len(self._done),
            len(self.jobs),
            1 - sum(left) / max(total, 1),
            None if mean is None or not left else sum(left) * mean / min(self.at_once, len(left)),
        )


@dataclass(frozen=True)
class StudyProgress:
    """How far a study is at a moment."""

    finished: int
    jobs: int
    share: float
    """Of the epochs; a training that stopped early has done all of its own."""
    seconds_left: float | None

    def __str__(self) -> str:
        line = f"{self.finished} of {self.jobs} trainings finished, {self.share:.0%} of the epochs"
        return line if self.seconds_left is None else f"{line}, about {format_duration(self.seconds_left)} left"


def _result(job: Job, status: int) -> str:
    if status:
        how = f"failed with status {status}" if status > 0 else f"was ended by signal {-status}"
        return f"{job.name} {how}: {job.last_line()} (more in {job.log})"
    return f"{job.name}: best on dev was {best_epoch(job.epochs).line()}"


@dataclass(frozen=True)
class StudyStatus:
    """A study at a moment: its progress, and the trainings at work."""

    overview: Overview
    working: Sequence[Job]

    @cached_property
    def progress(self) -> StudyProgress:
        """Read from files, so only where somebody looks."""
        return self.overview.look()

    @property
    def share(self) -> float:
        return self.progress.share

    def __str__(self) -> str:
        return f"{self.progress}; {len(self.working)} at work"

    def render(self, width: int) -> RenderableType:
        """A line for every training at work, and a bar for the whole study."""
        rows = Table.grid(padding=(0, 2))
        for job in self.working:
            rows.add_row(Text(job.name), Text(printable(job.last_line()), overflow="ellipsis", no_wrap=True))
        whole = Table.grid(padding=(0, 2))
        whole.add_row(ProgressBar(total=1.0, completed=self.share, width=min(40, width // 2)), Text(str(self.progress)))
        return Group(rows, whole)


class View:
    """Shows a study on a display."""

    def __init__(self, overview: Overview, display: Display) -> None:
        self.overview = overview
        self.display = display

    def report_start(self, job: Job) -> None:
        """Say that a job was begun, or goes on."""
        self.display.log(f"{job.name}: {'goes on' if job.epochs else 'begins'}")

    def look(self, working: Sequence[Job]) -> None:
        """Show what is being done; called often."""
        self.display.show(StudyStatus(self.overview, working))

    def report_end(self, job: Job, status: int) -> None:
        """Say that a job ended, and the status of its process: 0 when all is well."""
        self.display.note(_result(job, status), is_error=status != 0)
        self.display.log(str(self.overview.look()))

    def close(self) -> None:
        self.display.clear()
