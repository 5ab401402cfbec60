"""Words into the letters that ELMo reads.

A piece is a whole word here: a number that is made of the word's letters, so that there is no vocabulary to be kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from disconer.document import Reading
from disconer.encoders.packing import Integers, Packed, check_window, pack
from disconer.encoders.subwords import Pieces

LENGTH = 50
"""Characters of a word, as published: its beginning, at most 48 bytes of UTF-8, its end, and padding."""
CHARACTERS = 262
"""A byte is its value and 1, the others below follow, and 0 is left for words that are padding."""
_BEGIN_OF_SENTENCE, _END_OF_SENTENCE, _BEGIN_OF_WORD, _END_OF_WORD, _PADDING = range(257, CHARACTERS)
_PADDING_WORD, _FIRST_WORD, _LAST_WORD, _HIDDEN_WORD = range(4)
"""The rows of `Packed.spellings` that every batch has; its own words follow."""


@dataclass(frozen=True)
class CharacterReader:
    """Spells words, each a piece of its own."""

    window: int
    """Words read at once, those that open and close a text included."""

    def __post_init__(self) -> None:
        check_window(self.window, 2)

    @property
    def mask(self) -> int:
        """Stands for a word that is hidden in training: one without letters."""
        return _HIDDEN_WORD

    def pieces(self, sentences: Sequence[Reading]) -> list[list[Pieces]]:
        """Give the one piece of every word of every sentence."""
        return [[(_as_number(word),) for word in sentence.words] for sentence in sentences]

    def pack(self, sentences: Sequence[Sequence[Pieces]]) -> Packed:
        """Lay out sentences, as `pieces` gives them, for one pass of the encoder."""
        distinct = dict.fromkeys(piece for words in sentences for (piece,) in words)
        rows = {piece: row for row, piece in enumerate(distinct, start=_HIDDEN_WORD + 1)}
        numbered = [[(rows[piece],) for (piece,) in words] for words in sentences]
        packed = pack(numbered, (_FIRST_WORD,), (_LAST_WORD,), _PADDING_WORD, self.window)
        return replace(packed, spellings=_spellings(list(map(_letters, distinct))))


def _as_number(word: str) -> int:
    """Make a number of a word's letters, those that ELMo does not read left out."""
    letters = word.encode("utf-8", "ignore")[: LENGTH - 2]
    return int.from_bytes(b"\x01" + letters, "big")  # the first byte keeps zeros that follow it


def _letters(piece: int) -> bytes:
    return piece.to_bytes((piece.bit_length() + 7) // 8, "big")[1:]


def _spellings(words: Sequence[bytes]) -> Integers:
    """Give the characters of the words that every batch has, and of its own."""
    spellings = np.full((_HIDDEN_WORD + 1 + len(words), LENGTH), _PADDING, dtype=np.int64)
    spellings[_PADDING_WORD] = 0
    letters = {_FIRST_WORD: [_BEGIN_OF_SENTENCE], _LAST_WORD: [_END_OF_SENTENCE], _HIDDEN_WORD: []}
    letters |= {row: [byte + 1 for byte in word] for row, word in enumerate(words, start=len(letters) + 1)}
    for row, characters in letters.items():
        spellings[row, : len(characters) + 2] = (_BEGIN_OF_WORD, *characters, _END_OF_WORD)
    return spellings
