import sys

import pytest
from hypothesis import given

from disconer.tokenize import split_words
from tests.strategies import TEXTS


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Severe joint, pain.", ["Severe", "joint", ",", "pain", "."]),
        ("5.1 mg/dL", ["5", ".", "1", "mg", "/", "d", "L"]),
        ("BMP4 BMPs mRNA", ["BMP", "4", "BMP", "s", "m", "RNA"]),
        ("HTTPServer Xpd", ["HTTP", "Server", "Xpd"]),
        ("TNFα IL-1β", ["TNF", "α", "IL", "-", "1", "β"]),
        ("don't re-check", ["don", "'", "t", "re", "-", "check"]),
        ("cafe\u0301 E\u0301cole", ["cafe\u0301", "E\u0301cole"]),
        ("co\u00adoperate", ["co\u00adoperate"]),
        ("👩\u200d⚕\ufe0f🙂🇫🇷", ["👩\u200d⚕\ufe0f", "🙂", "🇫🇷"]),
        ("RNAs头痛 ok痛", ["RNA", "s", "头", "痛", "ok", "痛"]),
        ("头痛 頭痛がする", ["头", "痛", "頭", "痛", "が", "す", "る"]),
        ("١٢٣ мигрень", ["١٢٣", "мигрень"]),
        ("a\u200bb\ufeffc", ["a", "b", "c"]),
        ("", []),
        (" \t\r\n\u00a0\u2028", []),
    ],
)
def test_splits_finely(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_no_character_is_both_white_space_and_a_word() -> None:
    blanks = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    assert words("".join(blanks)) == []


@given(TEXTS)
def test_words_are_in_order_and_cover_everything_visible(text: str) -> None:
    covered = [index for start, end in split_words(text) for index in range(start, end)]
    assert covered == sorted(set(covered))
    invisible = {index for index, character in enumerate(text) if character.isspace() or not character.isprintable()}
    assert set(range(len(text))) - invisible <= set(covered)


@given(TEXTS)
def test_no_word_holds_white_space(text: str) -> None:
    assert not any(character.isspace() for word in words(text) for character in word)


@given(TEXTS, TEXTS, TEXTS)
def test_a_stretch_is_split_like_a_text_of_its_own(before: str, text: str, after: str) -> None:
    found = split_words(f"{before} {text} {after}", len(before) + 1, len(before) + 1 + len(text))
    assert [(start - len(before) - 1, end - len(before) - 1) for start, end in found] == split_words(text)


@pytest.mark.parametrize("hostile", ["🇫🇷", "A", "Aa", "a\u0301", "1", "漢", ".", "👩\u200d", "\u0301", " "])
def test_hostile_texts_take_no_more_than_their_length(hostile: str) -> None:
    """Anything worse than linear would keep this test from ever ending."""
    assert len(split_words(hostile * (300_000 // len(hostile)))) <= 300_000
