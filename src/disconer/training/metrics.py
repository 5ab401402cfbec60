"""What is known of every epoch of a run, and `metrics.jsonl`. No text of the data is among it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from disconer.exceptions import FormatError
from disconer.formats.files import read_lines, replacing_file
from disconer.scoring import SCOPES, Scores
from disconer.training.config import TrainingSettings


@dataclass(frozen=True)
class Epoch:
    """An epoch's figures, under the names they have in `metrics.jsonl`."""

    epoch: int
    loss: float
    """The mean over the epoch's batches."""
    dev: dict[str, dict[str, float]]
    """Precision, recall, F1 and counts in each scope."""
    thresholds: dict[str, Any]
    """The scheme's settings that were best on dev."""
    sentences_per_second: float
    seconds: float
    """The epoch's, dev included."""

    @property
    def f1(self) -> float:
        """What decides between epochs, and between seeds."""
        return self.dev["all"]["f1"]

    def line(self) -> str:
        """Say it in a line."""
        f1 = " / ".join(f"{100 * self.dev[scope]['f1']:.1f}" for scope in SCOPES)
        return (
            f"epoch {self.epoch}: loss {self.loss:.2f}, dev F1 {f1} (all / disc_sentences / disc_mentions), "
            f"{self.sentences_per_second:.0f} sentences/s, {self.seconds:.0f} s"
        )


def best_epoch(epochs: Iterable[Epoch]) -> Epoch:
    """Give the epoch with the best dev F1; of several, the first, or the last while nothing is found at all."""
    return max(epochs, key=lambda epoch: (epoch.f1, -epoch.epoch if epoch.f1 else epoch.epoch))


def is_finished(epochs: Sequence[Epoch], settings: TrainingSettings) -> bool:
    """Tell whether these are all epochs of a seed: as many as there may be, or no better one for too long."""
    if not epochs or len(epochs) >= settings.epochs:
        return bool(epochs)
    best = best_epoch(epochs)
    return bool(settings.patience and best.f1 and len(epochs) - best.epoch >= settings.patience)


def dev_scores(scores: Scores) -> dict[str, dict[str, float]]:
    """Give the scores of the three scopes."""
    found = scores.as_json()
    return {scope: found[scope] for scope in SCOPES}


def write_metrics(epochs: Iterable[Epoch], path: Path) -> None:
    """Write a line an epoch."""
    with replacing_file(path) as stream:
        for epoch in epochs:
            stream.write(json.dumps(asdict(epoch)) + "\n")


def read_metrics(path: Path) -> list[Epoch]:
    """Read what `write_metrics` wrote; nothing when it has not yet."""
    try:
        return [Epoch(**json.loads(line)) for line in read_lines(path)] if path.is_file() else []
    except (ValueError, TypeError):
        raise FormatError("these metrics are damaged: delete the folder to begin the seed again", path=path) from None
