"""Every model, one entry each. Networks, which need torch, are imported when they are built.

A new one has its labels in schemes/ (a `Scheme`), its network below `Model` (mac/ or baselines/), its settings in
settings.py, and an entry here; all else follows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from disconer.models.settings import (
    BioeSettings,
    CombSettings,
    GraphSettings,
    MacSettings,
    ModelSettings,
    TransSettings,
    W2nerSettings,
)
from disconer.schemes import (
    BioeScheme,
    EdgeSet,
    GridScheme,
    HypergraphScheme,
    Interpretation,
    Joining,
    Scheme,
    SegmentScheme,
    TransitionScheme,
    WordPairScheme,
)

if TYPE_CHECKING:
    from disconer.encoders.encoder import WordEncoder
    from disconer.models.model import Model


@dataclass(frozen=True)
class ModelEntry:
    """What there is to know of a model."""

    network: str
    """Module, below `disconer.models`, and the class or function that makes it."""
    settings: type[ModelSettings]
    """The configuration's table of the model's name."""
    scheme: type[Scheme]
    schemes: Mapping[str, Callable[[], Scheme]]
    """The scheme and its variants, by the names that `disconer stats --scheme` knows them by."""


class ModelName(StrEnum):
    """The models that can be trained."""

    entry: ModelEntry  # of each member

    def __new__(cls, value: str, entry: ModelEntry) -> "ModelName":
        member = str.__new__(cls, value)
        member._value_ = value
        member.entry = entry
        return member

    MAC = "mac", ModelEntry(
        "mac.network:Mac", MacSettings, GridScheme,
        {"grid": GridScheme, "grid-gaps": partial(GridScheme, edges=EdgeSet.GAPS)},
    )  # fmt: skip
    BIOE = "bioe", ModelEntry(
        "baselines.bioe:Bioe", BioeSettings, BioeScheme,
        {"bioe": BioeScheme, "bioe-all": partial(BioeScheme, joining=Joining.ALL)},
    )  # fmt: skip
    GRAPH = "graph", ModelEntry(
        "baselines.graph:HypergraphModel", GraphSettings, HypergraphScheme,
        {"graph": HypergraphScheme, "graph-all": partial(HypergraphScheme, interpretation=Interpretation.ALL)},
    )  # fmt: skip
    COMB = "comb", ModelEntry("baselines.comb:Comb", CombSettings, SegmentScheme, {"comb": SegmentScheme})
    TRANS = (
        "trans",
        ModelEntry("baselines.trans:build_trans", TransSettings, TransitionScheme, {"trans": TransitionScheme}),
    )
    W2NER = (
        "w2ner",
        ModelEntry("baselines.w2ner:W2ner", W2nerSettings, WordPairScheme, {"w2ner": WordPairScheme}),
    )


SCHEMES = {name: scheme for model in ModelName for name, scheme in model.entry.schemes.items()}
"""Every scheme by name, variants included."""


def build_network(
    name: ModelName, encoder: "WordEncoder", labels: Sequence[str], scheme: Scheme, settings: ModelSettings
) -> "Model":
    """Put a model with untrained heads on an encoder."""
    module, _, network = name.entry.network.partition(":")
    model: Model = getattr(import_module(f"disconer.models.{module}"), network)(encoder, labels, scheme, settings)
    return model
