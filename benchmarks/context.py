"""What it does to dev scores and to time when several sentences are read together.

    python -m benchmarks.context tac2017_adr=RUN chia=RUN

Whole documents are read: TAC's sections, and Chia's criteria as their authors published them. Results go to
`benchmarks/results/context.md`.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.corpora import chia_brat, corpora, markdown_table, record
from disconer import Document, load, read
from disconer.scoring import SCOPES, score_pairs

CONTEXTS = (1, 2, 3, 4, 8)


def main() -> None:
    pairs = [argument.split("=", 1) for argument in sys.argv[1:]]
    rows = [row for corpus, run in pairs for row in measure(corpus, run)]
    header = ["model", "sentences read together", *SCOPES, "mentions found across sentences", "time ÷ time for 1"]
    command = " ".join(("python -m benchmarks.context", *(f"{corpus}=RUN" for corpus, _ in pairs)))
    record("context", command, ["Dev F1 in percent, of models that were trained on single sentences.", "",
                                *markdown_table(header, rows)])  # fmt: skip


def measure(corpus: str, run: str) -> list[list[str]]:
    recognizer = load(run, device="cpu")
    documents = tac() if corpus == "tac2017_adr" else chia(set(recognizer.labels))
    rows, first = [], 0.0
    list(recognizer.pipe(documents))  # to warm up, and for words and sentences, which documents keep
    for context in CONTEXTS:
        began = time.perf_counter()
        predicted = list(recognizer.pipe(documents, context=context))
        seconds = time.perf_counter() - began
        first = first or seconds
        scores = score_pairs(zip(documents, predicted, strict=True))
        figures = [f"{100 * getattr(scores, scope).f1:.1f}" for scope in SCOPES]
        across = sum(len(document.cross_sentence) for document in predicted)
        rows.append([Path(run).name, str(context), *figures, str(across), f"{seconds / first:.2f}"])
    return rows


def tac() -> list[Document]:
    return list(read(corpora() / "tac2017_adr" / "documents.dev.jsonl"))


def chia(labels: set[str]) -> list[Document]:
    """Read the documents that dev's sentences come from, with the mentions of the types that a model knows."""
    with (corpora() / "chia" / "dev.jsonl").open() as lines:
        names = {json.loads(line)["id"].rsplit(":", 1)[0] for line in lines}
    with tempfile.TemporaryDirectory() as place:
        documents = list(read(chia_brat(Path(place))))
    return [
        document.with_mentions(mention for mention in document if mention.label in labels)
        for document in documents
        if str(document.id).rsplit("/", maxsplit=1)[-1] in names
    ]


if __name__ == "__main__":
    main()
