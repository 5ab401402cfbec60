"""Servers that are asked in turns, so that a machine that slows down does so for all of them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from benchmarks.served import Server
from benchmarks.wrk import Answer, run_wrk

_BATCHES, _BATCHED = "disconer_batch_texts_count", "disconer_batch_texts_sum"
_WARM_UP = 8
"""Connections before anything is measured."""


class Questions(NamedTuple):
    """What is sent, one request after the other, over so many connections."""

    bodies: Path
    """A file with one a line."""
    connections: int
    texts: int = 1
    """Of each request."""

    def over(self, connections: int) -> "Questions":
        return self._replace(connections=connections)


class Drive(NamedTuple):
    """What was done in some seconds."""

    texts_a_second: float
    found: Sequence[Answer] = ()
    errors: int = 0
    texts_a_batch: float = 1.0


@dataclass(frozen=True)
class Drives:
    """What was done in every round."""

    rounds: list[Drive]

    @property
    def texts_a_second(self) -> float:
        return median(drive.texts_a_second for drive in self.rounds)

    @property
    def texts_a_batch(self) -> float:
        return fmean(drive.texts_a_batch for drive in self.rounds)

    @property
    def errors(self) -> int:
        return sum(drive.errors for drive in self.rounds)

    @property
    def found(self) -> list[Answer]:
        return [answer for drive in self.rounds for answer in drive.found]

    def relative_to(self, other: "Drives") -> str:
        """Say how many times as much as another, which was asked in the same rounds: median, lowest, highest."""
        pairs = zip(self.rounds, other.rounds, strict=True)
        ratios = [own.texts_a_second / (others.texts_a_second or nan) for own, others in pairs]
        return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


class Driver:
    """Asks servers, always for the same time."""

    def __init__(self, seconds: int, rounds: int) -> None:
        self.seconds = seconds
        self.rounds = rounds
        self.busiest = 0.0
        """The largest share of a core that the client itself took."""

    def warm_up(self, servers: Iterable[Server], questions: Questions) -> None:
        """Let servers meet the texts before anything is measured."""
        for server in servers:
            self.drive(server, questions.over(_WARM_UP))

    def drive(self, server: Server, questions: Questions) -> Drive:
        before = server.metrics()
        load = run_wrk(server.extract_url, questions.bodies, questions.connections, self.seconds)
        after = server.metrics()
        self.busiest = max(self.busiest, load.own_seconds / load.seconds)
        batches = after[_BATCHES] - before[_BATCHES]
        together = (after[_BATCHED] - before[_BATCHED]) / max(batches, 1)
        return Drive(load.found_a_second * questions.texts, load.found, load.errors, together)

    def compare(self, servers: Mapping[str, Server], questions: Questions) -> dict[str, Drives]:
        return self.run_in_turns({name: partial(self.drive, server, questions) for name, server in servers.items()})

    def run_in_turns(self, jobs: Mapping[str, Callable[[], Drive]]) -> dict[str, Drives]:
        rounds = [{name: job() for name, job in jobs.items()} for _ in range(self.rounds)]
        return {name: Drives([done[name] for done in rounds]) for name in jobs}


def write_bodies(path: Path, questions: Iterable[str | Sequence[str]]) -> Path:
    """Write what servers are asked, a body a line."""
    path.write_text("".join(json.dumps({"texts": texts}) + "\n" for texts in questions), encoding="utf-8")
    return path
