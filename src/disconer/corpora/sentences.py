"""Sentences of a corpus: those given one by one stacked into a document, and documents cut into sentences."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from disconer.corpora.ledger import Ledger, describe
from disconer.document import Document, Mention, Sentence
from disconer.foundation.spans import Span
from disconer.tokenize import Layout


def stack(texts: Sequence[str], words: Sequence[Sequence[Span]] | None = None) -> tuple[Layout, list[int]]:
    r"""Make a text with a sentence on every line, with the words of each if given; also returns where each begins.

    >>> layout, starts = stack(["No rash.", "Hip pain."])
    >>> layout.text, layout.sentences, starts
    ('No rash.\nHip pain.', ((0, 8), (9, 18)), [0, 9])
    """
    starts = list(accumulate((len(text) + 1 for text in texts[:-1]), initial=0)) if texts else []
    sentences = tuple((start, start + len(text)) for start, text in zip(starts, texts, strict=True) if text)
    moved = words and [shift(start, spans) for start, spans in zip(starts, words, strict=True)]
    given_words = tuple(span for spans in moved for span in spans) if moved else None
    return Layout("\n".join(texts), given_words, sentences), starts


def shift(start: int, spans: Sequence[Span]) -> list[Span]:
    """Count from where the text begins instead of from where the sentence does."""
    return [(first + start, last + start) for first, last in spans]


def cut(document: Document, ledger: Ledger) -> Iterator[Document]:
    """Make every sentence of a document a document of its own, and report the mentions that lie in none."""
    place = f"document {document.id}"
    for mention in document.cross_sentence:
        why = "cross-sentence" if mention.word_indices else "of blanks alone"
        ledger.skip(why, f"{place} {describe(mention)}")
    _report_repeated(document.mentions, place, ledger)
    for sentence in document.sentences:
        if sentence.word_spans:
            yield _make_document(sentence, document, ledger)


def _report_repeated(mentions: Iterable[Mention], place: str, ledger: Ledger) -> None:
    seen = set()
    for mention in mentions:
        if mention.key in seen:
            ledger.skip("duplicate of another mention", f"{place} {describe(mention)}")
        seen.add(mention.key)


def _make_document(sentence: Sentence, document: Document, ledger: Ledger) -> Document:
    start, end = sentence.start, sentence.end
    words = None if document.layout.given_words is None else tuple(_move_inside(sentence.word_spans, start, end))
    layout = Layout(sentence.text, words)
    whole = ((0, end - start),)
    if layout.sentences != whole:  # reading would split a text with a line break
        layout = Layout(sentence.text, words, whole)
    mentions = []
    for mention in sentence.mentions:
        if mention.start < start or mention.end > end:
            ledger.change("blanks around a sentence, trimmed", f"document {document.id} {describe(mention)}")
        spans = _move_inside(((fragment.start, fragment.end) for fragment in mention.fragments), start, end)
        mentions.append(Mention(mention.label, spans, layout, mention.score, mention.extras))
    _report_repeated(mentions, f"document {document.id} from {start} on,", ledger)
    alone = Document(layout, mentions, f"{document.id}:{start}-{end}")
    return alone.with_mentions(alone.unique_mentions)


def _move_inside(spans: Iterable[Span], start: int, end: int) -> list[Span]:
    """Count from the beginning of a sentence, and leave out what reaches over its ends."""
    inside = ((max(first, start), min(last, end)) for first, last in spans)
    return [(first - start, last - start) for first, last in inside if first < last]
