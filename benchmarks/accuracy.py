"""Train on the real corpora and tabulate dev scores, training time and speed.

    python -m benchmarks.accuracy small tac2017_adr chia      the small recipe: every fourth sentence, 4 epochs, 3 seeds
    python -m benchmarks.accuracy full tac2017_adr            everything, one seed
    python -m benchmarks.accuracy small chia --title "one tag class" -- --set scheme.tags=one

What follows `--` goes to `disconer train` as it is. Every run adds a row to `benchmarks/results/accuracy.md`; runs are
kept below `--runs`, and one that was cut off goes on where it was.
"""

import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev

from benchmarks.corpora import CORPORA, RESULTS, ROOT
from disconer.scoring import SCOPES
from disconer.training.metrics import best_epoch, read_metrics

TABLE = RESULTS / "accuracy.md"
HEAD = """# Accuracy on real text

Dev F1 in percent (all / disc_sentences / disc_mentions) with the embedded encoder; several seeds as mean ± standard
deviation. Time is the sum of a seed's epochs, dev included. The command of each row is `python -m benchmarks.accuracy`
with what its last column says, at the commit beside it.

| corpus | recipe | what | all | disc_sentences | disc_mentions | minutes a seed | sentences/s | commit | command |
|---|---|---|---|---|---|---:|---:|---|---|
"""
EVERY, EPOCHS, SEEDS = 4, 4, (1, 2, 3)
"""The small recipe."""


def main() -> None:
    arguments, passed_on = _arguments()
    for corpus in arguments.corpus:
        row = _row(corpus, arguments, passed_on)
        print(row)
        if not TABLE.exists():
            TABLE.write_text(HEAD)
        with TABLE.open("a") as stream:
            stream.write(row + "\n")


def _arguments() -> tuple[Namespace, list[str]]:
    own = sys.argv[1:]
    separator = own.index("--") if "--" in own else len(own)
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("recipe", choices=("small", "full"))
    parser.add_argument("corpus", nargs="+")
    parser.add_argument("--title", default="defaults")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    return parser.parse_args(own[:separator]), own[separator + 1 :]


def _row(corpus: str, arguments: Namespace, passed_on: list[str]) -> str:
    name = "-".join((corpus, arguments.recipe, *arguments.title.split()))
    arguments.runs.mkdir(exist_ok=True)
    run, train = arguments.runs / name, CORPORA / corpus / "train.jsonl"
    own: list[str] = []
    if arguments.recipe == "small":
        own = ["--epochs", str(EPOCHS), "--set", f"data.every={EVERY}", "--seed", *map(str, SEEDS)]
    commit = _commit()
    data = ["--train", str(train), "--dev", str(CORPORA / corpus / "dev.jsonl"), "--out", str(run)]
    subprocess.run([sys.executable, "-m", "disconer", "train", *data, *own, "--resume", *passed_on], check=True)
    cells = (corpus, arguments.recipe, arguments.title, *_figures(run), commit)
    command = " ".join((arguments.recipe, corpus, *(("--", *passed_on) if passed_on else ())))
    return f"| {' | '.join(cells)} | `{command}` |"


def _figures(run: Path) -> list[str]:
    """Read the scores, the minutes and the speed of a run from its metrics."""
    seeds = [read_metrics(path) for path in run.glob("seed-*/metrics.jsonl")]
    best = [best_epoch(epochs) for epochs in seeds]
    scores = [spread([100 * epoch.dev[scope]["f1"] for epoch in best]) for scope in SCOPES]
    minutes = mean(sum(epoch.seconds for epoch in epochs) / 60 for epochs in seeds)
    speed = mean(epoch.sentences_per_second for epochs in seeds for epoch in epochs)
    return [*scores, f"{minutes:.0f}", f"{speed:.0f}"]


def _commit() -> str:
    """Name the last change of what was run, with a `+` when there are others that are not committed."""
    last, others = (
        subprocess.run(["git", *words, "src"], check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()
        for words in (("log", "-1", "--format=%h", "--"), ("status", "--porcelain", "--"))
    )
    return f"{last}+" if others else last


def spread(values: Sequence[float]) -> str:
    """Write the mean ± the standard deviation, or a single value as it is."""
    return f"{mean(values):.1f} ± {stdev(values):.1f}" if len(values) > 1 else f"{values[0]:.1f}"


if __name__ == "__main__":
    main()
