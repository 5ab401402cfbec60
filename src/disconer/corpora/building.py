"""From a download to train, dev and test."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from disconer.corpora.corpus import ALL, SPLITS, Article, Corpus, Figures, Request
from disconer.corpora.cutting import cut
from disconer.corpora.download import opened
from disconer.corpora.ledger import Ledger
from disconer.corpora.splits import splits_of
from disconer.document import Document
from disconer.exceptions import InputError
from disconer.nearest import did_you_mean
from disconer.scoring.statistics import Statistics, statistics

_TRAINING = ("train", "dev")
"""What owners that have no development set publish figures of."""


@dataclass
class Difference:
    """A published figure and what was found instead, or the same."""

    split: str
    figure: str
    published: int
    found: int


@dataclass
class Built:
    """A corpus that is ready to be written."""

    splits: dict[str, list[Document]]
    documents: dict[str, int]
    """How many documents of the owner's each split has."""
    statistics: dict[str, Statistics]
    ledger: Ledger
    other_types: Counter[str] = field(default_factory=Counter)
    """Mentions of the types that were not asked for."""
    comparison: list[Difference] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Give everything under the keys that programs rely on."""
        return {
            "splits": {
                name: found.as_json() | {"documents": self.documents[name]} for name, found in self.statistics.items()
            },
            **self.ledger.counts(),
            "other_types": dict(self.other_types.most_common()),
            "published": [vars(difference) for difference in self.comparison],
        }


def build(corpus: Corpus, raw: Path, request: Request) -> Built:
    """Read a download, choose types, split, cut into sentences, count, and compare with what is published."""
    if request.language and not corpus.has_languages:
        raise InputError(f"{corpus.name} has but one language: leave out --language")
    ledger = Ledger()
    with opened(raw, corpus.wanted, ledger) as download:
        articles = list(corpus.read(download, request, ledger))
    if not articles:
        message = f"no document of {corpus.name} was found here: see disconer corpus --list for what to download"
        raise InputError(message, path=raw)
    types = None if request.types == (ALL,) else request.types or corpus.default_types
    counts = Counter(mention.label for article in articles for mention in article.document)
    _check_types(counts, types or (), request.types is not None, raw)
    splits = splits_of(articles, request.split_dir, ledger)
    documents = {name: list(_documents(found, types, request, ledger)) for name, found in splits.articles.items()}
    built = Built(
        splits=documents,
        documents={name: len(found) for name, found in splits.articles.items()},
        statistics={name: statistics(found) for name, found in documents.items()},
        ledger=ledger,
        other_types=Counter({label: count for label, count in counts.items() if types and label not in types}),
    )
    if types == corpus.default_types:
        built.comparison = list(_compared(corpus, built, splits.comparable))
    return built


def _check_types(counts: Counter[str], types: tuple[str, ...], is_asked_for: bool, raw: Path) -> None:
    """Raise when a type that a user asked for is not there; of the corpus's own choice a part may lack some."""
    missing = [name for name in types if name not in counts]
    if missing and (is_asked_for or len(missing) == len(types)):
        found = ", ".join(sorted(counts)) or "no mentions at all"
        remedy = did_you_mean(missing[0], sorted(counts)) or ": see --types"
        raise InputError(f"there are no mentions of the type {missing[0]} here, only {found}{remedy}", path=raw)


def _documents(
    articles: Iterable[Article], types: tuple[str, ...] | None, request: Request, ledger: Ledger
) -> Iterator[Document]:
    for article in articles:
        kept = [mention for mention in article.document if types is None or mention.label in types]
        document = article.document.with_mentions(kept)
        if request.whole_documents:
            yield document
        else:
            yield from cut(document, ledger)


def _compared(corpus: Corpus, built: Built, comparable: Iterable[tuple[str, ...]]) -> Iterator[Difference]:
    """Put what is published beside what was found, as far as the same was counted."""
    training = [_TRAINING] if _title(_TRAINING) in corpus.published else []
    for names in dict.fromkeys((*comparable, *training, SPLITS)):
        found = [_figures(name, built) for name in names if name in built.splits]
        published = _published(corpus, names)
        for figure in fields(Figures) if len(found) == len(names) or names == SPLITS else ():
            expected = getattr(published, figure.name)
            if expected is not None:
                yield Difference(
                    _title(names), figure.name, expected, sum(getattr(each, figure.name) for each in found)
                )


def _published(corpus: Corpus, names: tuple[str, ...]) -> Figures:
    """Give what is published of splits together, be it as such or of each of them."""
    if _title(names) in corpus.published:
        return corpus.published[_title(names)]
    parts = [corpus.published.get(name, Figures()) for name in names]
    columns = ([getattr(part, figure.name) for part in parts] for figure in fields(Figures))
    return Figures(*(None if None in column else sum(column) for column in columns))


def _title(names: tuple[str, ...]) -> str:
    return ALL if names == SPLITS else " + ".join(names)


def _figures(split: str, built: Built) -> Figures:
    counted = built.statistics[split]
    return Figures(built.documents[split], counted.sentences, counted.mentions, counted.discontinuous)
