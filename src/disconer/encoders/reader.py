"""From sentences to what an encoder reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from disconer.document import Reading
from disconer.encoders.packing import Packed, check_window, pack
from disconer.encoders.subwords import Pieces, Subwords


class TextReader(Protocol):
    """The way from sentences to what an encoder reads, whatever its pieces are."""

    @property
    def window(self) -> int:
        """Pieces read at once, those that open and close a text included."""

    @property
    def mask(self) -> int:
        """What stands, in `Packed.pieces`, for a piece that is hidden in training."""

    def pieces(self, sentences: Sequence[Reading]) -> list[list[Pieces]]:
        """Give the pieces of every word of every sentence."""

    def pack(self, sentences: Sequence[Sequence[Pieces]]) -> Packed:
        """Lay out sentences, as `pieces` gives them, for one pass of the encoder."""


@dataclass(frozen=True)
class Reader:
    """The tokenizer of a transformer, and how much the transformer takes at once."""

    subwords: Subwords
    window: int
    """Pieces read at once, those that open and close a text included."""

    def __post_init__(self) -> None:
        check_window(self.window, len(self.subwords.before) + len(self.subwords.after))

    @property
    def mask(self) -> int:
        return self.subwords.mask

    def pieces(self, sentences: Sequence[Reading]) -> list[list[Pieces]]:
        """Give the pieces of every word of every sentence."""
        return self.subwords.split(sentences)

    def pack(self, sentences: Sequence[Sequence[Pieces]]) -> Packed:
        """Lay out sentences, as `pieces` gives them, for one pass of the transformer."""
        subwords = self.subwords
        return pack(sentences, subwords.before, subwords.after, subwords.padding, self.window)
