"""wrk, a client that asks a server again as soon as it has an answer, over so many connections at a time."""

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from math import ceil, inf, nan
from pathlib import Path
from typing import NamedTuple

_SCRIPT = Path(__file__).with_suffix(".lua")
_TIMEOUT = 60
"""Seconds after which an answer counts as one that did not come."""


class Answer(NamedTuple):
    """How a request was answered."""

    status: int
    moment: float
    """When, in seconds from the beginning."""
    milliseconds: float
    """From the request on."""
    retry_after: int | None
    """Seconds after which to ask again, if the server said so."""

    @property
    def is_found(self) -> bool:
        return self.status == HTTPStatus.OK

    @property
    def is_refused(self) -> bool:
        return self.status == HTTPStatus.SERVICE_UNAVAILABLE and self.retry_after is not None


@dataclass(frozen=True)
class Load:
    """What came of asking for some seconds."""

    answers: Sequence[Answer]
    failures: int
    """Connections that failed, and answers that did not come."""
    own_seconds: float
    """That wrk itself had a core."""

    @property
    def seconds(self) -> float:
        """The time until the last answer: what was under way then is not counted, nor is its time."""
        return max((answer.moment for answer in self.answers), default=inf)

    @property
    def found(self) -> list[Answer]:
        return [answer for answer in self.answers if answer.is_found]

    @property
    def errors(self) -> int:
        return self.failures + len(self.answers) - len(self.found)

    @property
    def found_a_second(self) -> float:
        return len(self.found) / self.seconds


def check_installed() -> None:
    """Stop with a line that says what to do where there is no wrk."""
    if shutil.which("wrk") is None:
        print("this needs wrk, which asks the server: apt install wrk", file=sys.stderr)
        sys.exit(2)


def run_wrk(url: str, bodies: Path, connections: int, seconds: int) -> Load:
    """Post the lines of a file to a server for some seconds; whoever waits at the end goes away."""
    with tempfile.TemporaryDirectory() as place:
        answers = Path(place) / "answers"
        options = ["-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", f"{_TIMEOUT}s", "-s", str(_SCRIPT)]
        before = _children_seconds()
        told = subprocess.run(
            ["wrk", *options, url, "--", bodies, answers], check=True, capture_output=True, text=True
        ).stdout
        return load_of(told, answers.read_text(), _children_seconds() - before)


def load_of(told: str, answers: str, own_seconds: float) -> Load:
    """Read what wrk printed, and the answers that its script wrote down."""
    summary = json.loads(next(line for line in told.splitlines() if line.startswith("{")))
    return Load([_answer(line) for line in answers.splitlines()], summary["failures"], own_seconds)


def percentile(answers: Iterable[Answer], percent: int) -> float:
    """Find the milliseconds that so many percent of answers took at most."""
    times = sorted(answer.milliseconds for answer in answers)
    return times[ceil(percent / 100 * len(times)) - 1] if times else nan


def _answer(line: str) -> Answer:
    status, moment, microseconds, retry_after = line.split()
    wait = None if retry_after == "-" else int(retry_after)
    return Answer(int(status), float(moment) / 1e6, float(microseconds) / 1000, wait)


def _children_seconds() -> float:
    """Add up the processor's time of all processes that were waited for: while servers run, those are wrk's."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
