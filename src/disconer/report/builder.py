"""Builds a report on runs, models and files of predictions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from disconer.document import Document
from disconer.exceptions import InputError, quote
from disconer.formats import check_exists, read, take_every
from disconer.foundation.checks import as_choice
from disconer.foundation.settings import find_differences, format_assignments
from disconer.models.registry import ModelName
from disconer.report.evaluation import Evaluation, Report, System, order_by_family
from disconer.report.predictions import FileSource, PredictionCache, Source, evaluate_system, is_run, model_sources
from disconer.scoring import statistics
from disconer.storage.paths import default_name, split_name
from disconer.storage.ready import find_ready_model
from disconer.tokenize import Split
from disconer.training.config import OF_THE_RUN, RESOLVED, Config, read_config

_SPLITS = ("train", "dev", "test")
_PARTS = ("scheme.", *(f"{name}." for name in ModelName))
"""The settings that make a variant of a system, and not another system."""


@dataclass(frozen=True)
class ReportEntry:
    """Something to compare: a name for it, and where it is."""

    title: str
    path: Path
    is_named: bool = True
    """Whether the name was given by the user; several entries with one such name are the seeds of one system."""

    @classmethod
    def parse(cls, text: str) -> "ReportEntry":
        """Read `NAME=PATH`, or a path alone."""
        name, path = split_name(text)
        found = Path(path)
        if not found.exists() and (ready := find_ready_model(path)):
            return cls(name or path, ready, is_named=bool(name))
        if name:
            return cls(name, found)
        return cls(default_name(found) if found.is_dir() else found.resolve().stem, found, is_named=False)


@dataclass(frozen=True)
class Data:
    """Annotated data and how to read it."""

    path: Path
    format: str | None = None
    split: Split | None = None
    every: int = 1

    @classmethod
    def from_settings(cls, path: Path, format: str, split: str, every: int = 1) -> "Data":
        """Take settings, in which an empty string is a default."""
        return cls(path.resolve(), format or None, as_choice(Split, split, "split") if split else None, every)

    def documents(self) -> list[Document]:
        documents = list(take_every(read(self.path, self.format, self.split), self.every))
        if not documents:
            raise InputError("there is no document in it", path=self.path)
        return documents


class ReportBuilder:
    """Checks what is to be compared, predicts with it and puts a report together."""

    def __init__(
        self,
        entries: Sequence[ReportEntry],
        data: Data | None,
        device: str,
        threads: int | None,
        tell: Callable[[str], object],
    ) -> None:
        self.entries = entries
        self.data = data
        self.device = device
        self.threads = threads
        self.tell = tell
        for entry in entries:
            check_exists(entry.path)
        self.configs = {entry: read_config(entry.path) for entry in entries if is_run(entry.path)}
        if data is None:
            for entry in entries:
                if entry not in self.configs:
                    raise InputError("this is no run, so name the annotated data with --data", path=entry.path)
                if not _dev(self.configs[entry]).path.exists():
                    raise InputError("its dev data is not to be found from here: name it with --data", path=entry.path)

    def build(self, title: str, made_by: str) -> Report:
        evaluations = [self._evaluate(data, entries) for data, entries in self._group_by_data().items()]
        _check_corpus_names(evaluations)
        return Report(title, self._systems(), evaluations, made_by)

    def _group_by_data(self) -> dict[Data, list[ReportEntry]]:
        """Group entries by the data to evaluate them on: what was named, or else the dev data of each run."""
        by_data: dict[Data, list[ReportEntry]] = {}
        for entry in self.entries:
            by_data.setdefault(self.data or _dev(self.configs[entry]), []).append(entry)
        for entries in by_data.values():
            _check_names(entries)
        return by_data

    def _evaluate(self, data: Data, entries: Sequence[ReportEntry]) -> Evaluation:
        by_title: dict[str, list[Source]] = {}
        for entry in entries:
            by_title.setdefault(entry.title, []).extend(self._sources(entry))
        configs = [self.configs[entry] for entry in entries if entry in self.configs]
        is_dev = any(_dev(config).path == data.path for config in configs)
        split = "dev" if is_dev else data.path.stem if data.path.stem in _SPLITS else "test"
        splits = (_splits_beside(data, configs[0]) if configs else {}) | {split: data}
        ordered = {name: splits[name] for name in sorted(splits, key=_SPLITS.index)}
        systems = {title: (own, PredictionCache()) for title, own in by_title.items()}
        evaluation = evaluate_systems(corpus_name(data.path), ordered, split, systems, self.tell)
        return replace(evaluation, was_chosen_on=is_dev)

    def _sources(self, entry: ReportEntry) -> list[Source]:
        found = model_sources(entry.path, (), self.device, self.threads)
        format = None if self.data is None else self.data.format
        return found or [FileSource(entry.path, entry.path.name, format)]

    def _systems(self) -> list[System]:
        """List the systems; those that differ from the first in their parts alone are its variants."""
        first = self.entries[0]
        systems: dict[str, System] = {}
        for entry in self.entries:
            changes = _changes(self.configs.get(first), self.configs.get(entry))
            is_variant = bool(changes) and all(change.startswith(_PARTS) for change in changes)
            found = System(entry.title, first.title if is_variant else None, changes if is_variant else ())
            systems.setdefault(entry.title, found)
        return order_by_family(systems.values())


def evaluate_systems(
    corpus: str,
    splits: Mapping[str, Data],
    split: str,
    systems: Mapping[str, tuple[Sequence[Source], PredictionCache]],
    tell: Callable[[str], object],
) -> Evaluation:
    """Evaluate systems, by title with their sources and their cache, on a split of a corpus."""
    gold = splits[split].documents()
    # Files first: what does not fit is found out before any model runs.
    order = sorted(systems, key=lambda title: not all(isinstance(one, FileSource) for one in systems[title][0]))
    found = {title: evaluate_system(title, systems[title][0], gold, systems[title][1], tell) for title in order}
    results = {title: found[title] for title in systems}
    figures = {name: statistics(gold if name == split else data.documents()) for name, data in splits.items()}
    every = splits["train"].every if "train" in splits else 1
    note = f"train is every {every}th document of its file" if every > 1 else ""
    return Evaluation(corpus, figures, split, gold, results, note)


def corpus_name(path: Path) -> str:
    """Name a corpus after its file, or after its folder where the file only says which split it is.

    >>> corpus_name(Path("corpora/chia/dev.jsonl")), corpus_name(Path("cadec.jsonl"))
    ('chia', 'cadec')
    """
    return path.resolve().parent.name if path.stem in _SPLITS else path.stem


def _check_names(entries: Sequence[ReportEntry]) -> None:
    """Raise when two are called the same and nobody said that they belong together."""
    for entry in entries:
        alike = [one for one in entries if one.title == entry.title]
        if len(alike) > 1 and not all(one.is_named for one in alike):
            raise InputError(f"there are two {quote(entry.title)}: tell them apart with NAME=", path=entry.path)


def _check_corpus_names(evaluations: Sequence[Evaluation]) -> None:
    names = [evaluation.corpus for evaluation in evaluations]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the dev data of the runs is in several places named {quote(twice)}: name one with --data")


def _splits_beside(data: Data, config: Config) -> dict[str, Data]:
    """Find the train and dev data of a run that is still there, if it is in the same folder as the data."""
    splits = {"train": _train(config), "dev": _dev(config)}
    if data.path.parent != splits["dev"].path.parent:
        return {}
    return {name: one for name, one in splits.items() if one.path.exists()}


def _dev(config: Config) -> Data:
    return Data.from_settings(Path(config.data.dev), config.data.format, config.data.split)


def _train(config: Config) -> Data:
    return Data.from_settings(Path(config.data.train), config.data.format, config.data.split, config.data.every)


def _changes(base: Config | None, other: Config | None) -> list[str]:
    """List the settings in which a run differs from another, but for its seeds, its data and what follows from that."""
    if base is None or other is None:
        return []
    # On the same data, settings that a run resolves by itself only differ where the user set them.
    is_same = base.data.fingerprint == other.data.fingerprint
    left_out = (*OF_THE_RUN, "training.precision", *(() if is_same else RESOLVED))
    names = [name for name in find_differences(base, other) if name not in left_out and not name.startswith("data.")]
    return format_assignments(other, names)
