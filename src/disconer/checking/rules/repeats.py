"""What stands twice: mentions, labels of one mention, documents."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

from disconer.checking.corpus import Corpus, Entry
from disconer.checking.finding import Problem
from disconer.document import Fragment, Mention

HABIT = 5
"""Two labels that share so many mentions are meant to."""


def duplicates(corpus: Corpus) -> Iterator[Problem]:
    """Find mentions with the label and the fragments of another."""
    for entry in corpus.entries:
        seen: set[object] = set()
        for mention in entry.document:
            if mention.key in seen:
                yield Problem.of_mention(entry, mention, "stands here more than once")
            seen.add(mention.key)


def double_labels(corpus: Corpus) -> Iterator[Problem]:
    """Find mentions with two labels that seldom go together."""
    found = [pair for entry in corpus.entries for pair in _label_pairs(entry)]
    times = Counter((one.label, other.label) for _, one, other in found)
    for entry, one, other in found:
        count = times[one.label, other.label]
        if count < HABIT:
            mentions = "this mention" if count == 1 else f"{count} mentions"
            yield Problem.of_mention(entry, one, f"is {other.label} too, two labels that share only {mentions}")


def same_ids(corpus: Corpus) -> Iterator[Problem]:
    """Find documents with the id of another one of their file."""
    seen: set[tuple[str, str]] = set()
    for entry in corpus.entries:
        if entry.document.id is None:
            continue
        key = entry.file, str(entry.document.id)
        if key in seen:
            yield Problem(entry, (), None, f"document {entry.number} has the id of another one")
        seen.add(key)


def _label_pairs(entry: Entry) -> Iterator[tuple[Entry, Mention, Mention]]:
    """Give the mentions of a document that share all fragments, two by two, in the order of their labels."""
    at: dict[tuple[Fragment, ...], list[Mention]] = defaultdict(list)
    for mention in entry.document.unique_mentions:
        at[mention.fragments].append(mention)
    for mentions in at.values():
        for one, other in combinations(sorted(mentions, key=lambda mention: mention.label), 2):
            yield entry, one, other
