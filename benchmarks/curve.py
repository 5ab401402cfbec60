"""How much to annotate: F1 on dev by the number of drug labels that TAC 2017 ADR's training data is cut down to.

    python -m benchmarks.curve --runs runs/curve

Labels are whole documents, and every set holds those before it. Results go to `benchmarks/results/curve.md`; what is
finished is not trained again.
"""

import argparse
from hashlib import sha256
from pathlib import Path

from benchmarks.corpora import corpora, markdown_table, record
from benchmarks.subjects import disconer
from disconer import Document, read, write
from disconer.scoring import SCOPES
from disconer.training.metrics import best_epoch, read_metrics

SIZES = {5: (5, 12), 10: (5, 10), 20: (5, 8), 82: (5,)}
"""Labels, and how many epochs each set is learned for."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, required=True, help="where the runs go")
    runs: Path = parser.parse_args().runs
    source = corpora() / "tac2017_adr"
    documents = list(read(source / "train.jsonl"))
    drugs = sorted({name_drug(document) for document in documents}, key=lambda drug: sha256(drug.encode()).digest())
    rows = []
    for size, epochs in SIZES.items():
        kept = set(drugs[:size])
        chosen = [document for document in documents if name_drug(document) in kept]
        rows += [measure(chosen, size, count, source / "dev.jsonl", runs) for count in epochs]
    header = ["labels", "sentences", "mentions", "with gaps", "epochs", *SCOPES, "minutes"]
    note = "Dev F1 in percent, one seed, one thread; minutes are the sum of the epochs', dev included."
    record("curve", "python -m benchmarks.curve --runs RUNS", [note, "", *markdown_table(header, rows)])


def name_drug(document: Document) -> str:
    return str(document.id).partition("#")[0]


def measure(chosen: list[Document], size: int, epochs: int, dev: Path, runs: Path) -> list[str]:
    """Train on some labels, unless that was done, and give the row of the table."""
    train, out = runs / f"tac-{size}.jsonl", runs / f"{size}-{epochs}"
    if not (out / "model").is_dir():
        runs.mkdir(parents=True, exist_ok=True)
        write(chosen, train)
        options = ("--epochs", epochs, "--seed", 1, "--threads", 1, "--set", "training.patience=0")
        disconer("train", "--train", train, "--dev", dev, "--out", out, *options)
    history = read_metrics(out / "seed-1" / "metrics.jsonl")
    best = best_epoch(history)
    scores = [f"{100 * best.dev[scope]['f1']:.1f}" for scope in SCOPES]
    mentions = [mention for document in chosen for mention in document]
    gaps = sum(mention.is_discontinuous for mention in mentions)
    minutes = sum(epoch.seconds for epoch in history) / 60
    counts = [f"{count:,}" for count in (size, len(chosen), len(mentions), gaps, epochs)]
    return [*counts, *scores, f"{minutes:.0f}"]


if __name__ == "__main__":
    main()
