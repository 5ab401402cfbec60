"""From sentences to what a transformer reads."""

from collections.abc import Sequence
from dataclasses import dataclass

from disconer.document import Reading
from disconer.encoders.packing import Packed, pack
from disconer.encoders.subwords import Pieces, Subwords
from disconer.exceptions import InputError


@dataclass(frozen=True)
class Reader:
    """The tokenizer of a transformer, and how much the transformer takes at once."""

    subwords: Subwords
    window: int
    """Pieces read at once, those that open and close a text included."""

    def __post_init__(self) -> None:
        frame = len(self.subwords.before) + len(self.subwords.after)
        if self.window <= frame:
            raise InputError(f"encoder.window must be above {frame}, the pieces around a text, not {self.window}")

    def pieces(self, sentences: Sequence[Reading]) -> list[list[Pieces]]:
        """Give the pieces of every word of every sentence."""
        return self.subwords.split(sentences)

    def pack(self, sentences: Sequence[Sequence[Pieces]]) -> Packed:
        """Lay out sentences, as `pieces` gives them, for one pass of the transformer."""
        return pack(sentences, self.subwords, self.window)
