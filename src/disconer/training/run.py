"""A run: one configuration, one or more seeds, and the model of the seed in the middle."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from disconer.document import INVENTED, Document
from disconer.encoders.pretrained import load_encoder
from disconer.exceptions import InputError, RunError, quote
from disconer.formats import read, take_every
from disconer.foundation.checks import as_choice
from disconer.foundation.device import advise_on_memory
from disconer.foundation.files import is_leftover, lock_folder, remove_leftovers, replace_file
from disconer.foundation.hardware import best_precision
from disconer.foundation.progress import Display, NoDisplay
from disconer.foundation.settings import as_toml, find_differences
from disconer.foundation.wording import count_of
from disconer.models.registry import ModelName, build_network
from disconer.models.settings import GraphSettings, SegmentModelSettings
from disconer.runtime.torch_engine import TorchEngine
from disconer.scoring.statistics import Statistics, statistics
from disconer.storage.paths import MODEL, RUN_CONFIG, seed_folder
from disconer.tokenize import Split
from disconer.training.card import Card
from disconer.training.config import IN_MEMORY, Config, OldLabels, Precision, read_config
from disconer.training.dataset import Dataset, describe_unlearnable
from disconer.training.loop import SeedRun
from disconer.training.metrics import Epoch, install_best
from disconer.training.objective import Objective
from disconer.training.origin import Origin, transfer_weights


@dataclass(frozen=True)
class Run:
    """Where a run lives and how it is done."""

    config: Config
    out: Path
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    display: Display = field(default_factory=NoDisplay)
    documents: Mapping[str, Iterable[Document]] = field(default_factory=dict)
    """Those of `train` and `dev` that are in memory and not in files."""
    asked: Collection[str] = ()
    """Settings that were asked for by name, which a model to go on from must not contradict."""

    def __post_init__(self) -> None:
        config = self.config if self._origin is None else self._origin.adapt(self.config, self.asked)
        in_memory: dict[str, Any] = dict.fromkeys(self.documents, IN_MEMORY)
        object.__setattr__(self, "config", replace(config, data=replace(config.data, **in_memory)))

    def train(self, resume: bool = False) -> dict[int, Epoch]:
        """Train the seeds; `model` in the run's folder is the median seed's. Returns each seed's best epoch.

        A run that goes on may have other seeds already, which are left as they are; other processes may train those.

        When it is interrupted, the best model there is so far is put in its place before the interruption goes on.
        """
        with lock_folder(self.out) if self.out.is_dir() else nullcontext():
            self._read_kept_config(resume)
        documents = self._read_train()
        dev_documents = self._read("dev")
        fingerprint = self._fingerprint(documents, dev_documents)
        old = self._find_unannotated_labels(documents)
        documents, dev_documents = self._annotate_old_labels(old, documents, dev_documents)
        train, dev = Dataset.from_documents(documents), Dataset.from_documents(dev_documents)
        train_figures, dev_figures = (statistics(one, self.config.new_scheme()) for one in (documents, dev_documents))
        labels = tuple(sorted({*train_figures.labels, *old}))
        width = f" or {self.config.model}.width" if hasattr(self.config.model_settings, "width") else ""
        with advise_on_memory(f"lower training.batch_size{width}"):
            resolved = self._resolve(train_figures, dev_figures, labels, fingerprint)
            is_new = not any((self.out / seed_folder(seed)).exists() for seed in self.config.seeds)
            config = self._write_config(resolved, resume)
            command = self.config.command if is_new else config.command
            is_invented = self._is_invented(documents)
            card = Card(config, command, train_figures, dev_figures, old, is_invented)
            return self._train_seeds(config, labels, train, dev, card)

    def _train_seeds(
        self, config: Config, labels: tuple[str, ...], train: Dataset, dev: Dataset, card: Card
    ) -> dict[int, Epoch]:
        best: dict[int, Epoch] = {}
        try:
            for seed in self.config.seeds:
                engine, folder = self._build(config, labels, seed), self.out / seed_folder(seed)
                folder.mkdir(exist_ok=True)
                with lock_folder(folder, lambda: self.display.note("another process trains this seed: waiting")):
                    objective = self._build_objective(engine, config)
                    seed_run = SeedRun(engine, objective, config.training, seed, folder, card, self.display)
                    best[seed] = seed_run.run(train, dev)
        except KeyboardInterrupt:
            raise RunError(self._stop()) from None
        finally:
            self.display.clear()
        install_best(self.out)
        for seed, epoch in best.items():
            if doubt := epoch.describe_doubt():
                self.display.note(f"seed {seed}: {doubt}")
        return best

    def _read_kept_config(self, resume: bool) -> Config | None:
        """The configuration of the run that goes on; None when a new one begins."""
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
            message = f"there is a run here already: continue it with {self._resumption} or name another"
            raise InputError(message, path=self.out)
        return read_config(self.out)

    def _write_config(self, resolved: Config, resume: bool) -> Config:
        """Write and return the configuration of the run; other processes may train other seeds of it."""
        self.out.mkdir(exist_ok=True)
        with lock_folder(self.out):
            kept = self._read_kept_config(resume)
            config = resolved if kept is None else self._continue(kept, resolved)
            remove_leftovers(self.out)
            with replace_file(self.out / RUN_CONFIG) as stream:
                stream.write(as_toml(config))
        return config

    @cached_property
    def _origin(self) -> Origin | None:
        return Origin.find(self.config.init.model) if self.config.init.model else None

    def _read(self, name: str, every: int = 1) -> list[Document]:
        data, path = self.config.data, getattr(self.config.data, name)
        if name in self.documents:
            documents = list(self.documents[name])
        elif path == IN_MEMORY:
            raise InputError(
                f"this run's {name} documents were in memory: resume it from Python with the same documents, "
                "disconer.train(train, dev, out, resume=True)",
                path=self.out,
            )
        else:
            split = as_choice(Split, data.split, "data.split") if data.split else None
            documents = list(read(path, data.format or None, split))
        documents = list(take_every(documents, every))
        if not any(sentence.word_spans for document in documents for sentence in document.sentences):
            raise InputError("there is no sentence in it", path=_name_data(name, path))
        return documents

    def _read_train(self) -> list[Document]:
        documents = self._read("train", self.config.data.every)
        if not any(map(len, documents)):  # a model that is gone on from must not learn from nothing but itself
            raise InputError(
                "there is no mention in it to learn from", path=_name_data("train", self.config.data.train)
            )
        return documents

    def _fingerprint(self, *corpora: list[Document]) -> str:
        """A hash of what a run learns from, and goes on from."""
        of_data = [Dataset.from_documents(documents).fingerprint for documents in corpora]
        return "/".join((*of_data, *([] if self._origin is None else [self._origin.fingerprint])))

    def _is_invented(self, train: list[Document]) -> bool:
        """Tell whether a program wrote all that the model learns from, what it goes on from included."""
        if self._origin is not None and not self._origin.learned_from_invented:
            return False
        return all(document.extras.get(INVENTED) is True for document in train)

    def _find_unannotated_labels(self, train: list[Document]) -> tuple[str, ...]:
        """The labels that the origin knows and train does not have, unless they are dropped."""
        if self._origin is None or self.config.init.labels is OldLabels.DROP:
            return ()
        return tuple(sorted(set(self._origin.description.labels) - _labels_of(train)))

    def _annotate_old_labels(self, old: tuple[str, ...], *corpora: list[Document]) -> list[list[Document]]:
        """Add to corpora what the origin finds of old labels, where nobody annotated them."""
        if self._origin is None or not old:
            return list(corpora)
        names = ", ".join(map(quote, old))
        self.display.note(
            f"train has none of the model's labels {names}: what the model finds of them is learned again"
        )
        return [
            self._origin.annotate(documents, set(old) - _labels_of(documents), self.device) for documents in corpora
        ]

    def _resolve(self, train: Statistics, dev: Statistics, labels: tuple[str, ...], fingerprint: str) -> Config:
        """Fill in what the data, the machine and the encoder decide, and say what cannot be learned."""
        unknown = sum(count for label, count in dev.labels.items() if label not in labels)
        if dev.mentions == unknown:
            place = _name_data("dev", self.config.data.dev)
            raise InputError("there is no mention in it with a label that train has", path=place)
        before = self._origin.description.settings if self._origin is not None else None
        longest, fragments = train.segment_length(0.999), max(train.fragments)
        own = self.config.model_settings.resolve(longest, fragments, before)
        self.display.note(
            f"train: {count_of(train.sentences, 'sentence')}, {count_of(train.mentions, 'mention')}, "
            f"{train.discontinuous:,} with gaps; "
            f"dev: {dev.sentences:,}, {dev.mentions:,}, {dev.discontinuous:,}"
        )
        for line in describe_unlearnable(train, own.longest_segment if isinstance(own, SegmentModelSettings) else None):
            self.display.note(f"train: {line}")
        repeats = self.config.training.repeats
        if train.discontinuous and repeats > 1 and self.config.training.epochs > 1:
            self.display.note(
                f"train: sentences with gaps are shown {repeats} times in the first epoch and once in the last, "
                "so that epochs get shorter"
            )
        if unknown:
            self.display.note(f"dev: mentions with a label that train does not have ({unknown:,})")
        config, precision = self.config, self.config.training.precision
        if precision is Precision.AUTO:
            precision = Precision(best_precision(self.device))
        config = replace(
            config,
            data=replace(config.data, fingerprint=fingerprint),
            training=replace(config.training, precision=precision),
        ).with_model_settings(own)
        if own.helper_weight:
            config = config.with_model_settings(config.settings_of(GraphSettings).resolve(longest, fragments))
        window = self._build(config, labels, config.seeds[0]).tokenizer.window
        return replace(config, encoder=replace(config.encoder, window=window))

    def _continue(self, kept: Config, config: Config) -> Config:
        """The configuration of a run that goes on: as it began, and with the seeds that are new."""
        if IN_MEMORY in (kept.data.train, kept.data.dev, config.data.train, config.data.dev):
            # Wherever the documents come from: the fingerprint tells whether they are the same.
            config = replace(config, data=replace(kept.data, fingerprint=config.data.fingerprint))
        both = replace(config, seeds=tuple(dict.fromkeys((*kept.seeds, *config.seeds))), command=kept.command)
        changed = [name for name in find_differences(kept, both) if name != "seeds"]
        if "data.fingerprint" in changed:
            raise InputError(
                "the data, or the model to go on from, is not what this run began with: begin another", path=self.out
            )
        if changed:
            raise InputError(f"a run cannot go on with another {', '.join(changed)} than it began with", path=self.out)
        return both

    def _build(self, config: Config, labels: tuple[str, ...], seed: int) -> TorchEngine:
        torch.manual_seed(seed)
        before = None if self._origin is None else self._origin.load(config.encoder)
        encoder, tokenizer = (
            load_encoder(config.encoder) if before is None else (before.model.encoder, before.tokenizer)
        )
        model = build_network(config.model, encoder, labels, config.new_scheme(), config.model_settings)
        if before is not None:
            transfer_weights(model, before.model)
        model.to(self.device)
        return TorchEngine(model, tokenizer, labels, config.encoder, config.model_settings, config.model)

    def _build_objective(self, engine: TorchEngine, config: Config) -> Objective:
        """What the model learns by, with a helper if it has one."""
        weight, settings = config.model_settings.helper_weight, config.settings_of(GraphSettings)
        if not weight:
            return Objective(engine.model)
        scheme = settings.new_scheme(config.scheme)
        helper = build_network(ModelName.GRAPH, engine.model.encoder, engine.labels, scheme, settings)
        return Objective(engine.model, helper.to(self.device), weight)

    def _stop(self) -> str:
        """Put the best model so far in its place and say what is there."""
        installed = install_best(self.out, self.config.seeds)
        if installed is None:
            return f"interrupted in the first epoch, so there is no model yet: continue with {self._resumption}"
        seed, is_done = installed
        state = "the model" if is_done else "the best so far"
        return f"interrupted; {self.out / MODEL} is {state} of seed {seed}: continue with {self._resumption}"

    @property
    def _resumption(self) -> str:
        if self.documents:
            return "resume=True and the same documents"
        return "--resume (in Python, resume=True)"


def _name_data(name: str, path: str) -> str:
    return f"the {name} documents" if path == IN_MEMORY else path


def _labels_of(documents: Iterable[Document]) -> set[str]:
    return {mention.label for document in documents for mention in document}
