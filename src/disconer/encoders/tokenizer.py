"""Words into what an encoder reads: the subwords of a transformer, or the characters of ELMo. Torch is not needed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from disconer.encoders.batch import Batch, Integers, SubwordIds, check_window, collate
from disconer.exceptions import InputError
from disconer.passage import Passage

if TYPE_CHECKING:
    import tokenizers

_CACHE_SIZE = 4_000_000
"""Characters of words whose subwords are kept, with some for each word itself: enough for a corpus, and a bound for a
service that never ends, whatever it is sent."""
_COST_OF_A_WORD = 12

CHARACTERS_A_WORD = 50
"""As published for ELMo: the beginning of a word, at most 48 bytes of UTF-8, its end, and padding."""
CHARACTERS = 262
"""A byte is its value and 1, the others below follow, and 0 is left for words that are padding."""
_BEGIN_OF_SENTENCE, _END_OF_SENTENCE, _BEGIN_OF_WORD, _END_OF_WORD, _PADDING = range(257, CHARACTERS)
ELMO_TYPE = "elmo"
"""In the place of a transformer's `model_type`; there is no transformer of this type."""
_PADDING_WORD, _FIRST_WORD, _LAST_WORD, _HIDDEN_WORD = range(4)
"""The rows of `Batch.character_ids` that every batch has; its own words follow."""


class Tokenizer(Protocol):
    """The way from sentences to the batch that an encoder reads."""

    @property
    def window(self) -> int:
        """Subwords read at once, the special ones around a text included."""

    @property
    def mask_id(self) -> int:
        """Stands in `Batch.input_ids` for a subword that is hidden in training."""

    def tokenize(self, sentences: Sequence[Passage]) -> list[list[SubwordIds]]:
        """Split every word of every sentence into subwords."""

    def collate(self, sentences: Sequence[Sequence[SubwordIds]]) -> Batch:
        """Lay out tokenized sentences for one pass of the encoder."""


@dataclass(frozen=True)
class SpecialIds:
    """The input ids that a transformer needs beside those of words."""

    before: SubwordIds
    """Opens what a transformer reads."""
    after: SubwordIds
    """Closes it."""
    unknown: int
    """Stands for a word that the tokenizer makes nothing of, such as a lone control character."""
    padding: int
    mask: int | None = None

    @classmethod
    def from_tokenizer(
        cls, tokenizer: "tokenizers.Tokenizer", unknown: int | None, padding: int | None, mask: int | None = None
    ) -> "SpecialIds":
        """Find out from a tokenizer what it puts around a text."""
        tokenizer.no_truncation()
        tokenizer.no_padding()
        framed, bare = tokenizer.encode("a"), tokenizer.encode("a", add_special_tokens=False)
        start = framed.special_tokens_mask.index(0) if 0 in framed.special_tokens_mask else 0
        before, after = tuple(framed.ids[:start]), tuple(framed.ids[start + len(bare.ids) :])
        if unknown is None:  # a tokenizer that knows every byte has no need of one
            unknown = bare.ids[0]
        return cls(before, after, unknown, 0 if padding is None else padding, mask)

    @classmethod
    def from_json(cls, before: Iterable[int], after: Iterable[int], unknown: int, padding: int) -> "SpecialIds":
        """Read what `as_json` wrote."""
        return cls(tuple(before), tuple(after), unknown, padding)

    def as_json(self) -> dict[str, Any]:
        """All but the mask, which only the training of a new model needs."""
        return {name: getattr(self, name) for name in ("before", "after", "unknown", "padding")}


class SubwordTokenizer:
    """Splits words into the subwords that a transformer knows, each word on its own, so that a cache holds them.

    A word takes the blank before it along: some transformers have different subwords for words that follow a blank.
    """

    def __init__(self, tokenizer: "tokenizers.Tokenizer", special: SpecialIds, window: int) -> None:
        check_window(window, len(special.before) + len(special.after))
        self.tokenizer = tokenizer
        self.special = special
        self.window = window
        self._cache: dict[str, SubwordIds] = {}
        self._cached = 0
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True  # "[SEP]" in a text is five letters and not the end of the text

    @classmethod
    def from_file(cls, path: Path, special: SpecialIds, window: int) -> "SubwordTokenizer":
        """Read a `tokenizer.json`; neither torch nor transformers is needed."""
        import tokenizers  # noqa: PLC0415 (only where text meets a transformer)

        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(path))
        except Exception:
            raise InputError("this is not a tokenizer that can be read", path=path) from None
        return cls(tokenizer, special, window)

    @property
    def mask_id(self) -> int:
        return self.special.unknown if self.special.mask is None else self.special.mask

    def tokenize(self, sentences: Sequence[Passage]) -> list[list[SubwordIds]]:
        """Split every word of every sentence into subwords."""
        spaced = [add_leading_spaces(sentence) for sentence in sentences]
        if self._cached > _CACHE_SIZE:
            self.clear_cache()
        self._fill_cache({word for words in spaced for word in words} - self._cache.keys())
        return [[self._cache[word] for word in words] for words in spaced]

    def collate(self, sentences: Sequence[Sequence[SubwordIds]]) -> Batch:
        """Lay out tokenized sentences for one pass of the transformer."""
        special = self.special
        return collate(sentences, special.before, special.after, special.padding, self.window)

    def clear_cache(self) -> None:
        self._cache.clear()
        self._cached = 0

    def _fill_cache(self, words: set[str]) -> None:
        ordered = sorted(words)
        encodings = self.tokenizer.encode_batch(ordered, add_special_tokens=False)
        for word, encoding in zip(ordered, encodings, strict=True):
            self._cache[word] = tuple(encoding.ids) or (self.special.unknown,)
            self._cached += len(word) + _COST_OF_A_WORD


def add_leading_spaces(sentence: Passage) -> list[str]:
    """The words, with a blank in front of those that follow white space."""
    text, words, previous_end = sentence.layout.text, [], sentence.start
    for start, end in sentence.word_spans:
        words.append(" " + text[start:end] if previous_end < start else text[start:end])
        previous_end = end
    return words


@dataclass(frozen=True)
class CharacterTokenizer:
    """Spells words for ELMo. Each is one subword, whose id is made of its letters: there is no vocabulary to keep."""

    window: int
    """Words read at once, those that open and close a text included."""

    def __post_init__(self) -> None:
        check_window(self.window, 2)

    @property
    def mask_id(self) -> int:
        """Stands for a word without letters."""
        return _HIDDEN_WORD

    def tokenize(self, sentences: Sequence[Passage]) -> list[list[SubwordIds]]:
        """Turn every word of every sentence into the number that its letters make."""
        return [[(_to_number(word),) for word in sentence.words] for sentence in sentences]

    def collate(self, sentences: Sequence[Sequence[SubwordIds]]) -> Batch:
        """Lay out tokenized sentences for one pass of ELMo, which spells each distinct word once."""
        distinct = dict.fromkeys(number for words in sentences for (number,) in words)
        rows = {number: row for row, number in enumerate(distinct, start=_HIDDEN_WORD + 1)}
        input_ids = [[(rows[number],) for (number,) in words] for words in sentences]
        batch = collate(input_ids, (_FIRST_WORD,), (_LAST_WORD,), _PADDING_WORD, self.window)
        return replace(batch, character_ids=_character_ids(list(map(_to_letters, distinct))))


def _to_number(word: str) -> int:
    """Make a number of a word's letters, those that ELMo does not read left out."""
    letters = word.encode("utf-8", "ignore")[: CHARACTERS_A_WORD - 2]
    return int.from_bytes(b"\x01" + letters, "big")  # the first byte keeps zeros that follow it


def _to_letters(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8, "big")[1:]


def _character_ids(words: Sequence[bytes]) -> Integers:
    """Spell the words that every batch has, and those of this one."""
    spellings = np.full((_HIDDEN_WORD + 1 + len(words), CHARACTERS_A_WORD), _PADDING, dtype=np.int64)
    spellings[_PADDING_WORD] = 0
    letters = {_FIRST_WORD: [_BEGIN_OF_SENTENCE], _LAST_WORD: [_END_OF_SENTENCE], _HIDDEN_WORD: []}
    letters |= {row: [byte + 1 for byte in word] for row, word in enumerate(words, start=len(letters) + 1)}
    for row, characters in letters.items():
        spellings[row, : len(characters) + 2] = (_BEGIN_OF_WORD, *characters, _END_OF_WORD)
    return spellings


def is_elmo(architecture: Mapping[str, Any]) -> bool:
    """Whether an architecture is an ELMo's, which goes with a `CharacterTokenizer` and without a tokenizer's file."""
    return architecture.get("model_type") == ELMO_TYPE
