"""How long the ready models take to start, how fast they read, and what memory they want.

    python -m benchmarks.ready

Results go to `benchmarks/results/ready.md`.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from benchmarks.corpora import corpora, markdown_table, record
from benchmarks.timing import run_in_turns
from disconer import Recognizer, load, read

ROUNDS = 5
ONE_BY_ONE = 300
"""Sentences that are read alone, each as a text of its own."""
CORPORA = {"adr": "tac2017_adr", "trials": "chia", "craft": "craft"}
HEADER = [
    "model", "s from call to answer", "sentences/s, one thread", "two threads", "one at a time", "ms each", "MB",
]  # fmt: skip


def main() -> None:
    command = "python -m benchmarks.ready"
    if sys.argv[1:]:
        print(peak_megabytes(sys.argv[1]))
        return
    rows = [measure(name, corpus) for name, corpus in CORPORA.items()]
    about = (
        f"From call to answer: a new process, `disconer predict NAME --text …`, the median of {ROUNDS}. Sentences: the "
        f"dev sentences of the model's own corpus, through `pipe`; {ONE_BY_ONE} of them one at a time, on one thread. "
        "Memory: the most that a process took which read all of dev."
    )
    record("ready", command, [about, "", *markdown_table(HEADER, rows)])


def measure(name: str, corpus: str) -> list[str]:
    texts = [sentence.text for document in read(corpora() / corpus / "dev.jsonl") for sentence in document.sentences]
    one, two = (load(name, threads=threads) for threads in (1, 2))
    jobs: dict[str, Callable[[], object]] = {
        "one": partial(read_all, one, texts),
        "two": partial(read_all, two, texts),
        "alone": lambda: [one(text) for text in texts[:ONE_BY_ONE]],
    }
    seconds = run_in_turns(jobs, ROUNDS)
    alone = seconds["alone"].median / ONE_BY_ONE
    speeds = [f"{len(texts) / seconds[job].median:,.0f}" for job in ("one", "two")]
    memory = subprocess.run(
        [sys.executable, "-m", "benchmarks.ready", name], capture_output=True, text=True, check=True
    )
    return [
        name, f"{start_seconds(name):.2f}", *speeds, f"{1 / alone:,.0f}", f"{1000 * alone:.1f}", memory.stdout.strip(),
    ]  # fmt: skip


def read_all(recognizer: Recognizer, texts: list[str]) -> None:
    for _ in recognizer.pipe(texts):
        pass


def start_seconds(name: str) -> float:
    """Time a new process that answers once."""
    call = [sys.executable, "-m", "disconer", "predict", name, "--text", "Hepatic and renal failure.", "--quiet"]
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run(call, capture_output=True, check=True)
        rounds.append(time.perf_counter() - began)
    return median(rounds)


def peak_megabytes(name: str) -> str:
    """Read all of dev, and tell what this process took."""
    read_all(load(name, threads=1), [document.text for document in read(corpora() / CORPORA[name] / "dev.jsonl")])
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f}"


if __name__ == "__main__":
    main()
