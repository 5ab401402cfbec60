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
        has_gaps = [any(mention.is_discontinuous for mention in sentence.mentions) for sentence in train.sentences]
        while not self._is_finished():
            number = len(self.history) + 1
            random = Random(f"{self.seed}/{number}")  # noqa: S311 (nothing secret)
            torch.manual_seed(random.getrandbits(63))
            repeats = self._repeats(number)
            drawn = batches(lengths, [repeats if rare else 1 for rare in has_gaps], self.settings.batch_size, random)
            self._epoch(number, drawn, pieces, targets, dev)
        return self._best()

    def _epoch(
        self, number: int, drawn: Sequence[list[int]], pieces: Sequence[Any], targets: Sequence[Any], dev: Corpus
    ) -> None:
        started = time.monotonic()
        total = 0.0
        self.model.train()
        for step, batch in enumerate(self.watcher.epoch(f"seed {self.seed}, epoch {number}", drawn), start=1):
            self._set_rates((number - 1 + (step - 0.5) / len(drawn)) / self.settings.epochs)
            total += self._step([pieces[index] for index in batch], [targets[index] for index in batch])
            self.watcher.step(total / step)
        trained_for = time.monotonic() - started
        scores = self._look_at_dev(dev)
        is_best = not self.history or scores.all.f1 > self._best().dev["all"]["f1"]
        rate = sum(map(len, drawn)) / trained_for
        chosen = {name: getattr(self.model.scheme, name) for group in self.model.choices for name in group}
        seconds = time.monotonic() - started
        epoch = Epoch(number, total / len(drawn), dev_scores(scores), chosen, rate, seconds, is_best)
        self._keep(epoch, scores)

    def _step(self, pieces: list[Any], targets: list[Any]) -> float:
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

    def _repeats(self, number: int) -> int:
        """Give how often an epoch shows what is rare: often at first, and as often as it truly is at last."""
        share = (self.settings.epochs - number) / max(self.settings.epochs - 1, 1)
        return round(1 + (self.settings.repeats - 1) * share)

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
