"""The training of one seed: epochs over shuffled batches, a look at dev after each, the best one kept."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

from disconer.document import Sentence
from disconer.exceptions import RunError
from disconer.formats.files import remove_leftovers
from disconer.models import directory
from disconer.models.directory import Trained
from disconer.models.inference import outputs
from disconer.scoring import Scores, score
from disconer.training import checkpoint
from disconer.training.card import Card
from disconer.training.config import Precision, Schedule, TrainingSettings
from disconer.training.examples import Corpus, batches
from disconer.training.metrics import Epoch, dev_scores, write_metrics
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
        self.history: list[Epoch] = []
        self.device = next(self.model.parameters()).device
        self.optimizer = torch.optim.AdamW(self._groups(), weight_decay=settings.weight_decay, fused=True)

    def run(self, train: Corpus, dev: Corpus) -> Epoch:
        """Train to the end, from where it was left off, and give the best epoch."""
        self.folder.mkdir(exist_ok=True)
        for folder in (self.folder, self.folder / "checkpoint"):
            remove_leftovers(folder)
        progress = checkpoint.load(self.folder / "checkpoint", self.model, self.optimizer) or {"history": []}
        self.history = [Epoch(**epoch) for epoch in progress["history"]]
        pieces = self.trained.reader.pieces(train.sentences)
        targets = [self.model.targets(mentions) for mentions in train.word_mentions()]
        lengths = [sum(map(len, words)) for words in pieces]
        repeats = [self._repeats(sentence) for sentence in train.sentences]
        while not self._is_finished():
            number = len(self.history) + 1
            random = Random(f"{self.seed}/{number}")  # noqa: S311 (nothing secret)
            torch.manual_seed(random.getrandbits(63))
            drawn = batches(lengths, repeats, self.settings.batch_size, random)
            self._epoch(number, drawn, pieces, targets, dev)
        return self._best()

    def _epoch(
        self, number: int, drawn: Sequence[list[int]], pieces: Sequence[Any], targets: Sequence[Any], dev: Corpus
    ) -> None:
        started = time.monotonic()
        schedule = self._schedule(len(drawn), number)
        total = 0.0
        self.model.train()
        for step, batch in enumerate(self.watcher.epoch(f"seed {self.seed}, epoch {number}", drawn), start=1):
            total += self._step([pieces[index] for index in batch], [targets[index] for index in batch], schedule)
            self.watcher.step(total / step)
        trained_for = time.monotonic() - started
        scores = self._look_at_dev(dev)
        is_best = not self.history or scores.all.f1 > self._best().dev["all"]["f1"]
        rate = sum(map(len, drawn)) / trained_for
        chosen = {name: getattr(self.model.scheme, name) for group in self.model.choices for name in group}
        seconds = time.monotonic() - started
        epoch = Epoch(number, total / len(drawn), dev_scores(scores), chosen, rate, seconds, is_best)
        self._keep(epoch, scores)

    def _step(self, pieces: list[Any], targets: list[Any], schedule: LambdaLR) -> float:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._is_mixed()):
            loss = self.model.loss(self.trained.reader.pack(pieces), targets)
        value = float(loss.detach())
        if not isfinite(value):
            raise RunError("the loss is no longer a number: lower training.encoder_rate and training.head_rate")
        loss.backward()  # type: ignore[no-untyped-call]
        if self.settings.clip:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        schedule.step()
        return value

    def _look_at_dev(self, dev: Corpus) -> Scores:
        """Score dev, after choosing the scheme's settings there."""
        self.model.eval()
        lowest = self.model.lowest_scheme if self.settings.search_thresholds else self.model.scheme
        found = outputs(self.model, self.trained.reader, dev.sentences, lowest)
        if self.settings.search_thresholds:
            self.model.scheme = best_scheme(self.untuned, self.model.choices, found, dev)
        mentions = [self.model.scheme.decode(output).mentions for output in found]
        return score(zip(dev.documents, dev.with_mentions(mentions), strict=True))

    def _keep(self, epoch: Epoch, scores: Scores) -> None:
        """Write what must survive; the checkpoint last, so that whatever is missing is made again."""
        self.history.append(epoch)
        if epoch.is_best:
            directory.save(self.trained, self.folder / "model", self.card.text(self.seed, epoch, scores))
        write_metrics(self.history, self.folder / "metrics.jsonl")
        progress = {"epoch": epoch.epoch, "history": [asdict(one) for one in self.history]}
        checkpoint.save(self.folder / "checkpoint", self.model, self.optimizer, progress)
        self.watcher.note(f"seed {self.seed}, {epoch.line()}")

    def _repeats(self, sentence: Sentence) -> int:
        return self.settings.repeats if any(mention.is_discontinuous for mention in sentence.mentions) else 1

    def _is_finished(self) -> bool:
        if len(self.history) >= self.settings.epochs:
            return True
        patience = self.settings.patience
        return bool(patience and self.history and len(self.history) - self._best().epoch >= patience)

    def _best(self) -> Epoch:
        return max(self.history, key=lambda epoch: (epoch.dev["all"]["f1"], -epoch.epoch))

    def _is_mixed(self) -> bool:
        if self.settings.precision is Precision.AUTO:
            return self.device.type == "cuda" and torch.cuda.is_bf16_supported()
        return self.settings.precision is Precision.BFLOAT16

    def _groups(self) -> list[dict[str, Any]]:
        encoder = list(self.model.encoder.parameters())
        known = set(map(id, encoder))
        heads = [parameter for parameter in self.model.parameters() if id(parameter) not in known]
        return [
            {"params": encoder, "lr": self.settings.encoder_rate},
            {"params": heads, "lr": self.settings.head_rate},
        ]

    def _schedule(self, steps_an_epoch: int, number: int) -> LambdaLR:
        """Give the learning rates from the start of an epoch on; they depend on the step alone."""
        steps, done = steps_an_epoch * self.settings.epochs, steps_an_epoch * (number - 1)
        warm_up = self.settings.warm_up * steps
        falls = self.settings.schedule is Schedule.LINEAR

        def share(step: int) -> float:
            step += done
            if step < warm_up:
                return (step + 1) / (warm_up + 1)
            return max(0.0, (steps - step) / max(steps - warm_up, 1)) if falls else 1.0

        return LambdaLR(self.optimizer, share)
