"""The model card: what a model is, what it learned from, how well it does, and the command that made it."""

import ast
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from huggingface_hub import EvalResult, ModelCardData

from disconer.encoders.settings import hub_name, strip_folders
from disconer.foundation.characters import printable
from disconer.scoring import SCOPES, Scores
from disconer.scoring.statistics import Statistics
from disconer.storage.directory import INVENTED_TAG
from disconer.storage.hub import is_hub_name
from disconer.training.config import IN_MEMORY, Config
from disconer.training.metrics import Epoch

_TASK = "token-classification"
_MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
_IN_FULL = re.compile(r"(^|[=:])[~/](.*/)?(?=.)", re.DOTALL)
"""What stands before the name of a file that is said from the root on, be it the value of something or not."""

_INVENTED = """\
**It learned from invented sentences**, which a program wrote. It shows how disconer works, and knows no real text."""


@dataclass(frozen=True)
class Card:
    """What the cards of a run's models have in common. None of the data's text is on it."""

    config: Config
    command: str
    """What began the training of the seeds."""
    train: Statistics
    dev: Statistics
    found: tuple[str, ...] = ()
    """Labels whose mentions nobody annotated: those in the data are what the model found that the run goes on from."""

    is_invented: bool = False
    """Whether a program wrote all of train."""

    def text(self, seed: int, epoch: Epoch, scores: Scores) -> str:
        """Write the card of a seed's best epoch."""
        text = (*self._head(seed, epoch), *self._data(), *self._scores(epoch, scores), *self._origin())
        metadata = _metadata(self.config, epoch, [INVENTED_TAG] if self.is_invented else []).to_yaml(line_break="\n")
        return "\n".join(("---", metadata, "---", "", *text))

    def _head(self, seed: int, epoch: Epoch) -> list[str]:
        encoder = strip_folders(self.config.encoder.name)
        labels = _join_labels({*self.train.labels, *self.found})
        return [
            "# A disconer model",
            "",
            "Finds named entities that may have gaps, overlap and nest. Load it with "
            "`disconer.load(...)` or use it with `disconer predict`.",
            "",
            f"- model: `{self.config.model}` on the encoder `{_plain(encoder)}`, seed {seed}, epoch {epoch.epoch}",
            f"- labels: {labels}",
            f"- made with disconer {version('disconer')}",
            "",
            *((_INVENTED, "") if self.is_invented else ()),
        ]

    def _data(self) -> list[str]:
        rows = [
            f"| {name} | {figures.sentences:,} | {figures.mentions:,} | {figures.discontinuous:,} |"
            for name, figures in (("train", self.train), ("dev", self.dev))
        ]
        head = ["## Data", "", "| | sentences | mentions | discontinuous |", "|---|---:|---:|---:|"]
        return [*head, *rows, "", *self._not_annotated()]

    def _not_annotated(self) -> list[str]:
        if not self.found:
            return []
        line = (
            f"Nobody annotated {_join_labels(self.found)} in train. What the model found of them that this one goes on "
            "from counts as annotated there, and in dev where that lacks them: the scores are flattering."
        )
        return [line, ""]

    def _scores(self, epoch: Epoch, scores: Scores) -> list[str]:
        lines = [
            "## Scores on dev",
            "",
            "Strict matching: the label and every fragment must be right. The best epoch and ",
        ]
        lines[-1] += "the thresholds were chosen on the same data, so expect a little less elsewhere."
        if doubt := epoch.describe_doubt():
            lines += ["", f"**A weak model**: {doubt}."]
        return [*lines, "", *score_tables(epoch.dev, scores), ""]

    def _origin(self) -> list[str]:
        return ["## How it was made", "", "```", printable(_without_folders(self.command)), "```", ""]


def score_tables(of_scopes: Mapping[str, Mapping[str, float]], scores: Scores) -> list[str]:
    """Lay out precision, recall and F1, by scope and by label."""
    lines = ["| scope | precision | recall | F1 |", "|---|---:|---:|---:|"]
    lines += [_row(title, of_scopes[scope]) for scope, title in SCOPES.items()]
    lines += ["", "| label | precision | recall | F1 |", "|---|---:|---:|---:|"]
    return [*lines, *(_row(f"`{_plain(label)}`", counts.as_json()) for label, counts in scores.labels.items())]


def _metadata(config: Config, epoch: Epoch, tags: Iterable[str]) -> ModelCardData:
    """What the hub reads of a card. Whose the model is, and its licence, is the user's to say and left out."""
    data = (
        "dev" if config.data.dev == IN_MEMORY else printable(Path(config.data.dev).name)
    )  # where it lies on somebody's machine is nobody's business
    results = [
        EvalResult(
            task_type=_TASK,
            task_name="named entity recognition",
            dataset_type=data,
            dataset_name=data,
            dataset_config=scope,
            dataset_split="dev",
            metric_type=measure,
            metric_name=f"{name}, {title}",
            metric_value=round(epoch.dev[scope][measure], 4),
            verified=False,
        )
        for scope, title in SCOPES.items()
        for measure, name in _MEASURES.items()
    ]
    base = _base_model(config)
    return ModelCardData(
        base_model=None if base is None else printable(base), library_name="disconer", pipeline_tag=_TASK,
        tags=[_TASK, "named-entity-recognition", "discontinuous-ner", *tags],
        model_name=f"disconer-{config.model}", eval_results=results,
    )  # fmt: skip


def _base_model(config: Config) -> str | None:
    """The name on the hub of what the training began with, if it came from there."""
    if is_hub_name(config.init.model):
        return config.init.model.partition("@")[0]
    return hub_name(config.encoder.name)


def _join_labels(labels: Iterable[str]) -> str:
    return ", ".join(f"`{_plain(label)}`" for label in sorted(labels))


def _row(name: str, counts: Mapping[str, float]) -> str:
    return (
        f"| {name} | " + " | ".join(f"{100 * counts[measure]:.1f}" for measure in ("precision", "recall", "f1")) + " |"
    )


def _without_folders(command: str) -> str:
    """Leave out of a command or a call where on a machine its files lie; nothing remains of what is neither."""
    try:
        if command.startswith("disconer.train("):
            return ast.unparse(_FolderStripper().visit(ast.parse(command, mode="eval")))
        return shlex.join(_IN_FULL.sub(r"\1", argument) for argument in shlex.split(command))
    except (SyntaxError, ValueError):
        return ""


class _FolderStripper(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(_IN_FULL.sub(r"\1", node.value)) if isinstance(node.value, str) else node


def _plain(name: str) -> str:
    """Keep a name from being taken for markup, or for orders to a terminal."""
    return "".join("_" if character in "`|<>" else character for character in printable(name))
