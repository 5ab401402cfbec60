"""The processes of a study: so many at a time, each with a share of the cores, until every job is done."""

import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from disconer.exceptions import RunError
from disconer.study.job import Job
from disconer.study.view import View

_LOOK_EVERY = 0.5
"""Seconds between two looks at the processes."""


@dataclass(frozen=True)
class Working:
    """A job and the process that does it."""

    job: Job
    process: subprocess.Popen[bytes]


class Crew:
    """Does jobs, so many at a time."""

    def __init__(self, at_once: int, threads: int, device: str, view: View) -> None:
        self.at_once = at_once
        self.threads = threads or max(1, (os.cpu_count() or 1) // at_once)
        self.device = device
        self.view = view
        self.working: list[Working] = []

    def work(self, jobs: Sequence[Job]) -> list[Job]:
        """Do the jobs that are not finished, and give those that failed.

        An interruption is passed on to all processes, which save what they have; the same call goes on from there.
        """
        waiting = deque(job for job in jobs if not job.is_finished)
        failed: list[Job] = []
        try:
            while waiting or self.working:
                while waiting and len(self.working) < self.at_once:
                    self._begin(waiting.popleft())
                time.sleep(_LOOK_EVERY)
                self.view.look([one.job for one in self.working])
                failed += self._ended()
        except KeyboardInterrupt:
            raise RunError("interrupted; the same command goes on where it was") from None
        finally:
            self._stop()
        return failed

    def _begin(self, job: Job) -> None:
        job.prepare()
        self.view.began(job)
        with job.log.open("ab") as log:
            log.write(b"begins\n")
            log.flush()
            process = subprocess.Popen(  # noqa: S603 (our own program)
                job.command(self.device, self.threads), cwd=job.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=log, start_new_session=True,
            )  # fmt: skip
            self.working.append(Working(job, process))

    def _ended(self) -> list[Job]:
        """Let go of the processes that ended, and give the jobs that failed."""
        ended = [one for one in self.working if one.process.poll() is not None]
        for one in ended:
            self.working.remove(one)
            self.view.ended(one.job, one.process.returncode)
        return [one.job for one in ended if one.process.returncode]

    def _stop(self) -> None:
        """Let no process go on that nobody looks after, whatever happened."""
        for one in self.working:
            one.process.send_signal(signal.SIGTERM)
        for one in self.working:
            one.process.wait()
