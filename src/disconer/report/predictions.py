"""The predictions of a system: from models or from files that any program may have written, cached and scored."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from disconer.api import load
from disconer.document import Document
from disconer.exceptions import FormatError, InputError, locate_errors
from disconer.formats import detect_input, read, write
from disconer.foundation.files import fingerprint_files, replace_file
from disconer.report.evaluation import Result, SeedResult, choose_median
from disconer.scoring import Counts, pair_documents, score_pairs
from disconer.scoring.counts import mention_keys
from disconer.scoring.curves import CURVE_THRESHOLDS, CurvePoint, curve_by_score, has_scores, threshold_point
from disconer.storage.paths import METRICS, MODEL, RUN_CONFIG, seed_folder
from disconer.training.config import read_config
from disconer.training.metrics import best_epoch, is_finished, read_metrics

_MODEL_CONFIG = "config.json"
_WARM_UP = 8
"""Documents that are predicted before the clock is started."""


class Source(Protocol):
    """Where predictions come from: one seed of a system, or one file."""

    @property
    def name(self) -> str:
        """Tells the seeds of a system apart."""

    @property
    def dev_f1(self) -> float | None:
        """Of the seed, if that is known."""

    def fingerprint(self) -> str:
        """Identify what is predicted with; empty where caching is not worth it."""

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], float | None]:
        """Predict documents, and measure sentences per second if that means anything."""

    def curve(self, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:
        """Score predictions at several thresholds; empty where there are no scores."""


@dataclass(frozen=True)
class ModelSource:
    """A model directory, whose model predicts the data and is timed while it does."""

    path: Path
    name: str
    dev_f1: float | None = None
    device: str = "auto"
    threads: int | None = None

    def fingerprint(self) -> str:
        files = [path for path in sorted(self.path.iterdir()) if path.suffix in (".json", ".safetensors", ".onnx")]
        return fingerprint_files(files, hashlib.sha256(f"{self.device}/{self.threads}".encode()))

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], float]:
        recognizer = load(self.path, self.device, self.threads)
        for _ in recognizer.pipe(gold[:_WARM_UP]):
            pass
        unread = [Document(replace(document.layout), (), document.id, document.extras) for document in gold]
        started = time.perf_counter()
        documents = list(recognizer.pipe(unread))
        seconds = max(time.perf_counter() - started, 1e-9)
        predicted = [own.with_mentions(found.mentions) for own, found in zip(gold, documents, strict=True)]
        return predicted, sum(len(document.layout.sentences) for document in gold) / seconds

    def curve(self, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:  # noqa: ARG002
        recognizer = load(self.path, self.device, self.threads)
        by_threshold = list(recognizer.pipe_thresholds(gold, CURVE_THRESHOLDS))
        return [
            threshold_point(threshold, ((own, found[number]) for own, found in zip(gold, by_threshold, strict=True)))
            for number, threshold in enumerate(CURVE_THRESHOLDS)
        ]


@dataclass(frozen=True)
class FileSource:
    """A file or folder of predictions, in any format."""

    path: Path
    name: str
    format: str | None = None
    """Of files whose names do not tell it."""
    dev_f1: None = None

    def fingerprint(self) -> str:
        """Do without: a file is quickly read again."""
        return ""

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], None]:
        with locate_errors(self.path):
            pairs = pair_documents(gold, read(self.path, self._format()))
        return [predicted for _, predicted in pairs], None

    def _format(self) -> str | None:
        try:
            return detect_input(self.path).name
        except FormatError:
            return self.format

    def curve(self, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:
        return curve_by_score(list(zip(gold, predicted, strict=True))) if has_scores(predicted) else []


def is_run(path: Path) -> bool:
    return (path / RUN_CONFIG).is_file()


def model_sources(
    path: Path, seeds: Sequence[int] = (), device: str = "auto", threads: int | None = None
) -> list[Source]:
    """Find the models at a path: those of a run's finished seeds (of the named ones, if any), a single one, or none."""
    if is_run(path):
        config = read_config(path)
        histories = {seed: read_metrics(path / seed_folder(seed) / METRICS) for seed in sorted(config.seeds)}
        finished = {seed: own for seed, own in histories.items() if is_finished(own, config.training)}
        if not finished:
            raise InputError("no seed of this run is finished: continue it with disconer train --resume", path=path)
        return [
            ModelSource(path / seed_folder(seed) / MODEL, f"seed {seed}", best_epoch(own).score, device, threads)
            for seed, own in finished.items()
            if not seeds or seed in seeds
        ]
    if (path / _MODEL_CONFIG).is_file():
        return [ModelSource(path, path.name, None, device, threads)]
    return []


class PredictionCache:
    """A folder of predictions, so that a report that is made again runs no model twice; without a folder, no cache."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def entry(self, source: Source, gold: Sequence[Document]) -> "_CacheEntry":
        fingerprint = "" if self.folder is None else source.fingerprint()
        if self.folder is None or not fingerprint:
            return _CacheEntry(None, "")
        return _CacheEntry(self.folder / source.name.replace(" ", "-"), f"{fingerprint}/{_fingerprint_inputs(gold)}")


class _CacheEntry:
    """The cached predictions of one source, made anew when the source or the data has changed."""

    def __init__(self, place: Path | None, fingerprint: str) -> None:
        self.place = place
        self.fingerprint = f"{version('disconer')}/{fingerprint}"

    def predict(self, source: Source, gold: Sequence[Document]) -> tuple[list[Document], float | None]:
        """Predict documents, or read the predictions; with the speed at which they were made."""
        figures = self._read("answer")
        path = self._path("jsonl")
        if figures is not None and path is not None and path.is_file():
            return [found for _, found in pair_documents(gold, read(path))], figures["sentences_per_second"]
        documents, speed = source.predict(gold)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(documents, path)
            self._write("answer", {"sentences_per_second": speed})
        return documents, speed

    def curve(self, source: Source, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:
        """Score predictions at several thresholds, or read these scores."""
        truth = {"gold": _fingerprint_mentions(gold)}
        figures = self._read("curve", truth)
        if figures is not None:
            return [
                CurvePoint(point["threshold"], Counts(**point["all"]), Counts(**point["disc_mentions"]))
                for point in figures["points"]
            ]
        points = source.curve(gold, predicted)
        self._write("curve", truth | {"points": [asdict(point) for point in points]})
        return points

    def _path(self, ending: str) -> Path | None:
        return None if self.place is None else self.place.with_name(f"{self.place.name}.{ending}")

    def _read(self, what: str, expected: Mapping[str, str] | None = None) -> Any:
        """Read what is cached for this source and data, unless it is not as expected."""
        path = self._path(f"{what}.json")
        if path is None or not path.is_file():
            return None
        try:
            figures = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:  # whatever happened to it, it can be made again
            return None
        wanted = {"fingerprint": self.fingerprint, **(expected or {})}
        is_valid = isinstance(figures, dict) and all(figures.get(name) == value for name, value in wanted.items())
        return figures if is_valid else None

    def _write(self, what: str, figures: dict[str, Any]) -> None:
        path = self._path(f"{what}.json")
        if path is not None:
            with replace_file(path) as stream:
                json.dump({"fingerprint": self.fingerprint} | figures, stream)


def _fingerprint_inputs(documents: Sequence[Document]) -> str:
    """Identify data by what a model reads of it, and by the ids of its documents."""
    digest = hashlib.sha256()
    for document in documents:
        read = document.id, document.text, document.layout.words, document.layout.sentences
        digest.update(repr(read).encode())
    return digest.hexdigest()


def _fingerprint_mentions(documents: Sequence[Document]) -> str:
    keys = [sorted(map(repr, mention_keys(document))) for document in documents]
    return hashlib.sha256(repr(keys).encode()).hexdigest()


def _say_nothing(_line: str) -> None:
    """Drop a line of progress."""


def evaluate_system(
    title: str,
    sources: Sequence[Source],
    gold: Sequence[Document],
    cache: PredictionCache,
    tell: Callable[[str], object] = _say_nothing,
) -> Result:
    """Predict with every seed of a system, score that, and make the threshold curve of the median seed."""
    entries = [cache.entry(source, gold) for source in sources]
    seeds = []
    for source, entry in zip(sources, entries, strict=True):
        documents, speed = entry.predict(source, gold)
        scores = score_pairs(zip(gold, documents, strict=True))
        per_second = "" if speed is None else f", {speed:,.0f} sentences/s"
        tell(f"{title}, {source.name}: F1 {100 * scores.all.f1:.1f}{per_second}")
        seeds.append(SeedResult(source.name, documents, scores, source.dev_f1, speed))
    median = seeds.index(choose_median(seeds))
    return Result(seeds, entries[median].curve(sources[median], gold, seeds[median].documents))
