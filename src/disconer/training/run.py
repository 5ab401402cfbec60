"""A run: one configuration, one or more seeds, and the model of the seed in the middle."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from disconer.encoders.pretrained import pretrained
from disconer.exceptions import InputError, RunError, located
from disconer.formats import read
from disconer.formats.files import remove_leftovers, replacing_file, swapping_folder
from disconer.models.directory import Trained
from disconer.models.mac import Mac
from disconer.runs import METRICS, MODEL, RUN_CONFIG, seed_folder
from disconer.schemes import GridScheme
from disconer.scoring.statistics import Statistics, statistics
from disconer.settings import as_toml, differing, from_mapping, read_toml
from disconer.tokenize import Split
from disconer.training.card import Card
from disconer.training.config import Config
from disconer.training.examples import Corpus, unlearnable
from disconer.training.loop import SeedRun
from disconer.training.metrics import Epoch, best_epoch, read_metrics
from disconer.training.progress import Silence, Watcher


@dataclass(frozen=True)
class Run:
    """Where a run lives and how it is done."""

    config: Config
    out: Path
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    watcher: Watcher = field(default_factory=Silence)

    def train(self, resume: bool = False) -> dict[int, Epoch]:
        """Train every seed and give each one's best epoch; `model` in the run's folder is the median seed's.

        When it is interrupted, the best model there is so far is put in its place before the interruption goes on.
        """
        kept = self._kept(resume)
        (train, train_figures), (dev, dev_figures) = (
            self._corpus(self.config.data.train),
            self._corpus(self.config.data.dev),
        )
        config = self._settled(kept, train_figures, dev_figures)
        labels = tuple(sorted(train_figures.labels))
        trained = self._new(config, labels, config.seeds[0])  # before anything is written: it may not be there to load
        self._begin(config)
        card = Card(config, train_figures, dev_figures)
        best: dict[int, Epoch] = {}
        try:
            for number, seed in enumerate(config.seeds):
                trained = self._new(config, labels, seed) if number else trained
                folder = self.out / seed_folder(seed)
                best[seed] = SeedRun(trained, config.training, seed, folder, card, self.watcher).run(train, dev)
        except KeyboardInterrupt:
            raise RunError(self._stopped(config.seeds)) from None
        self._choose(best)
        return best

    def _kept(self, resume: bool) -> Config | None:
        """Give the configuration of the run that goes on; none when a new one begins."""
        if self.out.exists() and not self.out.is_dir():
            raise InputError("this is a file: name a folder for the run", path=self.out)
        if not self.out.parent.is_dir():
            raise InputError("there is no such folder to write into: make it first", path=self.out.parent)
        kept = self.out / RUN_CONFIG
        if not kept.is_file():
            if self.out.exists() and any(self.out.iterdir()):
                raise InputError("this folder is not empty and holds no run: name another", path=self.out)
            return None
        if not resume:
            raise InputError("there is a run here already: continue it with --resume or name another", path=self.out)
        with located(kept):
            return from_mapping(Config, read_toml(kept))

    def _begin(self, config: Config) -> None:
        self.out.mkdir(exist_ok=True)
        remove_leftovers(self.out)
        with replacing_file(self.out / RUN_CONFIG) as stream:
            stream.write(as_toml(config))

    def _corpus(self, path: str) -> tuple[Corpus, Statistics]:
        data = self.config.data
        documents = list(read(path, data.format or None, Split(data.split) if data.split else None))
        corpus = Corpus.of(documents)
        if not corpus.sentences:
            raise InputError("there is no sentence in it", path=path)
        return corpus, statistics(documents, self._scheme())

    def _scheme(self) -> GridScheme:
        chosen = self.config.scheme
        return GridScheme(chosen.tags, chosen.lone_node, chosen.edge_rule, chosen.edges)

    def _settled(self, kept: Config | None, train: Statistics, dev: Statistics) -> Config:
        """Settle what the data and the run so far decide, and say what cannot be learned."""
        if not train.mentions:
            raise InputError("there is no mention in it to learn from", path=self.config.data.train)
        unknown = sum(count for label, count in dev.labels.items() if label not in train.labels)
        if dev.mentions == unknown:
            raise InputError("there is no mention in it with a label that train has", path=self.config.data.dev)
        longest = self.config.mac.longest_segment or max(train.segment_length(0.999), 1)
        self.watcher.note(
            f"train: {train.sentences:,} sentences, {train.mentions:,} mentions, {train.discontinuous:,} with gaps; "
            f"dev: {dev.sentences:,}, {dev.mentions:,}, {dev.discontinuous:,}"
        )
        for line in unlearnable(train, longest):
            self.watcher.note(f"train: {line}")
        if unknown:
            self.watcher.note(f"dev: mentions with a label that train does not have ({unknown:,})")
        settled = replace(self.config, mac=replace(self.config.mac, longest_segment=longest))
        return settled if kept is None else self._going_on(kept, settled)

    def _going_on(self, kept: Config, config: Config) -> Config:
        """Give the configuration of a run that goes on: as it began, and with the seeds that are new."""
        both = replace(config, seeds=tuple(dict.fromkeys((*kept.seeds, *config.seeds))), command=kept.command)
        changed = [name for name in differing(kept, both) if name != "seeds"]
        if changed:
            raise InputError(f"a run cannot go on with another {', '.join(changed)} than it began with", path=self.out)
        return both

    def _new(self, config: Config, labels: tuple[str, ...], seed: int) -> Trained:
        if not 0 <= seed < 2**32:
            raise InputError(f"a seed must be a whole number from 0 to {2**32 - 1}, not {seed}")
        torch.manual_seed(seed)
        encoder, reader = pretrained(config.encoder)
        model = Mac(encoder, labels, self._scheme(), config.mac).to(self.device)
        return Trained(model, reader, labels, config.encoder, config.mac)

    def _choose(self, best: Mapping[int, Epoch]) -> int:
        """Copy the model of the seed with the (lower) median dev F1 to where the run's model is looked for."""
        ranked = sorted(best, key=lambda seed: best[seed].f1)
        median = ranked[(len(ranked) - 1) // 2]
        with swapping_folder(self.out / MODEL) as folder:
            shutil.copytree(self.out / seed_folder(median) / MODEL, folder, dirs_exist_ok=True)
        return median

    def _stopped(self, seeds: Iterable[int]) -> str:
        """Put the best model so far in its place and say what is there."""
        epochs = {seed: read_metrics(self.out / seed_folder(seed) / METRICS) for seed in seeds}
        best = {seed: best_epoch(of_seed) for seed, of_seed in epochs.items() if of_seed}
        if not best:
            return "interrupted before the first epoch ended, so there is no model yet: continue with --resume"
        seed = self._choose(best)
        return f"interrupted; {self.out / MODEL} is the best of seed {seed} so far: continue with --resume"
