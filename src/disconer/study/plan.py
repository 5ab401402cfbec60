"""What a study is to do, as its TOML file says.

title = "Mac and its ablations"
seeds = [1, 2, 3]

[settings.training]              settings of every system, as in a file for `disconer train --config`
epochs = 4

[corpora.cadec]                  paths are seen from the folder of the file
train = "cadec/train.jsonl"
dev = "cadec/dev.jsonl"
test = "cadec/test.jsonl"        evaluated in the report; without it, dev is

[systems.mac]
title = "Mac"

[systems.no-cln]
title = "– CLN mechanism"
of = "mac"                       a variant: mac's settings, and over them
mac.pairs = "concatenation"

[systems.theirs]                 somebody else's predictions, a file a seed
predictions.cadec = ["theirs/1.jsonl", "theirs/2.jsonl"]
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

from disconer.exceptions import InputError, locate_errors, quote
from disconer.formats import FORMATS
from disconer.foundation.checks import as_choice
from disconer.foundation.nearest import did_you_mean
from disconer.foundation.settings import NUMBERS, from_mapping, merge_tables, read_toml, setting
from disconer.tokenize import Split
from disconer.training.config import Config, list_shipped_configs

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_OWN = ("title", "of", "config", "predictions")
"""The keys of a system that are not settings of its training."""


@dataclass(frozen=True)
class StudySettings:
    """What concerns all of a study."""

    title: str = setting("", "what the report is called; empty takes the name of the file")
    out: str = setting("", "folder for runs and report; empty takes the name of the file without its ending")
    seeds: NUMBERS = setting((1, 2, 3), "each system is trained once with each, on each corpus", 0, 2**32 - 1)
    jobs: int = setting(1, "how many are trained at a time", minimum=1)
    threads: int = setting(0, "threads of a processor for each; 0 shares the cores among those at a time", minimum=0)


@dataclass(frozen=True)
class CorpusSettings:
    """A corpus of a study."""

    title: str = setting("", "what it is called in the report; empty takes its name in the file")
    train: str = setting("", "annotated file or folder to learn from")
    dev: str = setting("", "annotated file or folder to choose epochs, thresholds and the median seed on")
    test: str = setting("", "annotated file or folder that the report is about; empty takes dev")
    format: str = setting("", "the format of all; empty tells it from the path")
    split: str = setting("", "when texts are split into sentences: auto, always or never; empty as the format has it")
    every: int = setting(1, "learn from every so-many-th document of train only", minimum=1)


@dataclass(frozen=True)
class SystemPlan:
    """A system of a study: settings to train it with, or predictions that are there already."""

    name: str
    title: str
    base: str | None = None
    """The name of the system that it is a variant of."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    predictions: Mapping[str, list[str]] | None = None
    """Files by corpus, instead of settings."""

    def config(self, corpus: CorpusSettings, seeds: tuple[int, ...]) -> Config:
        """Put together the configuration of its training on a corpus."""
        data = {name: getattr(corpus, name) for name in ("train", "dev", "format", "split", "every")}
        return from_mapping(Config, merge_tables(self.settings, {"seeds": list(seeds), "data": data}))


@dataclass(frozen=True)
class Plan:
    """A study, read and checked."""

    path: Path
    settings: StudySettings
    corpora: Mapping[str, CorpusSettings]
    systems: Mapping[str, SystemPlan]

    @property
    def folder(self) -> Path:
        """Where the paths of the file are seen from."""
        return self.path.parent

    @property
    def title(self) -> str:
        return self.settings.title or self.path.stem

    @property
    def out(self) -> Path:
        return self.folder / (self.settings.out or self.path.stem)

    def corpus_title(self, name: str) -> str:
        return self.corpora[name].title or name


def read_plan(path: Path) -> Plan:
    """Read a study; raises `InputError` for whatever in it does not fit."""
    values = read_toml(path)
    with locate_errors(path):
        common = _settings(_table(values.pop("settings", {}), "settings"), "settings")
        corpora = _tables(values.pop("corpora", None), "corpora")
        systems = _tables(values.pop("systems", None), "systems")
        plan = Plan(
            path,
            from_mapping(StudySettings, values),
            {name: _corpus(name, own) for name, own in corpora.items()},
            {name: _system(name, systems, common, path.parent, corpora) for name in systems},
        )
        _check(plan)
    return plan


def _corpus(name: str, values: Mapping[str, Any]) -> CorpusSettings:
    corpus = from_mapping(CorpusSettings, values, f"corpora.{name}.")
    if not corpus.dev:
        raise InputError(f"corpora.{name} needs dev")
    if corpus.split:
        as_choice(Split, corpus.split, f"corpora.{name}.split")
    if corpus.format and corpus.format not in FORMATS:
        near = did_you_mean(corpus.format, FORMATS)
        raise InputError(f"corpora.{name}.format must be one of {', '.join(FORMATS)}, not {quote(corpus.format)}{near}")
    return corpus


def _system(
    name: str, systems: Mapping[str, Any], common: Mapping[str, Any], folder: Path, corpora: Mapping[str, Any]
) -> SystemPlan:
    values = systems[name]
    base = values.get("of")
    if base is not None and not _can_be_base(base, name, systems):
        raise InputError(f"systems.{name}.of must be the name of another system that is trained and no variant itself")
    title = values.get("title", name)
    if not isinstance(title, str) or not title:
        raise InputError(f"systems.{name}.title must be text in quotes")
    if "predictions" in values:
        return SystemPlan(name, title, base, predictions=_predictions(name, values, corpora))
    line = [(name, values)] if base is None else [(base, systems[base]), (name, values)]
    files = [_config_file(own.get("config", ""), folder, owner) for owner, own in line]
    own_settings = [_settings(own, f"systems.{owner}") for owner, own in line]
    return SystemPlan(name, title, base, reduce(merge_tables, (*files, common, *own_settings), {}))


def _settings(values: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Pick the settings of training, which may not set what the study decides itself."""
    found = {key: value for key, value in values.items() if key not in _OWN}
    for name in ("seeds", "command", "data"):
        if name in found:
            raise InputError(f"{place} cannot have {name}: that is the study's own, or a corpus'")
    return found


def _can_be_base(base: object, name: str, systems: Mapping[str, Any]) -> bool:
    if not isinstance(base, str) or base not in systems or base == name:
        return False
    return "of" not in systems[base] and "predictions" not in systems[base]


def _predictions(name: str, values: Mapping[str, Any], corpora: Mapping[str, Any]) -> dict[str, list[str]]:
    found = _table(values["predictions"], f"systems.{name}.predictions")
    others = [key for key in values if key not in ("title", "predictions")]
    if others:
        raise InputError(f"systems.{name} has predictions, so {others[0]} means nothing")
    for corpus, paths in found.items():
        if corpus not in corpora:
            which = f"{quote(corpus)}, which is none of the corpora{did_you_mean(corpus, corpora)}"
            raise InputError(f"systems.{name}.predictions speaks of {which}")
        if not isinstance(paths, list) or not paths or not all(isinstance(path, str) and path for path in paths):
            raise InputError(f"systems.{name}.predictions.{corpus} must be a list of one or more paths")
    return found


def _config_file(value: Any, folder: Path, name: str) -> dict[str, Any]:
    """Read the file of settings that a system begins with, which may be one of ours."""
    if not isinstance(value, str):
        raise InputError(f"systems.{name}.config must be text in quotes")
    if not value:
        return {}
    path = folder / value
    return read_toml(list_shipped_configs()[value] if not path.exists() and value in list_shipped_configs() else path)


def _check(plan: Plan) -> None:
    """Find what is wrong before anything is trained."""
    seeds = plan.settings.seeds
    if len(set(seeds)) < len(seeds):
        raise InputError("seeds names one of them twice")
    titles = [system.title for system in plan.systems.values()]
    names = [plan.corpus_title(name) for name in plan.corpora]
    for given in (titles, names):
        twice = next((title for title in given if given.count(title) > 1), None)
        if twice is not None:
            raise InputError(f"two of the study have the title {quote(twice)}")
    for system in plan.systems.values():
        if system.predictions is None:
            for name, corpus in plan.corpora.items():
                if not corpus.train:
                    raise InputError(f"corpora.{name} needs train, for {system.name} to learn from")
                with locate_errors(f"{plan.path}: systems.{system.name}"):
                    system.config(corpus, plan.settings.seeds)


def _table(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{name} must be a table")
    return value


def _tables(value: Any, name: str) -> dict[str, dict[str, Any]]:
    if not isinstance(value, dict) or not value:
        raise InputError(f"a study needs a table [{name}.NAME], or several")
    for key, own in value.items():
        if not _NAME.fullmatch(key):
            raise InputError(f"{quote(key)} is no name for one of {name}: use letters, digits, hyphens and dots")
        _table(own, f"{name}.{key}")
    return value
