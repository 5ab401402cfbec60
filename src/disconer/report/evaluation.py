"""What a report is about: systems, corpora, the predictions of every system for each corpus, and how they differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import mean, stdev

from disconer.document import Document
from disconer.scoring import SCOPES, Counts, Scores, Statistics
from disconer.scoring.curves import CurvePoint
from disconer.scoring.errors import Error, classify_errors
from disconer.scoring.pairing import Pair
from disconer.scoring.scores import sentence_counts
from disconer.scoring.significance import LEVEL, Interval, PairedBootstrap, wilcoxon

_DIGITS = 12
"""Of a difference between two F1: what follows is rounding, and would part differences that are equal."""


@dataclass(frozen=True)
class SeedResult:
    """The predictions of a system with one seed, or in one file, and their scores."""

    name: str
    documents: Sequence[Document]
    """The data's, with predicted mentions."""
    scores: Scores
    dev_f1: float | None = None
    """Of the seed's best epoch; not known for files."""
    sentences_per_second: float | None = None


@dataclass(frozen=True)
class Result:
    """All that a system predicts on a corpus, seed by seed."""

    seeds: Sequence[SeedResult]
    curve: Sequence[CurvePoint] = ()
    """Scores of the median seed by threshold; empty where predictions have no scores."""

    @property
    def median(self) -> SeedResult:
        """The seed that represents the system."""
        return choose_median(self.seeds)

    def spread(self, scope: str, measure: str) -> tuple[float, float | None]:
        """Compute a measure's mean over the seeds, and its standard deviation if there are several."""
        values = [getattr(getattr(seed.scores, scope), measure) for seed in self.seeds]
        return mean(values), stdev(values) if len(values) > 1 else None

    @property
    def sentences_per_second(self) -> float | None:
        speeds = [seed.sentences_per_second for seed in self.seeds if seed.sentences_per_second]
        return mean(speeds) if speeds else None


def choose_median(seeds: Sequence[SeedResult]) -> SeedResult:
    """Choose the seed with the lower median of dev F1, or of F1 on the data itself where dev F1 is not known."""
    if any(seed.dev_f1 is None for seed in seeds):
        ordered = sorted(seeds, key=lambda seed: seed.scores.all.f1)
    else:
        ordered = sorted(seeds, key=lambda seed: seed.dev_f1 or 0.0)
    return ordered[(len(seeds) - 1) // 2]


@dataclass(frozen=True)
class System:
    """A row of the tables."""

    title: str
    base: str | None = None
    """The title of the system that this is a variant of."""
    changes: Sequence[str] = ()
    """The settings in which it differs from that."""


def order_by_family(systems: Iterable[System]) -> list[System]:
    """Put every variant behind the system that it is a variant of."""
    systems = list(systems)
    titles = {system.title for system in systems}
    bases = [system for system in systems if system.base not in titles]
    families = ([base, *(one for one in systems if one.base == base.title)] for base in bases)
    return [system for family in families for system in family]


@dataclass(frozen=True)
class Evaluation:
    """A corpus, and the result of every system on one of its splits."""

    corpus: str
    splits: Mapping[str, Statistics]
    """The data's figures: train, dev, test, as far as they are at hand."""
    split: str
    """The split that the results are on."""
    gold: Sequence[Document]
    results: Mapping[str, Result]
    """By the title of the system."""
    note: str = ""
    """About the data, for readers of the report."""
    was_chosen_on: bool = False
    """Whether epochs, thresholds and seeds were chosen on the same split."""

    @property
    def heading(self) -> str:
        """The corpus and the split."""
        return f"{self.corpus} ({self.split})"

    @property
    def seed_caption(self) -> str:
        """Say which seed is shown, where there are several."""
        has_several = any(len(result.seeds) > 1 for result in self.results.values())
        return "Each system is the seed with the median dev F1." if has_several else ""

    def pairs(self, system: str) -> list[Pair]:
        """Put gold and the predictions of a system's median seed side by side."""
        return list(zip(self.gold, self.results[system].median.documents, strict=True))

    @cached_property
    def sentence_counts(self) -> dict[str, dict[str, list[Counts]]]:
        """The counts of every sentence, by system and scope."""
        return {system: sentence_counts(self.pairs(system)) for system in self.results}

    @cached_property
    def errors(self) -> dict[str, list[list[Error]]]:
        """The errors of every document, by system."""
        return {system: [classify_errors(*pair) for pair in self.pairs(system)] for system in self.results}


@dataclass(frozen=True)
class SystemDifference:
    """Two systems in one scope."""

    interval: Interval
    """By how much the first one's F1 is higher."""
    p: float
    """Of Wilcoxon's test on the F1 of every sentence."""

    @property
    def marks(self) -> str:
        """A star when Wilcoxon's test finds a difference, a dagger when the bootstrap interval is on one side of 0."""
        return ("*" if self.p < LEVEL else "") + ("†" if self.interval.excludes_zero else "")

    def as_json(self) -> dict[str, float]:
        return {
            "difference": self.interval.difference,
            "low": self.interval.low,
            "high": self.interval.high,
            "p": self.p,
        }


class Comparison:
    """All pairs of systems on a corpus, in every scope, by their median seeds."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.systems = list(evaluation.results)
        self.pairs = list(combinations(self.systems, 2))
        self._differences: dict[tuple[str, str, str], SystemDifference] = {}
        for scope in SCOPES if self.pairs else ():
            counts = [evaluation.sentence_counts[system][scope] for system in self.systems]
            bootstrap = PairedBootstrap(counts)
            for one, other in combinations(range(len(self.systems)), 2):
                place = scope, self.systems[one], self.systems[other]
                p = wilcoxon(f1_differences(counts[one], counts[other]))
                self._differences[place] = SystemDifference(bootstrap.interval(one, other), p)

    def difference(self, scope: str, one: str, other: str) -> SystemDifference:
        """Look two systems up, in the order in which the evaluation lists them."""
        return self._differences[scope, one, other]

    def marks(self, scope: str, base: str, system: str) -> str:
        """Mark a system in a table that compares with a base."""
        place = scope, base, system
        return self._differences[place].marks if place in self._differences else ""


def f1_differences(one: Sequence[Counts], other: Sequence[Counts]) -> list[float]:
    """Compute by how much F1 is higher in the first, sentence by sentence; equal differences are equal numbers."""
    return [round(first.f1 - second.f1, _DIGITS) for first, second in zip(one, other, strict=True)]


@dataclass(frozen=True)
class Report:
    """Everything a report shows."""

    title: str
    systems: Sequence[System]
    evaluations: Sequence[Evaluation]
    made_by: str = ""
    """The command."""

    @property
    def base(self) -> System:
        """The system that the others are compared with: the first."""
        return self.systems[0]

    def slug(self, evaluation: Evaluation) -> str:
        """Name a corpus in files and addresses, unlike any other."""
        slugs = [slug(one.corpus) for one in self.evaluations]
        number = next(number for number, one in enumerate(self.evaluations) if one is evaluation)
        return slugs[number] if len(set(slugs)) == len(slugs) else f"{number + 1}-{slugs[number]}"

    def as_json(self) -> dict[str, object]:
        """Collect every score of every system, seed and corpus."""
        return {
            "title": self.title,
            "systems": [
                {"title": system.title, "base": system.base, "changes": list(system.changes)} for system in self.systems
            ],
            "corpora": [_evaluation_json(evaluation) for evaluation in self.evaluations],
        }


def slug(name: str) -> str:
    """Make a name fit for a file and an address.

    >>> slug("ShARe 13 (dev)")
    'share-13-dev'
    """
    kept = "".join(character if character.isalnum() and character.isascii() else " " for character in name.lower())
    return "-".join(kept.split()) or "corpus"


def _evaluation_json(evaluation: Evaluation) -> dict[str, object]:
    return {
        "corpus": evaluation.corpus,
        "evaluated": evaluation.split,
        "statistics": {split: figures.as_json() for split, figures in evaluation.splits.items()},
        "systems": {title: _result_json(result) for title, result in evaluation.results.items()},
    }


def _result_json(result: Result) -> dict[str, object]:
    return {
        "chosen": result.median.name,
        "sentences_per_second": result.sentences_per_second,
        "mean": {scope: result.spread(scope, "f1")[0] for scope in SCOPES},
        "deviation": {scope: result.spread(scope, "f1")[1] for scope in SCOPES},
        "answers": [
            {"name": seed.name, "dev_f1": seed.dev_f1, "scores": seed.scores.as_json()} for seed in result.seeds
        ],
        "curve": [
            {"threshold": point.threshold, "all": point.all.as_json(), "disc_mentions": point.disc_mentions.as_json()}
            for point in result.curve
        ],
    }
