"""Documents per second of what needs no neural network, and how long the command line takes to start."""

import statistics as medians
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.corpora import chia_brat, corpora, markdown_table, record
from disconer import read, write
from disconer.scoring import pair_documents, score_pairs, statistics

RUNS = 5


def main() -> None:
    craft = corpora() / "craft" / "train.jsonl"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        brat = chia_brat(folder / "chia")
        rows = [
            row("stats", "CRAFT train, JSONL", craft, lambda: statistics(read(craft))),
            row(
                "score",
                "CRAFT train against itself",
                craft,
                lambda: score_pairs(pair_documents(read(craft), read(craft))),
            ),
            row("convert", "JSONL → JSONL", craft, lambda: write(read(craft), folder / "a.jsonl")),
            row("convert", "JSONL → inline", craft, lambda: write(read(craft), folder / "a.inline")),
            row(
                "convert",
                "inline → JSONL",
                folder / "a.inline",
                lambda: write(read(folder / "a.inline"), folder / "b.jsonl"),
            ),
            row("convert", "Chia, brat → JSONL", brat, lambda: write(read(brat), folder / "c.jsonl")),
            row("convert", "Chia, JSONL → brat", folder / "c.jsonl", lambda: write_fresh(folder)),
            row("stats", "Chia, brat", brat, lambda: statistics(read(brat))),
        ]
    header = ["command", "data", "documents", "documents a second", "seconds, median", "fastest", "slowest"]
    start = ["command line", "seconds, median", "fastest", "slowest"]
    starts = [
        time_start("python -c pass", "-c", "pass"),
        *(time_start(f"disconer {name}", "-m", "disconer", *name.split()) for name in ("--help", "stats --help")),
    ]
    lines = [*markdown_table(header, rows), "", *markdown_table(start, starts), ""]
    record("foundation", "make bench", [*lines, f"{RUNS} runs each."])


def row(command: str, data: str, path: Path, job: Callable[[], object]) -> list[str]:
    times = time_runs(job)
    documents = sum(1 for _ in read(path))
    median = medians.median(times)
    return [command, data, f"{documents:,}", f"{documents / median:,.0f}", *summary(times)]


def time_start(name: str, *arguments: str) -> list[str]:
    command = [sys.executable, *arguments]
    return [name, *summary(time_runs(lambda: subprocess.run(command, check=True, capture_output=True)))]


def time_runs(job: Callable[[], object]) -> list[float]:
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        job()
        times.append(time.perf_counter() - began)
    return times


def summary(times: list[float]) -> list[str]:
    return [f"{value:.2f}" for value in (medians.median(times), min(times), max(times))]


def write_fresh(folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        write(read(folder / "c.jsonl"), Path(place) / "brat")


if __name__ == "__main__":
    main()
