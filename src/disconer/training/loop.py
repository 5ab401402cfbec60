"""The training of one seed: epochs over shuffled batches, a look at dev after each, the best one kept."""

import time
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import nn

from disconer.exceptions import InputError, RunError
from disconer.formats.files import remove_leftovers
from disconer.hardware import autocast
from disconer.models.inference import outputs
from disconer.models.trained import Trained, save
from disconer.runs import CHECKPOINT, METRICS, MODEL
from disconer.scoring import Scores, score
from disconer.training import checkpoint
from disconer.training.card import Card
from disconer.training.checkpoint import Progress
from disconer.training.config import Precision, Schedule, TrainingSettings
from disconer.training.examples import Corpus, Lessons
from disconer.training.metrics import Epoch, best_epoch, dev_scores, is_finished, read_metrics, write_metrics
from disconer.training.progress import Watcher
from disconer.training.thresholds import best_scheme


class SeedRun:
    """One seed of a run, in its own folder: `metrics.jsonl`, `checkpoint/` and `model/`, the best epoch's model.

    Whatever is drawn at random in an epoch follows from the seed and the number of the epoch alone. So an epoch that
    was cut off is simply begun again, and ends in the same weights.
    """

    def __init__(
        self, trained: Trained, settings: TrainingSettings, seed: int, folder: Path, card: Card, watcher: Watcher
    ) -> None:
        self.trained = trained
        self.model = trained.model
        self.untuned = trained.model.scheme
        """Where every search for thresholds begins, so that none depends on those before it."""
        self.settings = settings
        self.seed = seed
        self.folder = folder
        self.card = card
        self.watcher = watcher
        self.device = next(self.model.parameters()).device
        self.optimizer = torch.optim.AdamW(self._groups(), weight_decay=settings.weight_decay, fused=True)
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=settings.precision is Precision.FLOAT16)
        self.progress = Progress()

    def run(self, train: Corpus, dev: Corpus) -> Epoch:
        """Train to the end, from where it was left off, and give the best epoch."""
        self._take_up()
        lessons = Lessons(
            self.trained.reader.pieces(train.sentences),
            [
                self.model.targets(mentions, len(sentence.word_spans))
                for mentions, sentence in zip(train.word_mentions(), train.sentences, strict=True)
            ],
            [any(mention.is_discontinuous for mention in sentence.mentions) for sentence in train.sentences],
        )
        while not is_finished(self.history, self.settings):
            number = len(self.history) + 1
            random = Random(f"{self.seed}/{number}")  # noqa: S311 (nothing secret)
            torch.manual_seed(random.getrandbits(63))
            self._epoch(number, lessons.batches(self._repeats(number), self.settings.batch_size, random), lessons, dev)
        return best_epoch(self.history)

    @property
    def history(self) -> list[Epoch]:
        return self.progress.history

    def _take_up(self) -> None:
        """Go back to the last checkpoint, and make again what may not have been written after it."""
        self.folder.mkdir(exist_ok=True)
        for folder in (self.folder, self.folder / CHECKPOINT):
            remove_leftovers(folder)
        self.progress = checkpoint.load(self.folder / CHECKPOINT, self.model, self.optimizer, self.scaler)
        if self.history:
            self.model.scheme = replace(self.untuned, **self.history[-1].thresholds)
            self._write_results()
        elif (self.folder / METRICS).exists():
            self._trust_results()

    def _trust_results(self) -> None:
        """Take a seed whose checkpoint was deleted for what it is, if it was finished."""
        self.progress.history = read_metrics(self.folder / METRICS)
        if not is_finished(self.history, self.settings) or not (self.folder / MODEL).is_dir():
            raise InputError("the checkpoint is gone: delete this folder to begin the seed again", path=self.folder)

    def _epoch(self, number: int, drawn: Sequence[list[int]], lessons: Lessons, dev: Corpus) -> None:
        started = time.monotonic()
        total = 0.0
        self.model.train()
        coming = range(number + 1, self.settings.epochs + 1)
        later = sum(lessons.batch_count(self._repeats(epoch), self.settings.batch_size) for epoch in coming)
        for step, batch in enumerate(self.watcher.epoch(self._title(number), drawn, later), start=1):
            self._set_rates((number - 1 + (step - 0.5) / len(drawn)) / self.settings.epochs)
            total += self._step([lessons.pieces[index] for index in batch], [lessons.targets[index] for index in batch])
            self.watcher.step(total / step)
        trained_for = time.monotonic() - started
        scores = self._look_at_dev(dev)
        chosen = {name: getattr(self.model.scheme, name) for group in self.model.choices for name in group}
        rate, seconds = sum(map(len, drawn)) / trained_for, time.monotonic() - started
        epoch = Epoch(number, total / len(drawn), dev_scores(scores), chosen, rate, seconds)
        self._keep(epoch, scores)

    def _step(self, pieces: list[Any], targets: list[Any]) -> float:
        reader, packed = self.trained.reader, self.trained.reader.pack(pieces)
        if self.settings.hidden:
            is_hidden = torch.rand(len(packed.places)) < self.settings.hidden
            packed = packed.with_hidden(is_hidden.numpy(), reader.mask)
        with autocast(self.device, self.settings.precision):
            loss = self.model.loss(packed, targets)
        value = float(loss.detach())
        if not isfinite(value):
            raise RunError("the loss is no longer a number: lower training.encoder_rate and training.head_rate")
        self.scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        if self.settings.clip:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return value

    def _look_at_dev(self, dev: Corpus) -> Scores:
        """Score dev, after choosing the scheme's settings there."""
        self.model.eval()
        lowest = self.model.lowest_scheme if self.settings.search_thresholds else self.model.scheme
        found = outputs(self.trained, dev.sentences, lowest)
        if self.settings.search_thresholds:
            self.model.scheme = best_scheme(self.untuned, self.model.choices, found, dev)
        mentions = [self.model.scheme.decode(output).mentions for output in found]
        return score(zip(dev.documents, dev.with_mentions(mentions), strict=True))

    def _keep(self, epoch: Epoch, scores: Scores) -> None:
        """Write what must survive. The checkpoint comes first: from it, the rest can be made again."""
        self.history.append(epoch)
        if best_epoch(self.history) is epoch:
            self.progress.card = self.card.text(self.seed, epoch, scores)
        checkpoint.save(self.folder / CHECKPOINT, self.model, self.optimizer, self.scaler, self.progress)
        try:
            self._write_results()
        except KeyboardInterrupt:
            self._write_results()
            raise
        self.watcher.note(f"seed {self.seed}, {epoch.line()}")

    def _write_results(self) -> None:
        if best_epoch(self.history) is self.history[-1]:
            save(self.trained, self.folder / MODEL, self.progress.card)
        write_metrics(self.history, self.folder / METRICS)

    def _repeats(self, number: int) -> int:
        """Give how often an epoch shows what is rare: often at first, and as often as it truly is at last."""
        done = (number - 1) / max(self.settings.epochs - 1, 1)
        return round(self.settings.repeats + (1 - self.settings.repeats) * done)

    def _title(self, number: int) -> str:
        best = f", best dev F1 {100 * best_epoch(self.history).f1:.1f}" if self.history else ""
        return f"seed {self.seed}, epoch {number} of {self.settings.epochs}{best}"

    def _groups(self) -> list[dict[str, Any]]:
        # The mix of the encoder's layers is new, as the heads are; all below it was learned before.
        encoder = [parameter for part in self.model.encoder.children() for parameter in part.parameters()]
        known = set(map(id, encoder))
        heads = [parameter for parameter in self.model.parameters() if id(parameter) not in known]
        return [
            {"params": encoder, "full_rate": self.settings.encoder_rate},
            {"params": heads, "full_rate": self.settings.head_rate},
        ]

    def _set_rates(self, done: float) -> None:
        """Set the learning rates for a share of the whole training that is done."""
        share = rate_share(done, self.settings.warm_up, self.settings.schedule)
        for group in self.optimizer.param_groups:
            group["lr"] = group["full_rate"] * share


def rate_share(done: float, warm_up: float, schedule: Schedule) -> float:
    """Give the learning rate, as a share of the full one, when so much of the whole training is done.

    >>> [rate_share(done, 0.2, Schedule.LINEAR) for done in (0.1, 0.2, 0.6, 1.0)]
    [0.5, 1.0, 0.5, 0.0]
    """
    if done < warm_up:
        return done / warm_up
    return (1 - done) / (1 - warm_up) if schedule is Schedule.LINEAR and warm_up < 1 else 1.0
