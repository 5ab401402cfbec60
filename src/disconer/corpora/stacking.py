"""Sentences that a corpus gives one by one, put under one another as a document."""

from collections.abc import Sequence
from itertools import accumulate

from disconer.spans import Span
from disconer.tokenize import Layout


def stacked(texts: Sequence[str], words: Sequence[Sequence[Span]] | None = None) -> tuple[Layout, list[int]]:
    r"""Give a text of which every line is a sentence, and where each begins; with the words of each, where given.

    >>> layout, starts = stacked(["No rash.", "Hip pain."])
    >>> layout.text, layout.sentences, starts
    ('No rash.\nHip pain.', ((0, 8), (9, 18)), [0, 9])
    """
    starts = list(accumulate((len(text) + 1 for text in texts[:-1]), initial=0)) if texts else []
    sentences = tuple((start, start + len(text)) for start, text in zip(starts, texts, strict=True) if text)
    moved = words and [moved_by(start, spans) for start, spans in zip(starts, words, strict=True)]
    given_words = tuple(span for spans in moved for span in spans) if moved else None
    return Layout("\n".join(texts), given_words, sentences), starts


def moved_by(start: int, spans: Sequence[Span]) -> list[Span]:
    """Count from where the text begins instead of from where the sentence does."""
    return [(first + start, last + start) for first, last in spans]
