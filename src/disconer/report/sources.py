"""Where a system's answers come from: a model, or a file of predictions that anybody's program may have written."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from disconer.document import Document
from disconer.exceptions import InputError, located
from disconer.formats import read
from disconer.loading import load
from disconer.runs import METRICS, MODEL, RUN_CONFIG, seed_folder
from disconer.scoring import paired
from disconer.scoring.curves import THRESHOLDS, CurvePoint, curve_by_score, has_scores, threshold_point
from disconer.settings import from_mapping, read_toml
from disconer.tokenize import Split
from disconer.training.config import Config
from disconer.training.metrics import best_epoch, is_finished, read_metrics

_MODEL_CONFIG = "config.json"
_WARM_UP = 8
"""Documents that are answered before the clock is started."""


class Source(Protocol):
    """Something that has answers."""

    @property
    def name(self) -> str:
        """Which of a system's answers these are."""

    @property
    def dev_f1(self) -> float | None:
        """How good its seed was on dev, if that is known."""

    def fingerprint(self) -> str:
        """Tell it from others: what it answers is the same as long as this is."""

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], float | None]:
        """Answer documents, and say how many sentences a second that took, if that means anything."""

    def curve(self, gold: Sequence[Document]) -> list[CurvePoint]:
        """Give what thresholds do; nothing where there are no scores."""


@dataclass(frozen=True)
class ModelSource:
    """A model directory."""

    path: Path
    name: str
    dev_f1: float | None = None
    device: str = "auto"
    threads: int | None = None

    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        for path in sorted(self.path.iterdir()):
            if path.suffix in (".json", ".safetensors", ".onnx"):
                with path.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], float]:
        recognizer = load(self.path, self.device, self.threads)
        for _ in recognizer.pipe(gold[:_WARM_UP]):
            pass
        started = time.perf_counter()
        documents = list(recognizer.pipe(gold))
        seconds = max(time.perf_counter() - started, 1e-9)
        return documents, sum(len(document.layout.sentences) for document in gold) / seconds

    def curve(self, gold: Sequence[Document]) -> list[CurvePoint]:
        recognizer = load(self.path, self.device, self.threads)
        answers = list(recognizer.pipe_thresholds(gold, THRESHOLDS))
        return [
            threshold_point(threshold, ((own, found[number]) for own, found in zip(gold, answers, strict=True)))
            for number, threshold in enumerate(THRESHOLDS)
        ]


@dataclass(frozen=True)
class FileSource:
    """A file or folder of predictions, in any format."""

    path: Path
    name: str
    format: str | None = None
    split: Split | None = None
    dev_f1: None = None

    def fingerprint(self) -> str:
        """Give another one every time: reading a file is no work that is worth keeping."""
        return ""

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], None]:
        with located(self.path):
            pairs = paired(gold, read(self.path, self.format, self.split))
        return [predicted for _, predicted in pairs], None

    def curve(self, gold: Sequence[Document]) -> list[CurvePoint]:
        documents, _ = self.predict(gold)
        return curve_by_score(list(zip(gold, documents, strict=True))) if has_scores(documents) else []


def is_run(path: Path) -> bool:
    return (path / RUN_CONFIG).is_file()


def run_config(path: Path) -> Config:
    """Read the settings of a run."""
    with located(path / RUN_CONFIG):
        return from_mapping(Config, read_toml(path / RUN_CONFIG))


def sources(
    path: Path, format: str | None = None, split: Split | None = None, device: str = "auto", threads: int | None = None
) -> list[Source]:
    """Give what has answers at a path: the finished seeds of a run, a model, or a file of predictions."""
    if is_run(path):
        config = run_config(path)
        histories = {seed: read_metrics(path / seed_folder(seed) / METRICS) for seed in config.seeds}
        finished = {seed: own for seed, own in histories.items() if is_finished(own, config.training)}
        if not finished:
            raise InputError("no seed of this run is finished: continue it with disconer train --resume", path=path)
        return [
            ModelSource(path / seed_folder(seed) / MODEL, f"seed {seed}", best_epoch(own).f1, device, threads)
            for seed, own in finished.items()
        ]
    if (path / _MODEL_CONFIG).is_file():
        return [ModelSource(path, path.name, None, device, threads)]
    return [FileSource(path, path.name, format, split)]
