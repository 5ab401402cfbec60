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
from disconer.foundation.files import remove_leftovers
from disconer.foundation.hardware import autocast
from disconer.foundation.progress import Announcement, Display
from disconer.runtime.engine import predict_outputs
from disconer.runtime.torch_engine import TorchEngine
from disconer.scoring import Scores, score_pairs
from disconer.scoring.counts import mixed_f1
from disconer.storage.paths import CHECKPOINT, METRICS, MODEL
from disconer.training.card import Card
from disconer.training.checkpoint import TrainingState, load_checkpoint, save_checkpoint
from disconer.training.config import BatchUnit, Precision, Schedule, TrainingSettings
from disconer.training.coordinations import Coordinator
from disconer.training.dataset import Dataset, Examples
from disconer.training.metrics import Epoch, best_epoch, dev_scores, is_finished, read_metrics, write_metrics
from disconer.training.objective import Objective
from disconer.training.progress import EpochStatus
from disconer.training.thresholds import choose_thresholds

_COST_OF_SCORING = 0.4
"""Of a sentence of dev, which is only read, beside one that is learned from."""


class SeedRun:
    """One seed of a run, in its own folder: `metrics.jsonl`, `checkpoint/` and `model/`, the best epoch's model.

    Whatever is drawn at random in an epoch follows from the seed and the number of the epoch alone. So an epoch that
    was cut off is simply begun again, and ends in the same weights.
    """

    def __init__(
        self,
        engine: TorchEngine,
        objective: Objective,
        settings: TrainingSettings,
        seed: int,
        folder: Path,
        card: Card,
        display: Display,
    ) -> None:
        self.engine = engine
        self.model = engine.model
        self.objective = objective
        self.untuned = engine.model.scheme
        """Where every search for thresholds begins, so that none depends on those before it."""
        self.settings = settings
        self.seed = seed
        self.folder = folder
        self.card = card
        self.display = display
        self.device = next(self.model.parameters()).device
        self.optimizer = torch.optim.AdamW(self._groups(), weight_decay=settings.weight_decay, fused=True)
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=settings.precision is Precision.FLOAT16)
        self.state = TrainingState()

    def run(self, train: Dataset, dev: Dataset) -> Epoch:
        """Train to the end, from where it was left off, and give the best epoch."""
        self._restore()
        examples, coordinator = self._examples(train), Coordinator(train.sentences)
        while not is_finished(self.history, self.settings):
            number = len(self.history) + 1
            random = Random(f"{self.seed}/{number}")  # noqa: S311 (nothing secret)
            torch.manual_seed(random.getrandbits(63))
            made = coordinator.draw_for_epoch(self.settings.coordinations, self.seed, number)
            shown = examples + self._examples(Dataset.from_documents(made), are_made=True)
            drawn = shown.draw_batches(
                self._repeats(number), self.settings.batch_size, self.settings.batch_unit, random
            )
            self._epoch(number, drawn, shown, len(made), dev)
        return best_epoch(self.history)

    def _examples(self, dataset: Dataset, are_made: bool = False) -> Examples:
        """Sentences as the model learns from them; those that were made are shown once."""
        return Examples(
            self.engine.tokenizer.tokenize(dataset.sentences),
            [
                self.objective.targets(mentions, len(sentence.word_spans))
                for mentions, sentence in zip(dataset.word_mentions(), dataset.sentences, strict=True)
            ],
            [not are_made and sentence.has_gaps for sentence in dataset.sentences],
        )

    @property
    def history(self) -> list[Epoch]:
        return self.state.history

    def _restore(self) -> None:
        """Go back to the last checkpoint, and make again what may not have been written after it."""
        self.folder.mkdir(exist_ok=True)
        for folder in (self.folder, self.folder / CHECKPOINT):
            remove_leftovers(folder)
        self.state = load_checkpoint(self.folder / CHECKPOINT, self.objective, self.optimizer, self.scaler)
        if self.history:
            self.model.scheme = replace(self.untuned, **self.history[-1].thresholds)
            self._write_results()
        elif (self.folder / METRICS).exists():
            self._trust_results()

    def _trust_results(self) -> None:
        """Take a seed whose checkpoint was deleted for what it is, if it was finished."""
        self.state.history = read_metrics(self.folder / METRICS)
        if not is_finished(self.history, self.settings) or not (self.folder / MODEL).is_dir():
            raise InputError("the checkpoint is gone: delete this folder to begin the seed again", path=self.folder)

    def _epoch(self, number: int, drawn: Sequence[list[int]], examples: Examples, made: int, dev: Dataset) -> None:
        started = time.monotonic()
        total = 0.0
        self.objective.train()
        coming = range(number + 1, self.settings.epochs + 1)
        later = sum(examples.count_batches(self._repeats(epoch), self.settings.batch_size) for epoch in coming)
        scoring = (len(coming) + 1) * len(dev.sentences) / self.settings.batch_size * _COST_OF_SCORING
        status = EpochStatus(self._title(number), len(drawn), later + scoring)
        for step, batch in enumerate(drawn, start=1):
            self._set_rates((number - 1 + (step - 0.5) / len(drawn)) / self.settings.epochs)
            total += self._step(
                [examples.subwords[index] for index in batch], [examples.targets[index] for index in batch]
            )
            status.advance(len(batch), total / step)
            self.display.show(status)
        trained_for = time.monotonic() - started
        self.display.show(Announcement(f"{self._title(number)}: scoring dev"))
        scores = self._evaluate_dev(dev)
        self.display.clear()
        chosen = {name: getattr(self.model.scheme, name) for group in self.model.search_space for name in group}
        rate, seconds = sum(map(len, drawn)) / trained_for, time.monotonic() - started
        score = mixed_f1(scores.all, scores.disc_mentions, self.settings.gap_share)
        epoch = Epoch(number, total / len(drawn), dev_scores(scores), chosen, rate, seconds, made, score)
        self._save_epoch(epoch, scores)

    def _step(self, subwords: list[Any], targets: list[Any]) -> float:
        tokenizer, batch = self.engine.tokenizer, self.engine.tokenizer.collate(subwords)
        if self.settings.hidden:
            is_masked = torch.rand(len(batch.subword_positions)) < self.settings.hidden
            batch = batch.mask_subwords(is_masked.numpy(), tokenizer.mask_id)
        with autocast(self.device, self.settings.precision):
            loss = self.objective.loss(batch, targets)
            if self.settings.batch_unit is BatchUnit.WORDS:  # so that a sentence counts the same in every batch
                loss = loss * (len(targets) / self.settings.batch_size)
        value = float(loss.detach())
        if not isfinite(value):
            raise RunError("the loss is no longer a number: lower training.encoder_rate and training.head_rate")
        self.scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        if self.settings.clip:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.objective.parameters(), self.settings.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return value

    def _evaluate_dev(self, dev: Dataset) -> Scores:
        """Score dev, after choosing the scheme's settings there."""
        self.model.eval()
        lowest = self.model.lowest_scheme if self.settings.search_thresholds else self.model.scheme
        found = predict_outputs(self.engine, dev.sentences, lowest)
        if self.settings.search_thresholds:
            self.model.scheme = choose_thresholds(
                self.untuned, self.model.search_space, found, dev, self.settings.gap_share
            )
        mentions = [self.model.scheme.decode(output).mentions for output in found]
        return score_pairs(zip(dev.documents, dev.with_mentions(mentions), strict=True))

    def _save_epoch(self, epoch: Epoch, scores: Scores) -> None:
        """Write what must survive. The checkpoint comes first: from it, the rest can be made again."""
        self.history.append(epoch)
        if best_epoch(self.history) is epoch:
            self.state.card = self.card.text(self.seed, epoch, scores)
        save_checkpoint(self.folder / CHECKPOINT, self.objective, self.optimizer, self.scaler, self.state)
        try:
            self._write_results()
        except KeyboardInterrupt:
            self._write_results()
            raise
        self.display.note(f"seed {self.seed}, {epoch.line()}")

    def _write_results(self) -> None:
        if best_epoch(self.history) is self.history[-1]:
            self.engine.save(self.folder / MODEL, self.state.card)
        write_metrics(self.history, self.folder / METRICS)

    def _repeats(self, number: int) -> int:
        """How often an epoch shows sentences with gaps: often at first, once in the last."""
        done = (number - 1) / max(self.settings.epochs - 1, 1)
        return round(self.settings.repeats + (1 - self.settings.repeats) * done)

    def _title(self, number: int) -> str:
        best = f", best dev F1 {100 * best_epoch(self.history).dev['all']['f1']:.1f}" if self.history else ""
        return f"seed {self.seed}, epoch {number} of {self.settings.epochs}{best}"

    def _groups(self) -> list[dict[str, Any]]:
        # What mixes the encoder's layers, and what reads behind it, is as new as the heads.
        encoder = [parameter for part in self.model.encoder.pretrained_parts for parameter in part.parameters()]
        known = set(map(id, encoder))
        heads = [parameter for parameter in self.objective.parameters() if id(parameter) not in known]
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
    """The learning rate, as a share of the full one, when this share of the whole training is done.

    >>> [rate_share(done, 0.2, Schedule.LINEAR) for done in (0.1, 0.2, 0.6, 1.0)]
    [0.5, 1.0, 0.5, 0.0]
    """
    if done < warm_up:
        return done / warm_up
    return (1 - done) / (1 - warm_up) if schedule is Schedule.LINEAR and warm_up < 1 else 1.0
