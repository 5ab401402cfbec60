"""The figures of every epoch, `metrics.jsonl`, and the choice of a run's model by them.

No text of the data is among them.
"""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isnan, nan
from pathlib import Path
from typing import Any

from disconer.exceptions import FormatError
from disconer.foundation.files import lock_folder, read_lines, replace_file, swap_folder
from disconer.foundation.wording import count_of
from disconer.scoring import SCOPES, Scores
from disconer.storage.paths import CARD, METRICS, MODEL, seed_folder
from disconer.training.config import TrainingSettings, read_config

_SOUND_PRECISION = 0.5


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
    coordinations: int = 0
    """Sentences that were made for it."""
    score: float = nan
    """What decides between epochs, and between seeds: dev F1, with discontinuous mentions counted several times."""

    def __post_init__(self) -> None:
        if isnan(self.score):  # as it was when only F1 over all mentions decided
            object.__setattr__(self, "score", self.dev["all"]["f1"])

    def line(self) -> str:
        """Say it in a line."""
        f1 = " / ".join(f"{100 * self.dev[scope]['f1']:.1f}" for scope in SCOPES)
        made = f"{count_of(self.coordinations, 'coordination')} made, " if self.coordinations else ""
        return (
            f"epoch {self.epoch}: {made}loss {self.loss:.2f}, dev F1 {f1} (all / disc_sentences / disc_mentions), "
            f"{self.sentences_per_second:.0f} sentences/s, {self.seconds:.0f} s"
        )

    def describe_doubt(self) -> str:
        """Say that most of what was found on dev is wrong; empty where it is not."""
        found = self.dev["all"]
        if found["precision"] >= _SOUND_PRECISION or not found["predicted"]:
            return ""
        wrong, predicted = found["predicted"] - found["correct"], found["predicted"]
        return (
            f"{wrong:,.0f} of the {predicted:,.0f} mentions that the model finds in dev are wrong: "
            "more data or epochs make it better, a higher --threshold leaves doubtful mentions out"
        )


def best_epoch(epochs: Iterable[Epoch]) -> Epoch:
    """The epoch with the best score; of several, the first, or the last while nothing is found at all."""
    return max(epochs, key=lambda epoch: (epoch.score, -epoch.epoch if epoch.score else epoch.epoch))


def is_finished(epochs: Sequence[Epoch], settings: TrainingSettings) -> bool:
    """Tell whether these are all epochs of a seed: as many as there may be, or no better one for too long."""
    if not epochs or len(epochs) >= settings.epochs:
        return bool(epochs)
    best = best_epoch(epochs)
    return bool(settings.patience and best.score and len(epochs) - best.epoch >= settings.patience)


def dev_scores(scores: Scores) -> dict[str, dict[str, float]]:
    """The scores of the three scopes."""
    found = scores.as_json()
    return {scope: found[scope] for scope in SCOPES}


def write_metrics(epochs: Iterable[Epoch], path: Path) -> None:
    """Write a line an epoch."""
    with replace_file(path) as stream:
        for epoch in epochs:
            stream.write(json.dumps(asdict(epoch)) + "\n")


def read_metrics(path: Path) -> list[Epoch]:
    """Read what `write_metrics` wrote; nothing when it has not yet."""
    try:
        return [Epoch(**json.loads(line)) for line in read_lines(path)] if path.is_file() else []
    except (ValueError, TypeError):
        raise FormatError("these metrics are damaged: delete the folder to begin the seed again", path=path) from None


def install_best(run: Path, own_seeds: Sequence[int] = ()) -> tuple[int, bool] | None:
    """Put the best model so far where the run's is looked for; returns its seed and whether that is finished.

    Finished seeds, whichever process trained them, come before any other; of those that are not, only one's own count.
    """
    with lock_folder(run):
        config = read_config(run)
        epochs = {seed: read_metrics(run / seed_folder(seed) / METRICS) for seed in config.seeds}
        best = {seed: best_epoch(history) for seed, history in epochs.items() if history}
        finished = {seed: epoch for seed, epoch in best.items() if is_finished(epochs[seed], config.training)}
        own = {seed: epoch for seed, epoch in best.items() if seed in own_seeds}
        if not finished and not own:
            return None
        seed = median_seed(finished) if finished else max(own, key=lambda seed: own[seed].score)
        chosen = run / seed_folder(seed) / MODEL
        if not _is_copy(run / MODEL, chosen):
            with swap_folder(run / MODEL) as folder:
                shutil.copytree(chosen, folder, dirs_exist_ok=True)
        return seed, bool(finished)


def median_seed(best: Mapping[int, Epoch]) -> int:
    """The seed with the (lower) median score."""
    return sorted(best, key=lambda seed: (best[seed].score, seed))[(len(best) - 1) // 2]


def _is_copy(installed: Path, model: Path) -> bool:
    """Whether a model is installed already, by its card: that says the seed, the epoch and all scores."""
    cards = [folder / CARD for folder in (installed, model)]
    return all(card.is_file() for card in cards) and cards[0].read_bytes() == cards[1].read_bytes()
