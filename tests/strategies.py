"""Random texts and documents for property tests."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import strategies as st

from disconer import Document, Mention
from disconer.foundation.spans import Span
from disconer.passage import WordMention
from disconer.tokenize import Layout

# Characters that trip up code that counts bytes, UTF-16 units or graphemes, that trims or that splits lines.
CHARACTERS = st.one_of(
    st.sampled_from("abcXYZ019 .,-;:|\t\n\r\v\f\x85\u2028\u00a0\u00ad\u0301\u200b\u200d\ufeff\x1c🙂👩⚕️é漢字ก"),
    st.characters(codec="utf-8"),
)
TEXTS = st.text(CHARACTERS, max_size=60)
LABELS = st.text(CHARACTERS, min_size=1, max_size=8)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3),
    max_leaves=5,
)


@st.composite
def spans(draw: st.DrawFn, length: int, at_most: int = 4) -> list[Span]:
    """Draw stretches of a text in order, without overlap, possibly touching."""
    cuts = sorted(draw(st.sets(st.integers(0, length), max_size=2 * at_most)))
    return [pair for pair in pairwise(cuts) if draw(st.booleans())]


def extras(known: Sequence[str]) -> st.SearchStrategy[dict[str, object]]:
    """Draw unknown keys with any value."""
    keys = st.text(max_size=5).filter(lambda key: key not in known)
    return st.dictionaries(keys, JSON, max_size=2)


@st.composite
def mentions(draw: st.DrawFn, layout: Layout, labels: st.SearchStrategy[str] = LABELS) -> Mention:
    """Draw a mention of a text that is not empty, its fragments in any order."""
    length = len(layout.text)
    fragments = draw(spans(length).filter(bool) | st.just([(0, length)]))
    score = draw(st.none() | st.floats(0, 1))
    known = ("label", "spans", "score")
    return Mention(draw(labels), draw(st.permutations(fragments)), layout, score, draw(extras(known)))


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Draw a text, sometimes with given words, sentences, or both."""
    text = draw(TEXTS)
    words = draw(st.none() | spans(len(text)))
    sentences = draw(st.none() | spans(len(text)))
    if words is not None and sentences is not None:
        words = [word for word in words if any(start <= word[0] and word[1] <= end for start, end in sentences)]
    return Layout(text, None if words is None else tuple(words), None if sentences is None else tuple(sentences))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a document with everything that JSONL can hold."""
    layout = draw(layouts())
    found = draw(st.lists(mentions(layout), max_size=4)) if layout.text else []
    identifier = draw(st.none() | st.integers() | st.text(CHARACTERS, max_size=10))
    return Document(layout, found, identifier, draw(extras(("id", "text", "entities", "sentences", "words"))))


@st.composite
def word_mentions(draw: st.DrawFn, words: int, labels: Sequence[str] = ("A", "B")) -> WordMention:
    """Draw a mention of a sentence with that many words: segments in order, at least one word between two."""
    cuts = sorted(draw(st.sets(st.integers(0, words), min_size=2, max_size=6)))
    segments = [(start, end - 1) for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
    return WordMention(draw(st.sampled_from(labels)), tuple(segments))
