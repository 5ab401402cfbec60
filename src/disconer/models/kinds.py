"""Which scheme and which settings belong to which model, without torch."""

from dataclasses import dataclass

from disconer.models.settings import (
    BioeSettings,
    CombSettings,
    GraphSettings,
    MacSettings,
    ModelName,
    ModelSettings,
    TransSettings,
)
from disconer.schemes import BioeScheme, GridScheme, HypergraphScheme, Scheme, SegmentScheme, TransitionScheme


@dataclass(frozen=True)
class Kind:
    """A kind of model."""

    scheme: type[Scheme]
    settings: type[ModelSettings]


KINDS = {
    ModelName.MAC: Kind(GridScheme, MacSettings),
    ModelName.BIOE: Kind(BioeScheme, BioeSettings),
    ModelName.GRAPH: Kind(HypergraphScheme, GraphSettings),
    ModelName.COMB: Kind(SegmentScheme, CombSettings),
    ModelName.TRANS: Kind(TransitionScheme, TransSettings),
}
