"""What `disconer train --init` gives, and what it forgets, on a corpus that is annotated.

    python -m benchmarks.continuing tac2017_adr --runs runs/suggesting             three seeds, one after the other
    python -m benchmarks.continuing tac2017_adr --runs runs/suggesting --seeds 2   one of them, beside others
    python -m benchmarks.continuing tac2017_adr --runs runs/suggesting --report    tabulate what is there

It goes on from the first models of `benchmarks.suggesting`, which must have been played: with all that is annotated
after its first round of random sentences, and with what was new in that round alone. And it teaches a model that knows
all labels but one the last one, with sentences in which nobody has annotated the others.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy import spread
from benchmarks.corpora import corpora, markdown_table, record
from benchmarks.suggesting import FIRST, STEP, arguments_of, learn
from disconer import Document, load, read, write
from disconer.scoring import score_pairs

LABEL = "Severity"
"""The label that is learned last."""
FEW = 2
"""Epochs that go on."""


@dataclass(frozen=True)
class Training:
    """One training, and how well its model does on the whole of dev: over all labels, and over some."""

    what: str
    sentences: int
    epochs: int
    f1: dict[str, float]


@dataclass(frozen=True)
class Course:
    """One seed's trainings."""

    corpus: Path
    seed: int
    folder: Path
    threads: int

    def train_all(self) -> Iterator[Training]:
        """Train in every way of going on, one after the other."""
        annotated = list(read(self.folder / "random-1.jsonl"))
        first = self.folder / "first-0"
        yield self._train("from the encoder, all", annotated, self.folder / "random-1", [])
        yield self._train("--init, all", annotated, self.folder / "on-all", ["--init", first, "--epochs", FEW])
        yield self._train(
            "--init, new only", annotated[FIRST:], self.folder / "on-new", ["--init", first, "--epochs", FEW]
        )
        yield from self._new_label(annotated)

    def _new_label(self, annotated: list[Document]) -> Iterator[Training]:
        dev = list(read(self.corpus / "dev.jsonl"))
        old_dev, new_dev = self.folder / "dev-old.jsonl", self.folder / "dev-new.jsonl"
        write((without(document, LABEL) for document in dev), old_dev)
        write((only(document, LABEL) for document in dev), new_dev)
        old, last = self.folder / "old-labels", self.folder / "last-label"
        before = [without(document, LABEL) for document in annotated[:FIRST]]
        yield self._train(f"all labels but {LABEL}", before, old, ["--dev", old_dev])
        added = [only(document, LABEL) for document in annotated[FIRST:]]
        yield self._train(f"--init, {LABEL} only", added, last, ["--dev", new_dev, "--init", old])

    def _train(self, what: str, documents: list[Document], run: Path, more: list[object]) -> Training:
        train = run.with_suffix(".jsonl")
        write(documents, train)
        learn(train, self.corpus, run, self.seed, self.threads, more)
        (metrics,) = run.glob("seed-*/metrics.jsonl")
        epochs = len(metrics.read_text().splitlines())
        return Training(what, len(documents), epochs, self._scores(run))

    def _scores(self, run: Path) -> dict[str, float]:
        gold = list(read(self.corpus / "dev.jsonl"))
        pairs = list(zip(gold, load(run, threads=self.threads).pipe(gold), strict=True))
        old = [(without(one, LABEL), without(other, LABEL)) for one, other in pairs]
        new = [(only(one, LABEL), only(other, LABEL)) for one, other in pairs]
        return {name: score_pairs(some).all.f1 for name, some in (("all", pairs), ("old", old), ("new", new))}


def without(document: Document, label: str) -> Document:
    return document.with_mentions(mention for mention in document if mention.label != label)


def only(document: Document, label: str) -> Document:
    return document.with_mentions(mention for mention in document if mention.label == label)


def main() -> None:
    arguments = arguments_of(__doc__)
    for seed in () if arguments.report else arguments.seeds:
        folder = arguments.runs / f"{arguments.corpus}-{seed}"
        trainings = []
        for training in Course(corpora() / arguments.corpus, seed, folder, arguments.threads).train_all():
            print(training, flush=True)
            trainings.append(vars(training))
        (folder / "lessons.json").write_text(json.dumps(trainings, indent=2))
    _report(arguments.corpus, arguments.runs)


def _report(corpus: str, runs: Path) -> None:
    seeds = [json.loads(path.read_text()) for path in sorted(runs.glob(f"{corpus}-*/lessons.json"))]
    if not seeds:
        return
    header = ["what", "sentences", "epochs", "F1", f"F1 without {LABEL}", f"F1 of {LABEL}"]
    rows = [
        [
            same[0]["what"], f"{same[0]['sentences']:,}", str(same[0]["epochs"]),
            *(spread([100 * training["f1"][name] for training in same]) for name in ("all", "old", "new")),
        ]
        for same in zip(*seeds, strict=True)
    ]  # fmt: skip
    about = (
        f"Dev of {corpus}, in percent: mean ± standard deviation of {len(seeds)} seeds. Models go on from "
        f"one of {FIRST} sentences; all are {FIRST + STEP}."
    )
    command = f"python -m benchmarks.continuing {corpus} --runs runs/suggesting"
    record(f"continuing-{corpus}", command, [about, "", *markdown_table(header, rows)])


if __name__ == "__main__":
    main()
