"""Words into the pieces that a transformer knows."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from disconer.document import Reading
from disconer.exceptions import InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Pieces = tuple[int, ...]
"""The pieces of a word."""

_MOST_REMEMBERED = 4_000_000
"""Characters of words whose pieces are kept, with some for each word itself: enough for a corpus, and a bound for a
service that never ends, whatever it is sent."""
_COST_OF_A_WORD = 12


class Subwords:
    """Splits words into pieces, each word on its own, so that a word's pieces are looked up once and remembered.

    A word takes the blank before it along: some transformers have different pieces for words that follow a blank.
    """

    def __init__(
        self,
        tokenizer: "Tokenizer",
        before: Pieces,
        after: Pieces,
        unknown: int,
        padding: int,
        mask: int | None = None,
    ) -> None:
        self.tokenizer = tokenizer
        self.before = before
        """The pieces that open what a transformer reads."""
        self.after = after
        """The pieces that close it."""
        self.unknown = unknown
        """Stands for a word that the tokenizer makes nothing of, such as a lone control character."""
        self.padding = padding
        self.mask = unknown if mask is None else mask
        """Stands for a piece that is hidden in training."""
        self._known: dict[str, Pieces] = {}
        self._remembered = 0
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True  # "[SEP]" in a text is five letters and not the end of the text

    @classmethod
    def of(
        cls, tokenizer: "Tokenizer", unknown: int | None, padding: int | None, mask: int | None = None
    ) -> "Subwords":
        """Find out from a tokenizer what it puts around a text."""
        tokenizer.no_truncation()
        tokenizer.no_padding()
        framed, bare = tokenizer.encode("a"), tokenizer.encode("a", add_special_tokens=False)
        start = framed.special_tokens_mask.index(0) if 0 in framed.special_tokens_mask else 0
        before, after = tuple(framed.ids[:start]), tuple(framed.ids[start + len(bare.ids) :])
        if unknown is None:  # a tokenizer that knows every byte has no need of one
            unknown = bare.ids[0]
        return cls(tokenizer, before, after, unknown, 0 if padding is None else padding, mask)

    @classmethod
    def from_file(
        cls, path: Path, before: Iterable[int], after: Iterable[int], unknown: int, padding: int
    ) -> "Subwords":
        """Read a `tokenizer.json`; neither torch nor transformers is needed."""
        from tokenizers import Tokenizer  # noqa: PLC0415 (only where text meets a transformer)

        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception:
            raise InputError("this is not a tokenizer that can be read", path=path) from None
        return cls(tokenizer, tuple(before), tuple(after), unknown, padding)

    def split(self, sentences: Sequence[Reading]) -> list[list[Pieces]]:
        """Give the pieces of every word of every sentence."""
        spaced = [spaced_words(sentence) for sentence in sentences]
        if self._remembered > _MOST_REMEMBERED:
            self.forget()
        self._learn({word for words in spaced for word in words} - self._known.keys())
        return [[self._known[word] for word in words] for words in spaced]

    def forget(self) -> None:
        """Remember no word's pieces any longer."""
        self._known.clear()
        self._remembered = 0

    def _learn(self, words: set[str]) -> None:
        ordered = sorted(words)
        encodings = self.tokenizer.encode_batch(ordered, add_special_tokens=False)
        for word, encoding in zip(ordered, encodings, strict=True):
            self._known[word] = tuple(encoding.ids) or (self.unknown,)
            self._remembered += len(word) + _COST_OF_A_WORD


def spaced_words(sentence: Reading) -> list[str]:
    """Give the words, a blank in front of those that follow white space."""
    text, words, previous_end = sentence.layout.text, [], sentence.start
    for start, end in sentence.word_spans:
        words.append(" " + text[start:end] if previous_end < start else text[start:end])
        previous_end = end
    return words
