"""Words into pieces."""

import pytest
from hypothesis import given
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from disconer.document import Document
from disconer.encoders import subwords as subwords_module
from disconer.encoders.pretrained import pretrained
from disconer.encoders.reader import Reader
from disconer.encoders.settings import EncoderSettings
from disconer.encoders.subwords import Subwords, spaced_words
from disconer.encoders.tiny import tiny
from disconer.tokenize import Layout
from tests.strategies import documents


def test_words_take_the_blank_before_them_along() -> None:
    sentence = Document("Pain (severe), IL2  x").sentences[0]
    assert spaced_words(sentence) == ["Pain", " (", "severe", ")", ",", " IL", "2", " x"]


def test_byte_level_tokenizers_see_where_blanks_are() -> None:
    """Those of the GPT family have different pieces for words that follow a blank."""
    alphabet = {letter: number for number, letter in enumerate(pre_tokenizers.ByteLevel.alphabet())}
    tokenizer = Tokenizer(models.BPE(alphabet, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    subwords = Subwords.of(tokenizer, unknown=None, padding=None)
    assert (subwords.before, subwords.after) == ((), ())
    sentence = Document("joint-pain, é").sentences[0]
    pieces = [piece for word in subwords.split([sentence])[0] for piece in word]
    assert tokenizer.decode(pieces) == "joint-pain, é"


def test_what_a_tokenizer_makes_nothing_of_is_unknown() -> None:
    _, subwords = tiny()
    sentence = Document("a \u0001 b").sentences[0]
    assert [len(pieces) for pieces in subwords.split([sentence])[0]] == [1] * len(sentence.words)


def test_special_pieces_cannot_be_smuggled_in() -> None:
    """Not even as a word of its own, which annotated files may say it is."""
    _, reader = pretrained(EncoderSettings())
    assert isinstance(reader, Reader)
    document = Document(Layout("pain [SEP] x", given_words=((0, 4), (5, 10), (11, 12))))
    separator = reader.subwords.after[0]
    assert separator == reader.subwords.tokenizer.token_to_id("[SEP]")
    pieces = reader.pieces(document.sentences)[0]
    assert len(pieces) == 3
    assert separator not in pieces[1]


@given(documents())
def test_every_word_has_a_piece(document: Document) -> None:
    _, subwords = tiny()
    for sentence in document.sentences:
        pieces = subwords.split([sentence])[0]
        assert len(pieces) == len(sentence.words)
        assert all(pieces)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subwords_module, "_MOST_REMEMBERED", 5)
    _, subwords = tiny()
    sentences = [Document(f"a{letter} b{letter} c{letter}").sentences[0] for letter in "klmnopq"]
    expected = [subwords.split([sentence])[0] for sentence in sentences]
    assert len(subwords._known) <= 5 + 3
    assert [subwords.split([sentence])[0] for sentence in sentences] == expected
