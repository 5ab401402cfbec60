"""From a download to train, dev and test."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from disconer.corpora.corpus import ALL, SPLITS, Article, Figures, PublicCorpus, Request
from disconer.corpora.download import open_download
from disconer.corpora.ledger import Ledger
from disconer.corpora.sentences import cut
from disconer.corpora.splits import split_articles
from disconer.document import Document
from disconer.exceptions import InputError
from disconer.foundation.nearest import did_you_mean
from disconer.scoring.statistics import Statistics, statistics

_TRAINING = ("train", "dev")
"""What owners that have no development set publish figures of."""


@dataclass
class FigureDifference:
    """A published figure and what was found instead, or the same."""

    split: str
    figure: str
    published: int
    found: int


@dataclass
class BuiltCorpus:
    """A corpus that is ready to be written."""

    splits: dict[str, list[Document]]
    documents: dict[str, int]
    """How many documents of the owner's each split has."""
    statistics: dict[str, Statistics]
    ledger: Ledger
    other_types: Counter[str] = field(default_factory=Counter)
    """Mentions of the types that were not asked for."""
    comparison: list[FigureDifference] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Everything under the keys that programs rely on."""
        return {
            "splits": {
                name: found.as_json() | {"documents": self.documents[name]} for name, found in self.statistics.items()
            },
            **self.ledger.counts(),
            "other_types": dict(self.other_types.most_common()),
            "published": [vars(difference) for difference in self.comparison],
        }


def build(
    corpus: PublicCorpus, raw: Path, request: Request, watch: Callable[[Iterator[Article]], Iterator[Article]] = iter
) -> BuiltCorpus:
    """Read a download, choose types, split, cut into sentences, count, and compare with what is published.

    The articles pass through `watch` as they are read.
    """
    if request.language and not corpus.has_languages:
        raise InputError(f"{corpus.name} has but one language: leave out --language")
    ledger = Ledger()
    with open_download(raw, corpus.wanted, ledger) as download:
        articles = list(watch(corpus.read(download, request, ledger)))
    if not articles:
        message = f"no document of {corpus.name} was found here: see disconer corpus --list for what to download"
        raise InputError(message, path=raw)
    types = None if request.types == (ALL,) else request.types or corpus.default_types
    counts = Counter(mention.label for article in articles for mention in article.document)
    _check_types(counts, types or (), request.types is not None, raw)
    splits = split_articles(articles, request.split_dir, ledger)
    documents = {name: list(_make_documents(found, types, request, ledger)) for name, found in splits.articles.items()}
    built = BuiltCorpus(
        splits=documents,
        documents={name: len(found) for name, found in splits.articles.items()},
        statistics={name: statistics(found) for name, found in documents.items()},
        ledger=ledger,
        other_types=Counter({label: count for label, count in counts.items() if types and label not in types}),
    )
    if types == corpus.default_types:
        built.comparison = list(_compare(corpus, built, splits.comparable))
    return built


def _check_types(counts: Counter[str], types: tuple[str, ...], is_asked_for: bool, raw: Path) -> None:
    """Raise when a type that a user asked for is not there; of the corpus's own choice a part may lack some."""
    missing = [name for name in types if name not in counts]
    if missing and (is_asked_for or len(missing) == len(types)):
        found = ", ".join(sorted(counts)) or "no mentions at all"
        remedy = did_you_mean(missing[0], sorted(counts)) or ": see --types"
        raise InputError(f"there are no mentions of the type {missing[0]} here, only {found}{remedy}", path=raw)


def _make_documents(
    articles: Iterable[Article], types: tuple[str, ...] | None, request: Request, ledger: Ledger
) -> Iterator[Document]:
    for article in articles:
        kept = [mention for mention in article.document if types is None or mention.label in types]
        document = article.document.with_mentions(kept)
        if request.whole_documents:
            yield document
        else:
            yield from cut(document, ledger)


def _compare(
    corpus: PublicCorpus, built: BuiltCorpus, comparable: Iterable[tuple[str, ...]]
) -> Iterator[FigureDifference]:
    """Put what is published beside what was found, as far as the same was counted."""
    training = [_TRAINING] if _join_names(_TRAINING) in corpus.published else []
    for names in dict.fromkeys((*comparable, *training, SPLITS)):
        found = [_count_figures(name, built) for name in names if name in built.splits]
        published = _sum_published(corpus, names)
        for figure in fields(Figures) if len(found) == len(names) or names == SPLITS else ():
            expected = getattr(published, figure.name)
            if expected is not None:
                yield FigureDifference(
                    _join_names(names), figure.name, expected, sum(getattr(each, figure.name) for each in found)
                )


def _sum_published(corpus: PublicCorpus, names: tuple[str, ...]) -> Figures:
    """Sum the published figures of several splits, unless they are published together."""
    if _join_names(names) in corpus.published:
        return corpus.published[_join_names(names)]
    parts = [corpus.published.get(name, Figures()) for name in names]
    columns = ([getattr(part, figure.name) for part in parts] for figure in fields(Figures))
    return Figures(*(None if None in column else sum(column) for column in columns))


def _join_names(names: tuple[str, ...]) -> str:
    return ALL if names == SPLITS else " + ".join(names)


def _count_figures(split: str, built: BuiltCorpus) -> Figures:
    counted = built.statistics[split]
    return Figures(built.documents[split], counted.sentences, counted.mentions, counted.discontinuous)
