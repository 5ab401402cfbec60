"""How mentions become labels and back, without a neural network."""

from collections.abc import Callable, Iterable
from typing import Protocol

from disconer.document import WordMention
from disconer.schemes.cliques import maximal_cliques
from disconer.schemes.grid import Decoding, EdgeRule, GridScheme, LoneNode, TagSet

__all__ = ["SCHEMES", "Decoding", "EdgeRule", "GridScheme", "LoneNode", "Scheme", "TagSet", "maximal_cliques"]


class Scheme(Protocol):
    """What every scheme can tell of itself: how much of the truth it can express."""

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Give what a perfect model would predict for a sentence with these mentions."""


SCHEMES: dict[str, Callable[[], Scheme]] = {"grid": GridScheme}
