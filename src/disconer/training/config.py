"""The one configuration of a training run: a TOML file, overridden by flags; the resolved one is kept with the run."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from disconer.encoders.settings import EncoderSettings
from disconer.exceptions import located
from disconer.models.settings import (
    BioeSettings,
    CombSettings,
    GraphSettings,
    MacSettings,
    ModelName,
    ModelSettings,
    TransSettings,
)
from disconer.runs import RUN_CONFIG
from disconer.schemes import EdgeRule, EdgeSet, GridScheme, LoneNode, Scheme, TagSet
from disconer.settings import NUMBERS, from_mapping, read_toml, setting, table


class Schedule(StrEnum):
    """What becomes of the learning rates after the warm-up."""

    LINEAR = "linear"
    """They fall to nothing at the end of the last epoch."""
    CONSTANT = "constant"


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
class DataSettings:
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
class InitSettings:
    """What training begins from, beside the encoder."""

    model: str = setting("", "a run, a model directory or a name on the hub to go on from; empty begins with new heads")
    labels: OldLabels = setting(OldLabels.KEEP, "labels that this model knows and train does not have: keep or drop")


@dataclass(frozen=True)
class SchemeSettings:
    """How mentions become Mac's labels; other models have their own among their settings."""

    tags: TagSet = setting(TagSet.BIS, "bis, or one: a single class of segments, the paper's first ablation")
    lone_node: LoneNode = setting(
        LoneNode.NOTHING, "what a part without an edge becomes, nothing or a mention, unless dev decides"
    )
    edge_rule: EdgeRule = setting(EdgeRule.EITHER, "an edge needs H2H and T2T in either direction, or in their mean")
    edges: EdgeSet = setting(
        EdgeSet.GAPS, "ends: the paper's H2H and T2T; gaps: T2H over the gap too, which keeps mentions from combining"
    )


@dataclass(frozen=True)
class TrainingSettings:
    """How the model learns."""

    epochs: int = setting(8, "passes over the training data at most", minimum=1)
    patience: int = setting(3, "stop after so many epochs without a better dev F1; 0 never stops early", minimum=0)
    batch_size: int = setting(12, "sentences a step", minimum=1)
    repeats: int = setting(
        4, "times the first epoch shows a sentence with a discontinuous mention; falls to once in the last", minimum=1
    )
    hidden: float = setting(0.15, "share of a sentence's pieces that training hides behind a mask", 0, 1)
    encoder_rate: float = setting(2e-4, "learning rate of the encoder", minimum=0)
    head_rate: float = setting(2e-3, "learning rate of everything behind the encoder", minimum=0)
    warm_up: float = setting(0.1, "share of all steps in which the rates rise from nothing", minimum=0, maximum=1)
    schedule: Schedule = setting(Schedule.LINEAR, "what becomes of the rates afterwards: linear or constant")
    weight_decay: float = setting(0.01, "pull of the weights towards zero, decoupled from the gradient", minimum=0)
    clip: float = setting(1.0, "longest gradient; longer ones are shortened; 0 takes them as they are", minimum=0)
    search_thresholds: bool = setting(
        True, "search the thresholds on dev; otherwise they are 0.5, or for bioe, graph and trans none"
    )
    precision: Precision = setting(Precision.AUTO, "numbers of a training step: auto, float32, bfloat16 or float16")


@dataclass(frozen=True)
class Config:
    """Everything that decides how a run turns out."""

    model: ModelName = setting(ModelName.MAC, "what to train: mac, bioe, graph, comb or trans")
    seeds: NUMBERS = setting(
        (0,), "one model is trained for each, and that of the median dev score is the run's", 0, 2**32 - 1
    )
    command: str = setting("", "what began the run, for the model card")
    data: DataSettings = table(DataSettings)
    init: InitSettings = table(InitSettings)
    encoder: EncoderSettings = table(EncoderSettings)
    scheme: SchemeSettings = table(SchemeSettings)
    mac: MacSettings = table(MacSettings)
    bioe: BioeSettings = table(BioeSettings)
    graph: GraphSettings = table(GraphSettings)
    comb: CombSettings = table(CombSettings)
    trans: TransSettings = table(TransSettings)
    training: TrainingSettings = table(TrainingSettings)

    @property
    def of_model(self) -> ModelSettings:
        """The settings of the model that is trained."""
        own: ModelSettings = getattr(self, self.model)
        return own

    def with_model_settings(self, settings: ModelSettings) -> "Config":
        """Give the same configuration with other settings of the model that is trained."""
        changed: dict[str, Any] = {str(self.model): settings}
        return replace(self, **changed)

    def new_scheme(self) -> Scheme:
        """Make the scheme of the model that is trained, with thresholds that nobody chose."""
        if self.model is ModelName.MAC:
            return GridScheme(self.scheme.tags, self.scheme.lone_node, self.scheme.edge_rule, self.scheme.edges)
        own: BioeSettings | GraphSettings | CombSettings | TransSettings = getattr(self, self.model)
        return own.scheme()


OF_THE_RUN = ("seeds", "command", "data.fingerprint")
"""Settings that say what a run is, not how it learns."""


LEFT_OPEN: dict[str, object] = {
    "mac.longest_segment": 0, "comb.longest_segment": 0, "graph.components": 0,
    "encoder.window": 0, "training.precision": Precision.AUTO,
}  # fmt: skip
"""Settings with a value that a run replaces by what its data, its encoder and its machine say."""


def read_config(run: Path) -> Config:
    """Read the settings of a run."""
    path = run / RUN_CONFIG
    with located(path):
        return from_mapping(Config, read_toml(path))


def shipped() -> dict[str, Path]:
    """Give the configurations that come with disconer, by name."""
    return {path.stem: path for path in sorted(Path(__file__).with_name("configs").glob("*.toml"))}
