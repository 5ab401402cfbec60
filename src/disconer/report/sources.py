"""Where a system's answers come from: a model, or a file of predictions that anybody's program may have written."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from disconer.document import Document
from disconer.exceptions import FormatError, InputError, located
from disconer.formats import detect_input, read
from disconer.loading import load
from disconer.runs import METRICS, MODEL, RUN_CONFIG, seed_folder
from disconer.scoring import paired
from disconer.scoring.curves import THRESHOLDS, CurvePoint, curve_by_score, has_scores, threshold_point
from disconer.training.config import read_config
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

    def curve(self, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:
        """Give what thresholds do to what was predicted; nothing where there are no scores."""


@dataclass(frozen=True)
class ModelSource:
    """A model directory."""

    path: Path
    name: str
    dev_f1: float | None = None
    device: str = "auto"
    threads: int | None = None

    def fingerprint(self) -> str:
        digest = hashlib.sha256(f"{self.device}/{self.threads}".encode())
        for path in sorted(self.path.iterdir()):
            if path.suffix in (".json", ".safetensors", ".onnx"):
                with path.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], float]:
        recognizer = load(self.path, self.device, self.threads)
        for _ in recognizer.pipe(gold[:_WARM_UP]):
            pass
        unread = [Document(replace(document.layout), (), document.id, document.extras) for document in gold]
        started = time.perf_counter()
        documents = list(recognizer.pipe(unread))
        seconds = max(time.perf_counter() - started, 1e-9)
        answers = [own.with_mentions(found.mentions) for own, found in zip(gold, documents, strict=True)]
        return answers, sum(len(document.layout.sentences) for document in gold) / seconds

    def curve(self, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:  # noqa: ARG002
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
    """Of files whose names do not tell it."""
    dev_f1: None = None

    def fingerprint(self) -> str:
        """Give none: reading a file is no work that is worth keeping."""
        return ""

    def predict(self, gold: Sequence[Document]) -> tuple[list[Document], None]:
        with located(self.path):
            pairs = paired(gold, read(self.path, self._format()))
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
    """Give the models at a path: of the finished seeds of a run, or those of them named; or the one; or none."""
    if is_run(path):
        config = read_config(path)
        histories = {seed: read_metrics(path / seed_folder(seed) / METRICS) for seed in sorted(config.seeds)}
        finished = {seed: own for seed, own in histories.items() if is_finished(own, config.training)}
        if not finished:
            raise InputError("no seed of this run is finished: continue it with disconer train --resume", path=path)
        return [
            ModelSource(path / seed_folder(seed) / MODEL, f"seed {seed}", best_epoch(own).f1, device, threads)
            for seed, own in finished.items()
            if not seeds or seed in seeds
        ]
    if (path / _MODEL_CONFIG).is_file():
        return [ModelSource(path, path.name, None, device, threads)]
    return []
