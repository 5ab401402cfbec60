"""A run: one configuration, one or more seeds, and the model of the seed in the middle."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from disconer.encoders.pretrained import pretrained
from disconer.exceptions import InputError, RunError, located
from disconer.formats import read
from disconer.formats.files import remove_leftovers, replacing_file, swapping_folder
from disconer.models.directory import Trained
from disconer.models.mac import Mac
from disconer.schemes import GridScheme
from disconer.scoring.statistics import Statistics, statistics
from disconer.settings import as_toml, differing, from_mapping, read_toml
from disconer.tokenize import Split
from disconer.training.card import Card
from disconer.training.config import Config
from disconer.training.examples import Corpus, unlearnable
from disconer.training.loop import SeedRun
from disconer.training.metrics import Epoch, read_metrics
from disconer.training.progress import Silence, Watcher

_CONFIG = "config.toml"


@dataclass(frozen=True)
class Run:
    """Where a run lives and how it is done."""

    config: Config
    out: Path
    seeds: Sequence[int] = (0,)
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    watcher: Watcher = field(default_factory=Silence)
    command: str = ""
    """What was typed, for the model card."""

    def train(self, resume: bool = False) -> dict[int, Epoch]:
        """Train every seed and give each one's best epoch; `model` in the run's folder is the median seed's.

        When it is interrupted, the best model there is so far is put in its place before the interruption goes on.
        """
        self._prepare(resume)
        train, train_figures = self._corpus(self.config.data.train)
        dev, dev_figures = self._corpus(self.config.data.dev)
        config = self._resolved(train_figures, dev_figures)
        card = Card(config, train_figures, dev_figures, self.command)
        best: dict[int, Epoch] = {}
        try:
            for seed in self.seeds:
                folder = self.out / f"seed-{seed}"
                trained = self._new(config, tuple(sorted(train_figures.labels)), seed)
                best[seed] = SeedRun(trained, config.training, seed, folder, card, self.watcher).run(train, dev)
        except KeyboardInterrupt:
            raise RunError(self._stopped(best)) from None
        self._choose(best)
        return best

    def _prepare(self, resume: bool) -> None:
        if self.out.exists() and not self.out.is_dir():
            raise InputError("this is a file: name a folder for the run", path=self.out)
        kept = self.out / _CONFIG
        if kept.is_file():
            if not resume:
                raise InputError(
                    "there is a run here already: continue it with --resume or name another", path=self.out
                )
            with located(kept):
                changed = differing(from_mapping(Config, read_toml(kept)), self.config)
            if changed:
                raise InputError(f"a run cannot go on with another {', '.join(changed)} than it began with", path=kept)
        elif self.out.exists() and any(self.out.iterdir()):
            raise InputError("this folder is not empty and holds no run: name another", path=self.out)
        self.out.mkdir(exist_ok=True)
        remove_leftovers(self.out)
        with replacing_file(kept) as stream:
            stream.write(as_toml(self.config))

    def _corpus(self, path: str) -> tuple[Corpus, Statistics]:
        data = self.config.data
        documents = list(read(path, data.format or None, Split(data.split) if data.split else None))
        corpus = Corpus.of(documents)
        if not corpus.sentences:
            raise InputError("there is no sentence in it", path=path)
        return corpus, statistics(documents, self._scheme())

    def _scheme(self) -> GridScheme:
        return GridScheme(tags=self.config.scheme.tags, edge_rule=self.config.scheme.edge_rule)

    def _resolved(self, train: Statistics, dev: Statistics) -> Config:
        """Settle what the data decides, and say what of it cannot be learned."""
        if not train.mentions:
            raise InputError("there is no mention in it to learn from", path=self.config.data.train)
        longest = self.config.mac.longest_segment or max(train.segment_length(0.999), 1)
        self.watcher.note(
            f"train: {train.sentences:,} sentences, {train.mentions:,} mentions, {train.discontinuous:,} with gaps; "
            f"dev: {dev.sentences:,}, {dev.mentions:,}, {dev.discontinuous:,}"
        )
        for line in unlearnable(train, longest):
            self.watcher.note(f"in train, {line}")
        unknown = sum(count for label, count in dev.labels.items() if label not in train.labels)
        if unknown:
            self.watcher.note(f"in dev, {unknown:,} mentions have a label that train does not have")
        return replace(self.config, mac=replace(self.config.mac, longest_segment=longest))

    def _new(self, config: Config, labels: tuple[str, ...], seed: int) -> Trained:
        torch.manual_seed(seed)
        encoder, reader = pretrained(config.encoder)
        model = Mac(encoder, labels, self._scheme(), config.mac).to(self.device)
        return Trained(model, reader, labels, config.encoder, config.mac)

    def _choose(self, best: dict[int, Epoch]) -> int:
        """Copy the model of the seed with the (lower) median dev F1 to where the run's model is looked for."""
        ranked = sorted(best, key=lambda seed: best[seed].dev["all"]["f1"])
        median = ranked[(len(ranked) - 1) // 2]
        with swapping_folder(self.out / "model") as folder:
            shutil.copytree(self.out / f"seed-{median}" / "model", folder, dirs_exist_ok=True)
        return median

    def _stopped(self, best: dict[int, Epoch]) -> str:
        """Put the best model so far in its place and say what is there."""
        for seed in self.seeds:
            epochs = read_metrics(self.out / f"seed-{seed}" / "metrics.jsonl")
            if epochs:
                best[seed] = max(epochs, key=lambda epoch: epoch.dev["all"]["f1"])
        if not best:
            return "interrupted before the first epoch ended, so there is no model yet: continue with --resume"
        seed = self._choose(best)
        return f"interrupted; {self.out / 'model'} is the best of seed {seed} so far: continue with --resume"
