"""How mentions become labels and back, without a neural network."""

from collections.abc import Callable
from functools import partial

from disconer.schemes.bioe import BioeScheme, Joining
from disconer.schemes.cliques import maximal_cliques
from disconer.schemes.grid import EdgeRule, EdgeSet, GridScheme, LoneNode, TagSet
from disconer.schemes.hypergraph import HypergraphScheme, Interpretation
from disconer.schemes.scheme import Decoding, Scheme
from disconer.schemes.segments import SegmentScheme
from disconer.schemes.transitions import TransitionScheme

__all__ = [
    "SCHEMES", "BioeScheme", "Decoding", "EdgeRule", "EdgeSet", "GridScheme", "HypergraphScheme", "Interpretation",
    "Joining", "LoneNode", "Scheme", "SegmentScheme", "TagSet", "TransitionScheme", "maximal_cliques",
]  # fmt: skip

SCHEMES: dict[str, Callable[[], Scheme]] = {
    "grid": GridScheme,
    "grid-gaps": partial(GridScheme, edges=EdgeSet.GAPS),
    "bioe": BioeScheme,
    "bioe-all": partial(BioeScheme, joining=Joining.ALL),
    "graph": HypergraphScheme,
    "graph-all": partial(HypergraphScheme, interpretation=Interpretation.ALL),
    "comb": SegmentScheme,
    "trans": TransitionScheme,
}
"""By the names that `disconer stats` knows them by."""
