"""Tokens: the words of a text and what is between them as spaCy sees it, and the other way round."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from disconer.spans import Span
from disconer.tokenize import Layout, Split
from disconer.tokenize.words import split_words


def tokens_of(layout: Layout) -> list[Span]:
    """Cut a text into tokens: its words, those outside the words and sentences that were given, and what is between.

    >>> tokens_of(Layout("Joint  pain ."))
    [(0, 5), (6, 7), (7, 11), (12, 13)]
    """
    tokens: list[Span] = []
    position = 0
    for start, end in (*layout.words, (len(layout.text), len(layout.text))):
        for word in (*split_words(layout.text, position, start), (start, end)):
            tokens += (span for span in (_between(layout.text, position, word[0]), word) if span[0] < span[1])
            position = word[1]
    return tokens


def bare_doc(layout: Layout, tokens: Sequence[Span], vocabulary: Any) -> Any:
    """Make a Doc that has nothing but tokens and sentences."""
    from spacy.tokens import Doc  # noqa: PLC0415 (only imported where it is needed)

    end_of_text = (len(layout.text), len(layout.text))
    words = [layout.text[start:end] for start, end in tokens]
    spaces = [end < start for (_, end), (start, _) in pairwise((*tokens, end_of_text))]
    return Doc(vocabulary, words=words, spaces=spaces, sent_starts=_sentence_starts(layout, tokens))


def is_seen_as(doc: Any, layout: Layout) -> bool:
    """Tell whether a text would become a Doc with the same tokens and sentences."""
    tokens = tokens_of(layout)
    starts = [token.i == 0 or bool(token.is_sent_start) for token in doc]
    return tokens == places(doc) and _sentence_starts(layout, tokens) == starts


def words_and_sentences(doc: Any) -> dict[str, list[Span] | None]:
    """Give the tokens that are not white space, and what they are of the sentences, if any are marked."""
    if not doc.has_annotation("SENT_START"):
        return {"words": _words(doc), "sentences": None}
    sentences = [words for sentence in doc.sents if (words := _words(sentence))]
    return {"words": _words(doc), "sentences": [(words[0][0], words[-1][1]) for words in sentences]}


def layout_of(doc: Any) -> Layout:
    """See the text of a Doc as its tokens and sentences; those that nobody marked are looked for."""
    seen = words_and_sentences(doc)
    words, sentences = (None if spans is None else tuple(spans) for spans in (seen["words"], seen["sentences"]))
    return Layout(doc.text, words, sentences, Split.ALWAYS)


def places(tokens: Iterable[Any]) -> list[Span]:
    """Give where tokens are in the text."""
    return [(token.idx, token.idx + len(token)) for token in tokens]


def _words(tokens: Iterable[Any]) -> list[Span]:
    return places(token for token in tokens if not token.text.isspace())


def _between(text: str, start: int, end: int) -> Span:
    """Give what lies between two words without the single spaces that spaCy counts as part of the token before them."""
    start += start > 0 and text.startswith(" ", start, end)
    return start, end - (end - start > 1 and text[end - 1] == " ")


def _sentence_starts(layout: Layout, tokens: Sequence[Span]) -> list[bool | int | None]:
    """Tell for each token whether a sentence begins with it; in spaCy one does with the first."""
    token_starts = [start for start, _ in tokens]
    beginning = {0, *(bisect_left(token_starts, start) for start, _ in layout.sentences)}
    return [index in beginning for index in range(len(tokens))]
