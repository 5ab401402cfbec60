"""The one configuration of a training run: a TOML file, overridden by flags; the resolved one is kept with the run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

from disconer.encoders.settings import EncoderSettings
from disconer.exceptions import InputError, locate_errors
from disconer.foundation.nearest import did_you_mean
from disconer.foundation.settings import (
    NUMBERS,
    Checked,
    earlier_values,
    from_mapping,
    iterate_settings,
    merge_tables,
    read_toml,
    setting,
    table,
)
from disconer.models.registry import ModelName
from disconer.models.settings import ModelSettings, SchemeSettings
from disconer.schemes import Scheme
from disconer.storage.paths import RUN_CONFIG

AnyModelSettings = TypeVar("AnyModelSettings", bound=ModelSettings)


class Schedule(StrEnum):
    """What becomes of the learning rates after the warm-up."""

    LINEAR = "linear"
    """They fall to nothing at the end of the last epoch."""
    CONSTANT = "constant"


class BatchUnit(StrEnum):
    """What the steps of training have equally much of."""

    WORDS = "words"
    """Long sentences come a few at a time and short ones many, so that every step learns and costs as much."""
    SENTENCES = "sentences"


class Precision(StrEnum):
    """The numbers that a training step computes with; weights are always float32."""

    AUTO = "auto"
    """bfloat16 on a GPU or a processor that has instructions for it, float16 on other GPUs, else float32."""
    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    """Mixed precision; very slow where there are no instructions for it."""
    FLOAT16 = "float16"
    """Mixed precision too, of smaller range: the loss is scaled to fit."""


@dataclass(frozen=True)
class DataSettings(Checked):
    """What is learned from."""

    train: str = setting("", "annotated file or folder to learn from")
    dev: str = setting("", "annotated file or folder to choose the best epoch and the thresholds on")
    format: str = setting("", "the format of both; empty tells it from the path")
    split: str = setting("", "when texts are split into sentences: auto, always or never; empty as the format has it")
    every: int = setting(1, "learn from every so-many-th document of train only, as small comparisons do", minimum=1)
    fingerprint: str = setting("", "what the data was when the run began, which writes it: a run keeps to its data")


class OldLabels(StrEnum):
    """What becomes of labels that a model knows and the new training data does not have."""

    KEEP = "keep"
    """They stay: what the model finds of them in the new data counts as annotated, so that it does not forget them."""
    DROP = "drop"
    """They go, as when a model of one corpus is the beginning of another's."""


@dataclass(frozen=True)
class InitSettings(Checked):
    """What training begins from, beside the encoder."""

    model: str = setting("", "a model to go on from, as predict takes them; empty begins with new heads")
    labels: OldLabels = setting(OldLabels.KEEP, "labels that this model knows and train does not have: keep or drop")


@dataclass(frozen=True)
class TrainingSettings(Checked):
    """How the model learns."""

    epochs: int = setting(8, "passes over the training data at most", minimum=1)
    patience: int = setting(3, "stop after so many epochs without a better dev F1; 0 never stops early", minimum=0)
    batch_size: int = setting(12, "sentences a step, on average", minimum=1)
    batch_unit: BatchUnit = setting(
        BatchUnit.WORDS, "what every step has equally much of: words or sentences", earlier=BatchUnit.SENTENCES
    )
    repeats: int = setting(
        4, "times the first epoch shows a sentence with a discontinuous mention; falls to once in the last", minimum=1
    )
    coordinations: float = setting(
        3.0, "sentences made of train's own mentions in each epoch, for every one that has a discontinuous mention: "
        '"back pain" and "shoulder pain" become "back and shoulder pain", or a list without gaps',
        minimum=0, earlier=0.0,
    )  # fmt: skip
    hidden: float = setting(0.15, "share of a sentence's subwords that training hides behind a mask", 0, 1)
    encoder_rate: float = setting(2e-4, "learning rate of the encoder", minimum=0)
    head_rate: float = setting(2e-3, "learning rate of everything behind the encoder", minimum=0)
    warm_up: float = setting(0.1, "share of all steps in which the rates rise from nothing", minimum=0, maximum=1)
    schedule: Schedule = setting(Schedule.LINEAR, "what becomes of the rates afterwards: linear or constant")
    weight_decay: float = setting(0.01, "pull of the weights towards zero, decoupled from the gradient", minimum=0)
    clip: float = setting(1.0, "longest gradient; longer ones are shortened; 0 takes them as they are", minimum=0)
    gap_share: float = setting(
        0.2, "share of F1 over discontinuous mentions in the score by which dev chooses epoch, thresholds and seed",
        minimum=0, maximum=1, earlier=0.0,
    )  # fmt: skip
    search_thresholds: bool = setting(
        True, "search the thresholds on dev; otherwise they are 0.5, or none where a model does without"
    )
    precision: Precision = setting(
        Precision.AUTO, "numbers of a training step: auto, float32, bfloat16 or float16", is_resolved=True
    )


def _with_model_tables(kind: type[Any]) -> type[Any]:
    """Add to a class a table of settings for every model of the registry, before the table `training`."""
    last = kind.__annotations__.pop("training")
    for model in ModelName:
        kind.__annotations__[model.value] = model.entry.settings
        setattr(kind, model.value, table(model.entry.settings))
    kind.__annotations__["training"] = last
    return kind


@dataclass(frozen=True)
@_with_model_tables
class Config(Checked):
    """Everything that decides how a run turns out. Every model has a table of its name besides."""

    model: ModelName = setting(ModelName.MAC, f"what to train: {', '.join([*ModelName][:-1])} or {[*ModelName][-1]}")
    seeds: NUMBERS = setting(
        (0,), "one model is trained for each, and that of the median dev score is the run's", 0, 2**32 - 1
    )
    command: str = setting("", "what began the run, for the model card")
    data: DataSettings = table(DataSettings)
    init: InitSettings = table(InitSettings)
    encoder: EncoderSettings = table(EncoderSettings)
    scheme: SchemeSettings = table(SchemeSettings)
    training: TrainingSettings = table(TrainingSettings)

    @property
    def model_settings(self) -> ModelSettings:
        """The settings of the model that is trained."""
        return self.settings_of(self.model.entry.settings)

    def settings_of(self, kind: type[AnyModelSettings]) -> AnyModelSettings:
        """The table of one model, by the type of its settings."""
        own: AnyModelSettings = getattr(self, _table_of(kind))
        return own

    def with_model_settings(self, settings: ModelSettings) -> "Config":
        """The same configuration with other settings of one model."""
        changed: dict[str, Any] = {_table_of(type(settings)): settings}
        return replace(self, **changed)

    def new_scheme(self) -> Scheme:
        """The scheme of the model that is trained, with thresholds that nobody has chosen yet."""
        return self.model_settings.new_scheme(self.scheme)


def _table_of(kind: type[ModelSettings]) -> str:
    return next(model.value for model in ModelName if model.entry.settings is kind)


IN_MEMORY = ":memory:"
"""In the place of a path: the documents were given to `disconer.train` themselves."""

OF_THE_RUN = ("seeds", "command", "data.fingerprint")
"""Settings that say what a run is, not how it learns."""


RESOLVED: dict[str, object] = {
    name: one.default for name, one, _ in iterate_settings(Config) if one.metadata["is_resolved"]
}
"""Settings that a run resolves, and the values that leave it to the run."""


def read_config(run: Path) -> Config:
    """Read the settings of a run."""
    path = run / RUN_CONFIG
    with locate_errors(path):
        return from_mapping(Config, _read_kept(path))


def _read_kept(path: Path) -> dict[str, Any]:
    """Read the file of a run, which may be of before some settings."""
    return merge_tables(earlier_values(Config), read_toml(path))


def resolve_config(
    overrides: Iterable[Mapping[str, Any]], config: Path | str | None = None, resumed: Path | None = None
) -> Config:
    """Put settings over those of a file, which may be one of ours, or of the run that is resumed."""
    kept = resumed / RUN_CONFIG if resumed is not None and (resumed / RUN_CONFIG).is_file() else None
    # Without any named, a run goes on with the seeds that it has.
    values = {} if kept is None else {"seeds": read_toml(kept).get("seeds", [0])}
    file = kept if config is None else _find_config(config)
    if file is None:
        return from_mapping(Config, reduce(merge_tables, overrides, values))
    with locate_errors(file):
        named = _read_kept(file) if file == kept else read_toml(file)
        return from_mapping(Config, reduce(merge_tables, (named, *overrides), values))


def _find_config(config: Path | str) -> Path:
    path, ours = Path(config), list_shipped_configs()
    if path.exists() or len(path.parts) > 1 or path.suffix:
        return path
    if str(config) not in ours:
        raise InputError(f"there is no such file{did_you_mean(str(config), ours)}", path=path)
    return ours[str(config)]


def list_shipped_configs() -> dict[str, Path]:
    """The configurations that come with disconer, by name."""
    return {path.stem: path for path in sorted(Path(__file__).with_name("configs").glob("*.toml"))}
