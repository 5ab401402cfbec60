"""Jobs that take turns, so that a machine that slows down does so for all of them."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

Jobs = Mapping[str, Callable[[], object]]


@dataclass(frozen=True)
class Seconds:
    """How long a job took, every time it was run."""

    rounds: list[float]

    @property
    def median(self) -> float:
        return median(self.rounds)

    def relative_to(self, other: "Seconds") -> str:
        """Say how many times as long as another job, which was run in the same rounds: median, lowest, highest."""
        ratios = [own / others for own, others in zip(self.rounds, other.rounds, strict=True)]
        return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def run_in_turns(jobs: Jobs, rounds: int) -> dict[str, Seconds]:
    """Run jobs in turns, once to warm up and then several times."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(rounds + 1):
        for name, job in jobs.items():
            began = time.perf_counter()
            job()
            if number:
                seconds[name].append(time.perf_counter() - began)
    return {name: Seconds(times) for name, times in seconds.items()}
