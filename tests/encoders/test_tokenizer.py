"""Words into subwords, and into letters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from disconer.document import Document
from disconer.encoders import tokenizer as tokenizer_module
from disconer.encoders.batch import Integers, windows
from disconer.encoders.pretrained import load_encoder
from disconer.encoders.settings import EncoderSettings
from disconer.encoders.tokenizer import CharacterTokenizer, SpecialIds, SubwordTokenizer, add_leading_spaces
from disconer.exceptions import InputError
from disconer.tokenize import Layout
from tests.strategies import documents

BEGIN, END, PADDING = 259, 260, 261


def test_words_take_the_blank_before_them_along() -> None:
    sentence = Document("Pain (severe), IL2  x").sentences[0]
    assert add_leading_spaces(sentence) == ["Pain", " (", "severe", ")", ",", " IL", "2", " x"]


def test_byte_level_tokenizers_see_where_blanks_are() -> None:
    """Those of the GPT family have different subwords for words that follow a blank."""
    alphabet = {letter: number for number, letter in enumerate(pre_tokenizers.ByteLevel.alphabet())}
    tokenizer = Tokenizer(models.BPE(alphabet, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = SpecialIds.from_tokenizer(tokenizer, unknown=None, padding=None)
    assert (special.before, special.after) == ((), ())
    sentence = Document("joint-pain, é").sentences[0]
    words = SubwordTokenizer(tokenizer, special, window=512).tokenize([sentence])[0]
    assert tokenizer.decode([subword for word in words for subword in word]) == "joint-pain, é"


def test_what_a_tokenizer_makes_nothing_of_is_unknown() -> None:
    _, tokenizer = load_encoder(EncoderSettings("tiny"))
    sentence = Document("a \u0001 b").sentences[0]
    assert [len(word) for word in tokenizer.tokenize([sentence])[0]] == [1] * len(sentence.words)


def test_special_subwords_cannot_be_smuggled_in() -> None:
    """Not even as a word of its own, which annotated files may say it is."""
    _, tokenizer = load_encoder(EncoderSettings())
    assert isinstance(tokenizer, SubwordTokenizer)
    document = Document(Layout("pain [SEP] x", given_words=((0, 4), (5, 10), (11, 12))))
    separator = tokenizer.special.after[0]
    assert separator == tokenizer.tokenizer.token_to_id("[SEP]")
    words = tokenizer.tokenize(document.sentences)[0]
    assert len(words) == 3
    assert separator not in words[1]


@given(documents())
def test_every_word_has_a_subword(document: Document) -> None:
    _, tokenizer = load_encoder(EncoderSettings("tiny"))
    for sentence in document.sentences:
        words = tokenizer.tokenize([sentence])[0]
        assert len(words) == len(sentence.words)
        assert all(words)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_module, "_CACHE_SIZE", 5)
    _, tokenizer = load_encoder(EncoderSettings("tiny"))
    assert isinstance(tokenizer, SubwordTokenizer)
    sentences = [Document(f"a{letter} b{letter} c{letter}").sentences[0] for letter in "klmnopq"]
    expected = [tokenizer.tokenize([sentence])[0] for sentence in sentences]
    assert len(tokenizer._cache) <= 5 + 3
    assert [tokenizer.tokenize([sentence])[0] for sentence in sentences] == expected


def spell(text: str) -> list[list[int]]:
    """The characters of the words of a text, boundaries included, in the order in which they are read."""
    tokenizer = CharacterTokenizer(512)
    batch = tokenizer.collate(tokenizer.tokenize(Document(text).sentences))
    assert batch.character_ids is not None
    assert len(batch.input_ids) == 1
    return batch.character_ids[batch.input_ids[0]].tolist()  # type: ignore[no-any-return]


def test_a_word_is_its_bytes_between_its_ends() -> None:
    """As the published code has it: the values of bytes, each raised by one."""
    first, pain, last = spell("pain")
    assert first == [259, 257, 260, *[261] * 47]
    assert pain == [259, 113, 98, 106, 111, 260, *[261] * 44]
    assert last == [259, 258, 260, *[261] * 47]


def test_a_letter_may_have_several_bytes() -> None:
    assert spell("né")[1] == [259, 111, 196, 170, 260, *[261] * 45]
    assert spell("😀")[1] == [259, 241, 160, 153, 129, 260, *[261] * 44]


def test_of_a_very_long_word_the_beginning_is_read() -> None:
    _, word, _ = spell("a" * 47 + "éb" * 100)
    assert word == [259, *[98] * 47, 196, 260]


def test_a_word_does_not_take_the_blank_before_it_along() -> None:
    assert spell("in  pain")[2] == spell("pain")[1]


def test_every_word_costs_the_same() -> None:
    tokenizer = CharacterTokenizer(512)
    assert [len(word) for word in tokenizer.tokenize(Document("a hepatosplenomegaly").sentences)[0]] == [1, 1]


def test_words_are_spelled_once_a_batch() -> None:
    tokenizer = CharacterTokenizer(512)
    batch = tokenizer.collate(tokenizer.tokenize(Document("pain pain pain. No pain.").sentences))
    assert batch.character_ids is not None
    assert len(batch.character_ids) == 4 + len({"pain", ".", "No"})


def test_padding_is_a_word_of_zeros() -> None:
    tokenizer = CharacterTokenizer(512)
    batch = tokenizer.collate(tokenizer.tokenize([Document(text).sentences[0] for text in ("severe pain", "pain")]))
    assert batch.character_ids is not None
    assert batch.input_ids[1].tolist()[-1] == 0
    assert not batch.attention_mask[1, -1]
    assert batch.character_ids[0].tolist() == [0] * 50


def test_a_hidden_word_has_no_letters() -> None:
    tokenizer = CharacterTokenizer(512)
    batch = tokenizer.collate(tokenizer.tokenize(Document("severe joint pain").sentences))
    hidden = batch.mask_subwords(np.array([False, True, False]), tokenizer.mask_id)
    assert hidden.character_ids is not None
    assert hidden.character_ids[hidden.input_ids[0, 2]].tolist() == [259, 260, *[261] * 48]
    changed = hidden.input_ids != batch.input_ids
    assert changed.tolist() == [[False, False, True, False, False]]


@pytest.mark.parametrize("window", [0, 1, 2])
def test_a_window_without_room_for_a_word_is_refused(window: int) -> None:
    with pytest.raises(InputError, match="above 2"):
        CharacterTokenizer(window)


def test_every_window_has_its_boundaries() -> None:
    tokenizer = CharacterTokenizer(6)
    batch = tokenizer.collate(tokenizer.tokenize(Document("a b c d e f g h i").sentences))
    assert len(batch.input_ids) == len(list(windows(9, 4)))
    assert batch.input_ids[:, 0].tolist() == [1] * len(batch.input_ids)
    assert batch.input_ids[:, -1].tolist() == [2] * len(batch.input_ids)


def letters_of(spelling: Integers) -> bytes:
    """Read the bytes of a word back."""
    assert spelling[0] == BEGIN
    (end,) = np.flatnonzero(spelling == END)
    assert (spelling[end + 1 :] == PADDING).all()
    return bytes((spelling[1:end] - 1).tolist())


@given(st.lists(documents(), min_size=1, max_size=3), st.integers(3, 20))
def test_every_word_can_be_read_back(texts: list[Document], window: int) -> None:
    tokenizer = CharacterTokenizer(window)
    sentences = [sentence for document in texts for sentence in document.sentences]
    batch = tokenizer.collate(tokenizer.tokenize(sentences))
    assert batch.character_ids is not None
    found = [letters_of(batch.character_ids[row]) for row in batch.input_ids.flatten()[batch.subword_positions]]
    assert found == [word.encode()[:48] for sentence in sentences for word in sentence.words]
    assert batch.word_starts.tolist() == list(range(len(found)))


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=60), min_size=1, max_size=8))
def test_words_may_hold_any_character(words: list[str]) -> None:
    """Zeros, control characters and blanks too, where a file says what the words are."""
    ends = np.cumsum([len(word) for word in words]).tolist()
    layout = Layout("".join(words), given_words=tuple(zip([0, *ends[:-1]], ends, strict=True)))
    tokenizer, sentences = CharacterTokenizer(512), Document(layout).sentences
    batch = tokenizer.collate(tokenizer.tokenize(sentences))
    assert batch.character_ids is not None
    found = [letters_of(batch.character_ids[row]) for row in batch.input_ids.flatten()[batch.subword_positions]]
    assert found == [word.encode()[:48] for sentence in sentences for word in sentence.words]
