import pytest
from hypothesis import given

from disconer import Document, Fragment
from disconer.foundation.characters import character_edges, columns, printable, whole_characters
from tests.strategies import TEXTS, documents


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("", [0]),
        ("e\u0301a", [0, 2, 3]),
        ("👩\u200d⚕\ufe0f!", [0, 4, 5]),
        ("🇩🇪🇫🇷", [0, 2, 4]),
        ("a\r\nb", [0, 1, 3, 4]),
    ],
)
def test_what_readers_see_as_one_character_is_one(text: str, edges: list[int]) -> None:
    assert character_edges(text) == edges


@given(TEXTS)
def test_the_edges_lead_through_the_whole_text(text: str) -> None:
    edges = character_edges(text)
    assert edges == sorted(set(edges))
    assert (edges[0], edges[-1]) == (0, len(text))


def test_fragments_inside_one_character_become_that_character() -> None:
    edges = character_edges("👩\u200d⚕\ufe0f ok")
    assert whole_characters([Fragment(0, 1), Fragment(2, 3), Fragment(5, 7)], edges) == [(0, 4), (5, 7)]


@given(documents())
def test_whole_characters_hold_the_fragments(document: Document) -> None:
    edges = character_edges(document.text)
    for mention in document:
        spans = whole_characters(mention.fragments, edges)
        assert {offset for span in spans for offset in span} <= set(edges)
        assert all(any(start <= a and b <= end for start, end in spans) for a, b in mention.fragments)


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("pain", 4), ("頭痛", 4), ("e\u0301", 1), ("👩\u200d⚕\ufe0f", 2), ("👍🏽", 2), ("ｱ", 1)],
)
def test_columns(text: str, width: int) -> None:
    assert columns(text) == width


def test_printable_leaves_nothing_that_a_terminal_obeys() -> None:
    assert printable("a\x1b[31m\n\u202eé漢") == "a\\x1b[31m\\n\\u202eé漢"
