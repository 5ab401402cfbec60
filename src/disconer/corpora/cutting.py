"""Whole documents cut into sentences, each a document of its own."""

from collections.abc import Iterable, Iterator

from disconer.corpora.ledger import Ledger, described
from disconer.document import Document, Mention, Sentence
from disconer.spans import Span
from disconer.tokenize import Layout


def cut(document: Document, ledger: Ledger) -> Iterator[Document]:
    """Give the sentences of a document under its id and their place in it; mentions that lie in none are told."""
    place = f"document {document.id}"
    for mention in document.cross_sentence:
        why = "cross-sentence" if mention.word_indices else "of blanks alone"
        ledger.skip(why, f"{place} {described(mention)}")
    _tell_repeated(document.mentions, place, ledger)
    for sentence in document.sentences:
        if sentence.word_spans:
            yield _alone(sentence, document, ledger)


def _tell_repeated(mentions: Iterable[Mention], place: str, ledger: Ledger) -> None:
    seen = set()
    for mention in mentions:
        if mention.key in seen:
            ledger.skip("duplicate of another mention", f"{place} {described(mention)}")
        seen.add(mention.key)


def _alone(sentence: Sentence, document: Document, ledger: Ledger) -> Document:
    start, end = sentence.start, sentence.end
    words = None if document.layout.given_words is None else tuple(_moved(sentence.word_spans, start, end))
    layout = Layout(sentence.text, words)
    whole = ((0, end - start),)
    if layout.sentences != whole:  # a reader would split a text with a line break
        layout = Layout(sentence.text, words, whole)
    mentions = []
    for mention in sentence.mentions:
        if mention.start < start or mention.end > end:
            ledger.change("blanks around a sentence, trimmed", f"document {document.id} {described(mention)}")
        spans = _moved(((fragment.start, fragment.end) for fragment in mention.fragments), start, end)
        mentions.append(Mention(mention.label, spans, layout, mention.score, mention.extras))
    _tell_repeated(mentions, f"document {document.id} from {start} on,", ledger)
    alone = Document(layout, mentions, f"{document.id}:{start}-{end}")
    return alone.with_mentions(alone.unique_mentions)


def _moved(spans: Iterable[Span], start: int, end: int) -> list[Span]:
    """Count from the beginning of a sentence, and leave out what reaches over its ends."""
    inside = ((max(first, start), min(last, end)) for first, last in spans)
    return [(first - start, last - start) for first, last in inside if first < last]
