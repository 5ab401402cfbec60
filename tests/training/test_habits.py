"""How a corpus coordinates."""

from random import Random

import pytest

from disconer import Document
from disconer.training.habits import Habits, find_patterns


def mark(text: str, *mentions: str) -> Document:
    """A document whose mentions are listed by their words, each of which the text has once."""
    return Document(text, [("ADR", [(text.index(word), text.index(word) + len(word)) for word in own.split()])
                           for own in mentions])  # fmt: skip


def patterns_of(document: Document) -> list[tuple[int, int, list[str]]]:
    return [
        (start, end, [piece.text for piece in connectors])
        for start, end, connectors in find_patterns(document.sentences[0])
    ]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (mark("back as well as hip pain", "back pain", "hip pain"), (0, 1, [" as well as "])),
        (mark("dry eyes or lips", "dry eyes", "dry lips"), (1, 0, [" or "])),
        (mark("dry eyes, lips and skin", "dry eyes", "dry lips", "dry skin"), (1, 0, [", ", " and "])),
        (mark("left and right upper arm pain", "left upper arm pain", "right upper arm pain"), (0, 3, [" and "])),
        (mark("severe back or hip pain", "severe back pain", "severe hip pain"), (1, 1, [" or "])),
        (mark("sore left toe/right eye", "sore left toe", "sore right eye"), (1, 0, ["/"])),
    ],
)
def test_what_mentions_share_and_what_joins_the_rest(document: Document, expected: tuple[int, int, list[str]]) -> None:
    assert patterns_of(document) == [expected]


@pytest.mark.parametrize(
    "document",
    [
        mark("dry eyes; no other findings but lips", "dry eyes", "dry lips"),  # no connector is so long
        mark("dry eyes (and lips", "dry eyes", "dry lips"),
        mark("dry eyes and dull lips", "dry eyes", "dull lips"),
        mark("dry or sore eyes or lips", "dry eyes", "dry lips"),  # what is shared does not touch the rest
        mark("dry eyes and lips", "dry lips"),
        mark("a b c d e and f", "a b c d e", "a b c d f"),  # too much is shared
    ],
)
def test_what_is_no_coordination(document: Document) -> None:
    assert patterns_of(document) == []


def test_two_coordinations_of_a_sentence_are_two_patterns() -> None:
    document = mark("back and hip pain; dry eyes or lips", "back pain", "hip pain", "dry eyes", "dry lips")
    assert sorted(patterns_of(document)) == [(0, 1, [" and "]), (1, 0, [" or "])]


def test_what_joins_words_only_once_is_not_imitated() -> None:
    often = [mark("back or hip pain", "back pain", "hip pain")] * 20
    once = mark("back versus hip pain", "back pain", "hip pain")
    habits = Habits.of(document.sentences[0] for document in (*often, once))
    assert {habits.draw(Random(seed)).connectors[0].text for seed in range(200)} == {" or "}
