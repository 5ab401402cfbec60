"""Words into letters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer.document import Document
from disconer.encoders.characters import CharacterReader
from disconer.encoders.packing import Integers, windows
from disconer.exceptions import InputError
from disconer.tokenize import Layout
from tests.strategies import documents

BEGIN, END, PADDING = 259, 260, 261


def spelled(text: str) -> list[list[int]]:
    """Give the characters of the words of a text, boundaries included, in the order in which they are read."""
    reader = CharacterReader(512)
    packed = reader.pack(reader.pieces(Document(text).sentences))
    assert packed.spellings is not None
    assert len(packed.pieces) == 1
    return packed.spellings[packed.pieces[0]].tolist()  # type: ignore[no-any-return]


def test_a_word_is_its_bytes_between_its_ends() -> None:
    """As the published code has it: the values of bytes, each raised by one."""
    first, pain, last = spelled("pain")
    assert first == [259, 257, 260, *[261] * 47]
    assert pain == [259, 113, 98, 106, 111, 260, *[261] * 44]
    assert last == [259, 258, 260, *[261] * 47]


def test_a_letter_may_have_several_bytes() -> None:
    assert spelled("né")[1] == [259, 111, 196, 170, 260, *[261] * 45]
    assert spelled("😀")[1] == [259, 241, 160, 153, 129, 260, *[261] * 44]


def test_of_a_very_long_word_the_beginning_is_read() -> None:
    _, word, _ = spelled("a" * 47 + "éb" * 100)
    assert word == [259, *[98] * 47, 196, 260]


def test_a_word_does_not_take_the_blank_before_it_along() -> None:
    assert spelled("in  pain")[2] == spelled("pain")[1]


def test_every_word_costs_the_same() -> None:
    reader = CharacterReader(512)
    assert [len(word) for word in reader.pieces(Document("a hepatosplenomegaly").sentences)[0]] == [1, 1]


def test_words_are_spelled_once_a_batch() -> None:
    reader = CharacterReader(512)
    packed = reader.pack(reader.pieces(Document("pain pain pain. No pain.").sentences))
    assert packed.spellings is not None
    assert len(packed.spellings) == 4 + len({"pain", ".", "No"})


def test_padding_is_a_word_of_zeros() -> None:
    reader = CharacterReader(512)
    packed = reader.pack(reader.pieces([Document(text).sentences[0] for text in ("severe pain", "pain")]))
    assert packed.spellings is not None
    assert packed.pieces[1].tolist()[-1] == 0
    assert not packed.is_piece[1, -1]
    assert packed.spellings[0].tolist() == [0] * 50


def test_a_hidden_word_has_no_letters() -> None:
    reader = CharacterReader(512)
    packed = reader.pack(reader.pieces(Document("severe joint pain").sentences))
    hidden = packed.with_hidden(np.array([False, True, False]), reader.mask)
    assert hidden.spellings is not None
    assert hidden.spellings[hidden.pieces[0, 2]].tolist() == [259, 260, *[261] * 48]
    changed = hidden.pieces != packed.pieces
    assert changed.tolist() == [[False, False, True, False, False]]


@pytest.mark.parametrize("window", [0, 1, 2])
def test_a_window_without_room_for_a_word_is_refused(window: int) -> None:
    with pytest.raises(InputError, match="above 2"):
        CharacterReader(window)


def test_every_window_has_its_boundaries() -> None:
    reader = CharacterReader(6)
    packed = reader.pack(reader.pieces(Document("a b c d e f g h i").sentences))
    assert len(packed.pieces) == len(list(windows(9, 4)))
    assert packed.pieces[:, 0].tolist() == [1] * len(packed.pieces)
    assert packed.pieces[:, -1].tolist() == [2] * len(packed.pieces)


def letters_of(spelling: Integers) -> bytes:
    """Read the bytes of a word back."""
    assert spelling[0] == BEGIN
    (end,) = np.flatnonzero(spelling == END)
    assert (spelling[end + 1 :] == PADDING).all()
    return bytes((spelling[1:end] - 1).tolist())


@given(st.lists(documents(), min_size=1, max_size=3), st.integers(3, 20))
def test_every_word_can_be_read_back(texts: list[Document], window: int) -> None:
    reader = CharacterReader(window)
    sentences = [sentence for document in texts for sentence in document.sentences]
    packed = reader.pack(reader.pieces(sentences))
    assert packed.spellings is not None
    found = [letters_of(packed.spellings[row]) for row in packed.pieces.flatten()[packed.places]]
    assert found == [word.encode()[:48] for sentence in sentences for word in sentence.words]
    assert packed.word_starts.tolist() == list(range(len(found)))


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=60), min_size=1, max_size=8))
def test_words_may_hold_any_character(words: list[str]) -> None:
    """Zeros, control characters and blanks too, where a file says what the words are."""
    ends = np.cumsum([len(word) for word in words]).tolist()
    layout = Layout("".join(words), given_words=tuple(zip([0, *ends[:-1]], ends, strict=True)))
    reader, sentences = CharacterReader(512), Document(layout).sentences
    packed = reader.pack(reader.pieces(sentences))
    assert packed.spellings is not None
    found = [letters_of(packed.spellings[row]) for row in packed.pieces.flatten()[packed.places]]
    assert found == [word.encode()[:48] for sentence in sentences for word in sentence.words]
