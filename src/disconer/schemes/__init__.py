"""How mentions become labels and back, without a neural network."""

from collections.abc import Callable

from disconer.schemes.cliques import maximal_cliques
from disconer.schemes.grid import EdgeRule, GridScheme, LoneNode, TagSet
from disconer.schemes.scheme import Decoding, Scheme

__all__ = ["SCHEMES", "Decoding", "EdgeRule", "GridScheme", "LoneNode", "Scheme", "TagSet", "maximal_cliques"]

SCHEMES: dict[str, Callable[[], Scheme]] = {"grid": GridScheme}
