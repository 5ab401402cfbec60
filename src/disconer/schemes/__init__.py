"""How mentions become labels and back, without a neural network."""

from collections.abc import Callable
from functools import partial

from disconer.schemes.cliques import maximal_cliques
from disconer.schemes.grid import EdgeRule, EdgeSet, GridScheme, LoneNode, TagSet
from disconer.schemes.scheme import Decoding, Scheme

__all__ = [
    "SCHEMES", "Decoding", "EdgeRule", "EdgeSet", "GridScheme", "LoneNode", "Scheme", "TagSet", "maximal_cliques",
]  # fmt: skip

SCHEMES: dict[str, Callable[[], Scheme]] = {"grid": GridScheme, "grid-gaps": partial(GridScheme, edges=EdgeSet.GAPS)}
