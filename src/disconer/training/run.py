"""A run: one configuration, one or more seeds, and the model of the seed in the middle."""

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from disconer.checks import as_choice
from disconer.encoders.pretrained import pretrained
from disconer.exceptions import InputError, RunError
from disconer.formats import read
from disconer.formats.files import is_leftover, locked_folder, remove_leftovers, replacing_file
from disconer.hardware import best_precision
from disconer.memory import enough_memory
from disconer.models.networks import network
from disconer.models.settings import SegmentModelSettings
from disconer.models.trained import Trained
from disconer.runs import MODEL, RUN_CONFIG, seed_folder
from disconer.scoring.statistics import Statistics, statistics
from disconer.settings import as_mapping, as_toml, differing, from_mapping
from disconer.tokenize import Split
from disconer.training.card import Card
from disconer.training.config import Config, Precision, read_config
from disconer.training.examples import Corpus, unlearnable
from disconer.training.loop import SeedRun
from disconer.training.metrics import Epoch
from disconer.training.progress import Silence, Watcher
from disconer.training.selection import install_best


@dataclass(frozen=True)
class Run:
    """Where a run lives and how it is done."""

    config: Config
    out: Path
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    watcher: Watcher = field(default_factory=Silence)

    def __post_init__(self) -> None:
        # One that was made by hand may hold anything, such as a choice by its name.
        object.__setattr__(self, "config", from_mapping(Config, as_mapping(self.config)))

    def train(self, resume: bool = False) -> dict[int, Epoch]:
        """Train the seeds and give each one's best epoch; `model` in the run's folder is the median seed's.

        A run that goes on may have other seeds already, which are left as they are; other processes may train those.

        When it is interrupted, the best model there is so far is put in its place before the interruption goes on.
        """
        with locked_folder(self.out) if self.out.is_dir() else nullcontext():
            self._kept(resume)
        (train, train_figures), (dev, dev_figures) = (
            self._corpus(self.config.data.train, self.config.data.every),
            self._corpus(self.config.data.dev),
        )
        labels = tuple(sorted(train_figures.labels))
        width = f" or {self.config.model}.width" if hasattr(self.config.of_model, "width") else ""
        with enough_memory(f"lower training.batch_size{width}"):
            settled = self._settled(train_figures, dev_figures, labels, f"{train.fingerprint}/{dev.fingerprint}")
            is_new = not any((self.out / seed_folder(seed)).exists() for seed in self.config.seeds)
            config = self._begun(settled, resume)
            command = self.config.command if is_new else config.command
            return self._seeds(config, labels, train, dev, Card(config, command, train_figures, dev_figures))

    def _seeds(
        self, config: Config, labels: tuple[str, ...], train: Corpus, dev: Corpus, card: Card
    ) -> dict[int, Epoch]:
        best: dict[int, Epoch] = {}
        try:
            for seed in self.config.seeds:
                trained, folder = self._new(config, labels, seed), self.out / seed_folder(seed)
                folder.mkdir(exist_ok=True)
                with locked_folder(folder, lambda: self.watcher.note("another process trains this seed: waiting")):
                    best[seed] = SeedRun(trained, config.training, seed, folder, card, self.watcher).run(train, dev)
        except KeyboardInterrupt:
            raise RunError(self._stopped()) from None
        install_best(self.out)
        return best

    def _kept(self, resume: bool) -> Config | None:
        """Give the configuration of the run that goes on; none when a new one begins."""
        if self.out.exists() and not self.out.is_dir():
            raise InputError("this is a file: name a folder for the run", path=self.out)
        if not self.out.parent.is_dir():
            raise InputError("there is no such folder to write into: make it first", path=self.out.parent)
        kept = self.out / RUN_CONFIG
        if not kept.is_file():
            if self.out.exists() and not all(map(is_leftover, self.out.iterdir())):
                raise InputError("this folder is not empty and holds no run: name another", path=self.out)
            return None
        if not resume:
            raise InputError("there is a run here already: continue it with --resume or name another", path=self.out)
        return read_config(self.out)

    def _begun(self, settled: Config, resume: bool) -> Config:
        """Write down the configuration of the run, and give it; other processes may train other seeds of it."""
        self.out.mkdir(exist_ok=True)
        with locked_folder(self.out):
            kept = self._kept(resume)
            config = settled if kept is None else self._going_on(kept, settled)
            remove_leftovers(self.out)
            with replacing_file(self.out / RUN_CONFIG) as stream:
                stream.write(as_toml(config))
        return config

    def _corpus(self, path: str, every: int = 1) -> tuple[Corpus, Statistics]:
        data = self.config.data
        split = as_choice(Split, data.split, "data.split") if data.split else None
        documents = list(read(path, data.format or None, split))[every - 1 :: every]
        corpus = Corpus.of(documents)
        if not corpus.sentences:
            raise InputError("there is no sentence in it", path=path)
        return corpus, statistics(documents, self.config.new_scheme())

    def _settled(self, train: Statistics, dev: Statistics, labels: tuple[str, ...], fingerprint: str) -> Config:
        """Settle what the data, the machine and the encoder decide, and say what cannot be learned."""
        if not train.mentions:
            raise InputError("there is no mention in it to learn from", path=self.config.data.train)
        unknown = sum(count for label, count in dev.labels.items() if label not in train.labels)
        if dev.mentions == unknown:
            raise InputError("there is no mention in it with a label that train has", path=self.config.data.dev)
        own = self.config.of_model.settled(max(train.segment_length(0.999), 1), max(train.fragments))
        self.watcher.note(
            f"train: {train.sentences:,} sentences, {train.mentions:,} mentions, {train.discontinuous:,} with gaps; "
            f"dev: {dev.sentences:,}, {dev.mentions:,}, {dev.discontinuous:,}"
        )
        for line in unlearnable(train, own.longest_segment if isinstance(own, SegmentModelSettings) else None):
            self.watcher.note(f"train: {line}")
        if unknown:
            self.watcher.note(f"dev: mentions with a label that train does not have ({unknown:,})")
        config, precision = self.config, self.config.training.precision
        if precision is Precision.AUTO:
            precision = Precision(best_precision(self.device))
        config = replace(
            config,
            data=replace(config.data, fingerprint=fingerprint),
            training=replace(config.training, precision=precision),
        ).with_model_settings(own)
        window = self._new(config, labels, config.seeds[0]).reader.window
        return replace(config, encoder=replace(config.encoder, window=window))

    def _going_on(self, kept: Config, config: Config) -> Config:
        """Give the configuration of a run that goes on: as it began, and with the seeds that are new."""
        both = replace(config, seeds=tuple(dict.fromkeys((*kept.seeds, *config.seeds))), command=kept.command)
        changed = [name for name in differing(kept, both) if name != "seeds"]
        if "data.fingerprint" in changed:
            raise InputError("the training or dev data is not what this run began with: begin another", path=self.out)
        if changed:
            raise InputError(f"a run cannot go on with another {', '.join(changed)} than it began with", path=self.out)
        return both

    def _new(self, config: Config, labels: tuple[str, ...], seed: int) -> Trained:
        torch.manual_seed(seed)
        encoder, reader = pretrained(config.encoder)
        model = network(config.model, encoder, labels, config.new_scheme(), config.of_model).to(self.device)
        return Trained(model, reader, labels, config.encoder, config.of_model, config.model)

    def _stopped(self) -> str:
        """Put the best model so far in its place and say what is there."""
        installed = install_best(self.out, self.config.seeds)
        if installed is None:
            return "interrupted before the first epoch ended, so there is no model yet: continue with --resume"
        seed, is_done = installed
        state = "the model" if is_done else "the best so far"
        return f"interrupted; {self.out / MODEL} is {state} of seed {seed}: continue with --resume"
