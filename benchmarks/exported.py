"""What exporting does to mentions and to dev scores.

    python -m benchmarks.exported tac2017_adr=RUN chia=RUN

Results go to `benchmarks/results/exported.md`.
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.corpora import corpora, markdown_table, record
from benchmarks.subjects import disconer
from disconer import Document, load, read
from disconer.scoring import SCOPES, score_pairs


def main() -> None:
    pairs = [argument.split("=", 1) for argument in sys.argv[1:]]
    rows = [row for corpus, run in pairs for row in measure(corpus, run)]
    header = ["model", "run by", *SCOPES, "mentions", "other than torch's", "MB"]
    command = " ".join(("python -m benchmarks.exported", *(f"{corpus}=RUN" for corpus, _ in pairs)))
    record("exported", command, ["Dev F1 in percent.", "", *markdown_table(header, rows)])


def measure(corpus: str, run: str) -> list[list[str]]:
    gold = list(read(corpora() / corpus / "dev.jsonl"))
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as place:
        models = {"torch": Path(run) / "model", "float32": Path(place) / "float32", "int8": Path(place) / "int8"}
        disconer("export", run, models["float32"], "--quiet")
        disconer("export", run, models["int8"], "--int8", "--quiet")
        for name, path in models.items():
            predicted = list(load(path, device="cpu").pipe(gold))
            if name == "torch":
                of_torch = keys(predicted)
            scores = score_pairs(zip(gold, predicted, strict=True))
            figures = [f"{100 * getattr(scores, scope).f1:.2f}" for scope in SCOPES]
            found, size = keys(predicted), sum(file.stat().st_size for file in path.iterdir()) / 1e6
            rows.append(
                [Path(run).name, name, *figures, f"{len(found):,}", f"{len(found ^ of_torch):,}", f"{size:.0f}"]
            )
    return rows


def keys(documents: list[Document]) -> set[object]:
    return {(number, mention.key) for number, document in enumerate(documents) for mention in document}


if __name__ == "__main__":
    main()
