"""What a report is about: systems, corpora, and what every system says to the data of each corpus."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import mean, stdev

from disconer.document import Document
from disconer.scoring import SCOPES, Counts, Scores, Statistics
from disconer.scoring.curves import CurvePoint
from disconer.scoring.errors import Error, errors
from disconer.scoring.pairing import Pair
from disconer.scoring.sentences import sentence_counts


@dataclass(frozen=True)
class Answer:
    """What a system says to the data with one seed, or in one file of predictions."""

    name: str
    documents: Sequence[Document]
    """The data's, with predicted mentions."""
    scores: Scores
    dev_f1: float | None = None
    """What chose the epoch of this seed; files do not know theirs."""
    sentences_per_second: float | None = None


@dataclass(frozen=True)
class Result:
    """All answers of a system to the data of a corpus."""

    answers: Sequence[Answer]
    curve: Sequence[CurvePoint] = ()
    """What thresholds do to the chosen answer; empty where there are no scores."""

    @property
    def chosen(self) -> Answer:
        """The answer that speaks for the system: of the seed with the (lower) median dev F1."""
        return chosen(self.answers)

    def spread(self, scope: str, measure: str) -> tuple[float, float | None]:
        """Give a measure's mean over the seeds, and its standard deviation if there are several."""
        values = [getattr(getattr(answer.scores, scope), measure) for answer in self.answers]
        return mean(values), stdev(values) if len(values) > 1 else None

    @property
    def sentences_per_second(self) -> float | None:
        speeds = [answer.sentences_per_second for answer in self.answers if answer.sentences_per_second]
        return mean(speeds) if speeds else None


def chosen(answers: Sequence[Answer]) -> Answer:
    """Give the answer with the lower median of dev F1, or of F1 on the data itself where dev F1 is not known."""
    if any(answer.dev_f1 is None for answer in answers):
        ordered = sorted(answers, key=lambda answer: answer.scores.all.f1)
    else:
        ordered = sorted(answers, key=lambda answer: answer.dev_f1 or 0.0)
    return ordered[(len(answers) - 1) // 2]


@dataclass(frozen=True)
class System:
    """A row of the tables."""

    title: str
    base: str | None = None
    """The title of the system that this is a variant of."""
    changes: Sequence[str] = ()
    """The settings in which it differs from that."""


def by_family(systems: Iterable[System]) -> list[System]:
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
    evaluated: str
    """Which split was answered."""
    gold: Sequence[Document]
    results: Mapping[str, Result]
    """By the title of the system."""
    note: str = ""
    """What is to be known of the data."""
    was_chosen_on: bool = False
    """Whether epochs, thresholds and seeds were chosen on the very split that was answered."""

    def pairs(self, system: str) -> list[Pair]:
        """Give gold and what speaks for a system, side by side."""
        return list(zip(self.gold, self.results[system].chosen.documents, strict=True))

    @cached_property
    def sentence_counts(self) -> dict[str, dict[str, list[Counts]]]:
        """The counts of every sentence, by system and scope."""
        return {system: sentence_counts(self.pairs(system)) for system in self.results}

    @cached_property
    def errors(self) -> dict[str, list[list[Error]]]:
        """The errors of every document, by system."""
        return {system: [errors(*pair) for pair in self.pairs(system)] for system in self.results}


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
        """Give every score of every system, seed and corpus."""
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
        "evaluated": evaluation.evaluated,
        "statistics": {split: figures.as_json() for split, figures in evaluation.splits.items()},
        "systems": {title: _result_json(result) for title, result in evaluation.results.items()},
    }


def _result_json(result: Result) -> dict[str, object]:
    return {
        "chosen": result.chosen.name,
        "sentences_per_second": result.sentences_per_second,
        "mean": {scope: result.spread(scope, "f1")[0] for scope in SCOPES},
        "deviation": {scope: result.spread(scope, "f1")[1] for scope in SCOPES},
        "answers": [
            {"name": answer.name, "dev_f1": answer.dev_f1, "scores": answer.scores.as_json()}
            for answer in result.answers
        ],
        "curve": [
            {"threshold": point.threshold, "all": point.all.as_json(), "disc_mentions": point.disc_mentions.as_json()}
            for point in result.curve
        ],
    }
