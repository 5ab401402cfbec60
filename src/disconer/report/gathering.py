"""From what somebody names, runs, models and files of predictions, to a report on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from disconer.checks import as_choice
from disconer.document import Document
from disconer.exceptions import InputError, shown
from disconer.formats import check_there, read
from disconer.models.settings import ModelName
from disconer.report.evaluation import Evaluation, Report, System, by_family
from disconer.report.shelf import Shelf
from disconer.report.sources import FileSource, Source, is_run, model_sources
from disconer.runs import MODEL
from disconer.scoring import statistics
from disconer.settings import assignments, differing
from disconer.tokenize import Split
from disconer.training.config import LEFT_OPEN, OF_THE_RUN, Config, read_config

_SPLITS = ("train", "dev", "test")
_PARTS = ("scheme.", *(f"{name}." for name in ModelName))
"""The settings that make a variant of a system, and not another system."""


@dataclass(frozen=True)
class Entry:
    """Something to compare: a name for it, and where it is."""

    title: str
    path: Path
    is_named: bool = True
    """Whether somebody gave it this name; several that were given one name are the seeds of one system."""

    @classmethod
    def named(cls, text: str) -> "Entry":
        """Read `NAME=PATH`, or a path alone."""
        name, equals, path = text.partition("=")
        if equals and name and path and not Path(text).exists():
            return cls(name, Path(path))
        found = Path(text)
        whole = found.resolve()
        title = whole.parent.name if whole.name == MODEL else whole.name if found.is_dir() else whole.stem
        return cls(title, found, is_named=False)


@dataclass(frozen=True)
class Data:
    """Annotated data and how it is read."""

    path: Path
    format: str | None = None
    split: Split | None = None
    every: int = 1

    @classmethod
    def of(cls, path: Path, format: str, split: str, every: int = 1) -> "Data":
        """Make it of what settings say, where nothing said is an empty string."""
        return cls(path.resolve(), format or None, as_choice(Split, split, "split") if split else None, every)

    def documents(self) -> list[Document]:
        documents = list(read(self.path, self.format, self.split))[self.every - 1 :: self.every]
        if not documents:
            raise InputError("there is no document in it", path=self.path)
        return documents


class Gathering:
    """Collects what a report on some entries needs."""

    def __init__(self, entries: Sequence[Entry], data: Data | None, shelf: Shelf, device: str, threads: int | None):
        self.entries = entries
        self.data = data
        self.shelf = shelf
        self.device = device
        self.threads = threads
        self._check_entries()
        self.configs = {entry: read_config(entry.path) for entry in entries if is_run(entry.path)}
        if data is None:
            for entry in entries:
                if entry not in self.configs:
                    raise InputError("this is no run, so name the annotated data with --data", path=entry.path)
                if not _dev(self.configs[entry]).path.exists():
                    raise InputError("its dev data is not to be found from here: name it with --data", path=entry.path)

    def _check_entries(self) -> None:
        """Find what is wrong before any model is asked."""
        for entry in self.entries:
            check_there(entry.path)

    def report(self, title: str, made_by: str) -> Report:
        """Ask everybody, and put it together."""
        evaluations = [self._evaluation(data, entries) for data, entries in self._by_data().items()]
        return Report(title, self._systems(), _with_unlike_names(evaluations), made_by)

    def _by_data(self) -> dict[Data, list[Entry]]:
        """Sort entries by the data that they are to answer: what was named, or else the dev data of each run."""
        by_data: dict[Data, list[Entry]] = {}
        for entry in self.entries:
            by_data.setdefault(self.data or _dev(self.configs[entry]), []).append(entry)
        for entries in by_data.values():
            _check_names(entries)
        return by_data

    def _evaluation(self, data: Data, entries: Sequence[Entry]) -> Evaluation:
        by_title: dict[str, list[Source]] = {}
        for entry in entries:
            by_title.setdefault(entry.title, []).extend(self._sources(entry))
        configs = [self.configs[entry] for entry in entries if entry in self.configs]
        is_dev = any(_dev(config).path == data.path for config in configs)
        answered = "dev" if is_dev else data.path.stem if data.path.stem in _SPLITS else "test"
        splits = (_splits_beside(data, configs[0]) if configs else {}) | {answered: data}
        ordered = {name: splits[name] for name in sorted(splits, key=_SPLITS.index)}
        results = {title: (own, self.shelf) for title, own in by_title.items()}
        return replace(evaluated(corpus_name(data.path), ordered, answered, results), was_chosen_on=is_dev)

    def _sources(self, entry: Entry) -> list[Source]:
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
        return by_family(systems.values())


def evaluated(
    corpus: str, splits: Mapping[str, Data], answered: str, systems: Mapping[str, tuple[Sequence[Source], Shelf]]
) -> Evaluation:
    """Let systems, each with the shelf that keeps its answers, answer a split of a corpus."""
    gold = splits[answered].documents()
    # Files first: what does not fit is found out before any model has been asked.
    order = sorted(systems, key=lambda title: not all(isinstance(one, FileSource) for one in systems[title][0]))
    found = {title: systems[title][1].result(title, systems[title][0], gold) for title in order}
    results = {title: found[title] for title in systems}
    figures = {name: statistics(gold if name == answered else data.documents()) for name, data in splits.items()}
    every = splits["train"].every if "train" in splits else 1
    note = f"train is every {every}th document of its file" if every > 1 else ""
    return Evaluation(corpus, figures, answered, gold, results, note)


def corpus_name(path: Path) -> str:
    """Name a corpus after its file, or after its folder where the file only says which split it is.

    >>> corpus_name(Path("corpora/chia/dev.jsonl")), corpus_name(Path("cadec.jsonl"))
    ('chia', 'cadec')
    """
    return path.resolve().parent.name if path.stem in _SPLITS else path.stem


def _check_names(entries: Sequence[Entry]) -> None:
    """Raise when two are called the same and nobody said that they belong together."""
    for entry in entries:
        alike = [one for one in entries if one.title == entry.title]
        if len(alike) > 1 and not all(one.is_named for one in alike):
            raise InputError(f"there are two {shown(entry.title)}: tell them apart with NAME=", path=entry.path)


def _with_unlike_names(evaluations: list[Evaluation]) -> list[Evaluation]:
    names = [evaluation.corpus for evaluation in evaluations]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the dev data of the runs is in several places named {shown(twice)}: name one with --data")
    return evaluations


def _splits_beside(data: Data, config: Config) -> dict[str, Data]:
    """Give the data of a run, as far as it is still where it was, and if it is of the same corpus: beside that data."""
    splits = {"train": _train(config), "dev": _dev(config)}
    if data.path.parent != splits["dev"].path.parent:
        return {}
    return {name: one for name, one in splits.items() if one.path.exists()}


def _dev(config: Config) -> Data:
    return Data.of(Path(config.data.dev), config.data.format, config.data.split)


def _train(config: Config) -> Data:
    return Data.of(Path(config.data.train), config.data.format, config.data.split, config.data.every)


def _changes(base: Config | None, other: Config | None) -> list[str]:
    """Give the settings in which a run differs from another, but for its seeds, its data and what follows from that."""
    if base is None or other is None:
        return []
    # On the same data, what a run would settle by itself can only differ because somebody said so.
    is_same = base.data.fingerprint == other.data.fingerprint
    left_out = (*OF_THE_RUN, "training.precision", *(() if is_same else LEFT_OPEN))
    names = [name for name in differing(base, other) if name not in left_out and not name.startswith("data.")]
    return assignments(other, names)
