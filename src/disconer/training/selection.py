"""Which of a run's models is the run's: that of the seed with the median dev score."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from disconer.formats.files import locked_folder, swapping_folder
from disconer.runs import CARD, METRICS, MODEL, seed_folder
from disconer.training.config import read_config
from disconer.training.metrics import Epoch, best_epoch, is_finished, read_metrics


def install_best(run: Path, own_seeds: Sequence[int] = ()) -> tuple[int, bool] | None:
    """Put the best model so far where the run's is looked for, and give its seed and whether that is finished.

    Finished seeds, whichever process trained them, come before any other; of those that are not, only one's own count.
    """
    with locked_folder(run):
        config = read_config(run)
        epochs = {seed: read_metrics(run / seed_folder(seed) / METRICS) for seed in config.seeds}
        best = {seed: best_epoch(history) for seed, history in epochs.items() if history}
        finished = {seed: epoch for seed, epoch in best.items() if is_finished(epochs[seed], config.training)}
        own = {seed: epoch for seed, epoch in best.items() if seed in own_seeds}
        if not finished and not own:
            return None
        seed = median_seed(finished) if finished else max(own, key=lambda seed: own[seed].f1)
        chosen = run / seed_folder(seed) / MODEL
        if not _is_copy(run / MODEL, chosen):
            with swapping_folder(run / MODEL) as folder:
                shutil.copytree(chosen, folder, dirs_exist_ok=True)
        return seed, bool(finished)


def median_seed(best: Mapping[int, Epoch]) -> int:
    """Give the seed with the (lower) median dev F1."""
    return sorted(best, key=lambda seed: (best[seed].f1, seed))[(len(best) - 1) // 2]


def _is_copy(installed: Path, model: Path) -> bool:
    """Tell whether a model is installed already, by its card: that says the seed, the epoch and all scores."""
    cards = [folder / CARD for folder in (installed, model)]
    return all(card.is_file() for card in cards) and cards[0].read_bytes() == cards[1].read_bytes()
