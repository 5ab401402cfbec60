"""Does it pay to annotate what `disconer suggest` chooses? It is played through on a corpus that is annotated.

    python -m benchmarks.suggesting tac2017_adr --runs runs/suggesting             three seeds, one after the other
    python -m benchmarks.suggesting tac2017_adr --runs runs/suggesting --seeds 2   one of them, beside others
    python -m benchmarks.suggesting tac2017_adr --runs runs/suggesting --report    tabulate and draw what is there

From some random sentences of train a model is trained, 4 epochs as in the small recipe. Then sentences are added: for
one arm those that the arm's own model suggests, for the other random ones; and so on. Every model begins anew from the
encoder, and is scored on the whole of dev. What is finished is kept below `--runs` and not done again.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks import suggesting_report
from benchmarks.accuracy import EPOCHS, SEEDS
from benchmarks.corpora import corpora
from disconer import Document, load, read, write
from disconer.scoring import SCOPES
from disconer.suggest.suggestion import suggest_documents

ARMS = ("random", "suggest")
FIRST, STEP, ROUNDS = 510, 510, 2
"""Sentences at first, sentences that are added each time, and how often."""


@dataclass(frozen=True)
class Played:
    """An annotated part of a corpus, and how well a model does that has learned from it."""

    seed: int
    arm: str
    sentences: int
    words: int
    mentions: int
    discontinuous: int
    f1: dict[str, float]


@dataclass(frozen=True)
class Game:
    """One seed's annotation of one corpus."""

    corpus: Path
    seed: int
    folder: Path
    threads: int

    def play(self) -> Iterator[Played]:
        """Annotate and train, round by round, arm by arm."""
        pool = {str(document.id): document for document in read(self.corpus / "train.jsonl")}
        order = list(pool)
        Random(self.seed).shuffle(order)
        first = order[:FIRST]
        yield self._play_round("first", 0, [pool[name] for name in first])
        for arm in ARMS:
            chosen = list(first)
            for number in range(1, ROUNDS + 1):
                rest = [name for name in order if name not in set(chosen)]
                chosen += rest[:STEP] if arm == "random" else self._suggest(number, [pool[name] for name in rest])
                yield self._play_round(arm, number, [pool[name] for name in chosen])

    def _suggest(self, number: int, rest: list[Document]) -> list[str]:
        kept = self.folder / f"suggested-{number}.json"
        if not kept.exists():
            model = self._run("suggest" if number > 1 else "first", number - 1)
            bare = (document.with_mentions(()) for document in rest)
            found = islice(suggest_documents(load(model, threads=self.threads), bare, whole=True), STEP)
            kept.write_text(json.dumps([str(document.id) for document in found]))
        names: list[str] = json.loads(kept.read_text())
        return names

    def _play_round(self, arm: str, number: int, documents: list[Document]) -> Played:
        run = self._run(arm, number)
        train = run.with_suffix(".jsonl")
        write(documents, train)
        learn(train, self.corpus, run, self.seed, self.threads)
        (metrics,) = run.glob("seed-*/metrics.jsonl")
        epochs = [json.loads(line)["dev"] for line in metrics.read_text().splitlines()]
        best = max(epochs, key=lambda dev: float(dev["all"]["f1"]))
        mentions = [mention for document in documents for mention in document]
        return Played(
            self.seed, arm, len(documents), sum(len(document.layout.words) for document in documents), len(mentions),
            sum(mention.is_discontinuous for mention in mentions), {scope: best[scope]["f1"] for scope in SCOPES},
        )  # fmt: skip

    def _run(self, arm: str, number: int) -> Path:
        return self.folder / f"{arm}-{number}"


def learn(train: Path, corpus: Path, run: Path, seed: int, threads: int, more: Sequence[object] = ()) -> None:
    """Train as the small recipe does, unless more options say otherwise; a run that is finished stays as it is."""
    command = [
        "train", "--train", train, "--dev", corpus / "dev.jsonl", "--out", run, "--epochs", EPOCHS, "--seed", seed,
        "--threads", threads, "--quiet", "--resume", *more,
    ]  # fmt: skip
    subprocess.run([sys.executable, "-m", "disconer", *map(str, command)], check=True)


def main() -> None:
    arguments = arguments_of(__doc__)
    for seed in () if arguments.report else arguments.seeds:
        folder = arguments.runs / f"{arguments.corpus}-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        played = []
        for one in Game(corpora() / arguments.corpus, seed, folder, arguments.threads).play():
            played.append(asdict(one))
            print(one, flush=True)
        (folder / "played.json").write_text(json.dumps(played, indent=2))
    suggesting_report.report(arguments.corpus, arguments.runs)


def arguments_of(description: str | None) -> Namespace:
    """Read what these benchmarks are called with."""
    parser = ArgumentParser(description=description)
    parser.add_argument("corpus")
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--report", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
