"""How far do annotators agree with themselves? Scores the copies of a sentence, which corpora hold, against each other.

    python -m benchmarks.agreement

Of sentences that stand in a training file several times, word by word the same, each copy is scored as if it were the
prediction for the copy before it. No model can be expected to be much better than that.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from benchmarks.corpora import corpora, markdown_table, record
from disconer import Document, read
from disconer.scoring.counts import Counts, count_mentions

FEWEST_WORDS = 8
"""Of a sentence that says more than the name of a reaction."""


def main() -> None:
    rows = []
    for corpus in ("tac2017_adr", "chia", "craft"):
        documents = list(read(corpora() / corpus / "train.jsonl"))
        longer = [document for document in documents if len(document.layout.words) >= FEWEST_WORDS]
        for title, chosen in ((corpus, documents), (f"{corpus}, {FEWEST_WORDS} words or more", longer)):
            rows.append(compare_copies(title, chosen))
    header = ["sentences of train", "copies compared", "mentions", "F1", "discontinuous ones", "F1"]
    record("agreement", "python -m benchmarks.agreement", markdown_table(header, rows))


def compare_copies(title: str, documents: Iterable[Document]) -> list[str]:
    """Make a row of the table: how well copies of a sentence agree, over all mentions and discontinuous ones."""
    copies: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        copies[document.text].append(document)
    pairs = [pair for same in copies.values() for pair in pairwise(same)]
    row = [title, f"{len(pairs):,}"]
    for only_discontinuous in (False, True):
        counts = sum((count_mentions(*pair, only_discontinuous) for pair in pairs), Counts())
        row += [f"{counts.gold:,}", f"{100 * counts.f1:.1f}"]
    return row


if __name__ == "__main__":
    main()
