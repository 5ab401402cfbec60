"""A run: one configuration, one or more seeds, and the model of the seed in the middle."""

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import torch

from disconer.checks import as_choice
from disconer.document import Document
from disconer.encoders.pretrained import pretrained
from disconer.exceptions import InputError, RunError, shown
from disconer.formats import read
from disconer.formats.files import is_leftover, locked_folder, remove_leftovers, replacing_file
from disconer.hardware import best_precision
from disconer.memory import enough_memory
from disconer.models.networks import network
from disconer.models.settings import SegmentModelSettings
from disconer.models.trained import Trained
from disconer.models.transfer import take_over
from disconer.runs import MODEL, RUN_CONFIG, seed_folder
from disconer.scoring.statistics import Statistics, statistics
from disconer.settings import as_mapping, as_toml, differing, from_mapping
from disconer.tokenize import Split
from disconer.training.card import Card
from disconer.training.config import Config, OldLabels, Precision, read_config
from disconer.training.examples import Corpus, unlearnable
from disconer.training.loop import SeedRun
from disconer.training.metrics import Epoch
from disconer.training.origin import Origin
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
        config = from_mapping(Config, as_mapping(self.config))
        object.__setattr__(self, "config", config if self._origin is None else self._origin.continued(config))

    def train(self, resume: bool = False) -> dict[int, Epoch]:
        """Train the seeds and give each one's best epoch; `model` in the run's folder is the median seed's.

        A run that goes on may have other seeds already, which are left as they are; other processes may train those.

        When it is interrupted, the best model there is so far is put in its place before the interruption goes on.
        """
        with locked_folder(self.out) if self.out.is_dir() else nullcontext():
            self._kept(resume)
        documents = self._train_documents()
        dev_documents = self._documents(self.config.data.dev)
        fingerprint = self._fingerprint(documents, dev_documents)
        old = self._unannotated(documents)
        documents, dev_documents = self._remembering(old, documents, dev_documents)
        (train, train_figures), (dev, dev_figures) = self._corpus(documents), self._corpus(dev_documents)
        labels = tuple(sorted({*train_figures.labels, *old}))
        width = f" or {self.config.model}.width" if hasattr(self.config.of_model, "width") else ""
        with enough_memory(f"lower training.batch_size{width}"):
            settled = self._settled(train_figures, dev_figures, labels, fingerprint)
            is_new = not any((self.out / seed_folder(seed)).exists() for seed in self.config.seeds)
            config = self._begun(settled, resume)
            command = self.config.command if is_new else config.command
            return self._seeds(config, labels, train, dev, Card(config, command, train_figures, dev_figures, old))

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

    @cached_property
    def _origin(self) -> Origin | None:
        return Origin.of(self.config.init.model) if self.config.init.model else None

    def _documents(self, path: str, every: int = 1) -> list[Document]:
        data = self.config.data
        split = as_choice(Split, data.split, "data.split") if data.split else None
        documents = list(read(path, data.format or None, split))[every - 1 :: every]
        if not any(sentence.word_spans for document in documents for sentence in document.sentences):
            raise InputError("there is no sentence in it", path=path)
        return documents

    def _train_documents(self) -> list[Document]:
        documents = self._documents(self.config.data.train, self.config.data.every)
        if not any(map(len, documents)):  # a model that is gone on from must not learn from nothing but itself
            raise InputError("there is no mention in it to learn from", path=self.config.data.train)
        return documents

    def _fingerprint(self, *corpora: list[Document]) -> str:
        """Tell what a run learns from, and goes on from, from anything else."""
        of_data = [Corpus.of(documents).fingerprint for documents in corpora]
        return "/".join((*of_data, *([] if self._origin is None else [self._origin.fingerprint])))

    def _unannotated(self, train: list[Document]) -> tuple[str, ...]:
        """Give the labels that the origin knows and train does not have, unless they are dropped."""
        if self._origin is None or self.config.init.labels is OldLabels.DROP:
            return ()
        return tuple(sorted(set(self._origin.description.labels) - _labels_of(train)))

    def _remembering(self, old: tuple[str, ...], *corpora: list[Document]) -> list[list[Document]]:
        """Add to corpora what the origin finds of old labels, where nobody annotated them."""
        if self._origin is None or not old:
            return list(corpora)
        names = ", ".join(map(shown, old))
        self.watcher.note(
            f"train has none of the model's labels {names}: what the model finds of them is learned again"
        )
        return [
            self._origin.annotated(documents, set(old) - _labels_of(documents), self.device) for documents in corpora
        ]

    def _corpus(self, documents: list[Document]) -> tuple[Corpus, Statistics]:
        return Corpus.of(documents), statistics(documents, self.config.new_scheme())

    def _settled(self, train: Statistics, dev: Statistics, labels: tuple[str, ...], fingerprint: str) -> Config:
        """Settle what the data, the machine and the encoder decide, and say what cannot be learned."""
        unknown = sum(count for label, count in dev.labels.items() if label not in labels)
        if dev.mentions == unknown:
            raise InputError("there is no mention in it with a label that train has", path=self.config.data.dev)
        before = self._origin.description.settings if self._origin is not None else None
        longest = max(train.segment_length(0.999), getattr(before, "longest_segment", 1))
        own = self.config.of_model.settled(longest, max(*train.fragments, getattr(before, "components", 1)))
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
            raise InputError(
                "the data, or the model to go on from, is not what this run began with: begin another", path=self.out
            )
        if changed:
            raise InputError(f"a run cannot go on with another {', '.join(changed)} than it began with", path=self.out)
        return both

    def _new(self, config: Config, labels: tuple[str, ...], seed: int) -> Trained:
        torch.manual_seed(seed)
        before = None if self._origin is None else self._origin.load(config.encoder.frozen)
        encoder, reader = pretrained(config.encoder) if before is None else (before.model.encoder, before.reader)
        model = network(config.model, encoder, labels, config.new_scheme(), config.of_model)
        if before is not None:
            take_over(model, before.model)
        return Trained(model.to(self.device), reader, labels, config.encoder, config.of_model, config.model)

    def _stopped(self) -> str:
        """Put the best model so far in its place and say what is there."""
        installed = install_best(self.out, self.config.seeds)
        if installed is None:
            return "interrupted before the first epoch ended, so there is no model yet: continue with --resume"
        seed, is_done = installed
        state = "the model" if is_done else "the best so far"
        return f"interrupted; {self.out / MODEL} is {state} of seed {seed}: continue with --resume"


def _labels_of(documents: Iterable[Document]) -> set[str]:
    return {mention.label for document in documents for mention in document}
