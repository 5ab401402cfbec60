"""What the formats share that hold sentences of words and nothing between them: inline, W2NER, CoNLL."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TypeVar

from disconer.document import Document, Sentence
from disconer.exceptions import CannotHoldError, locate_errors
from disconer.formats.losses import Losses
from disconer.formats.surface import join_text
from disconer.foundation.files import BYTE_ORDER_MARK, replace_file
from disconer.foundation.spans import Span
from disconer.passage import Segment
from disconer.tokenize import Layout

Record = TypeVar("Record")

_NOT_IN_LINES = re.compile(r"[ \t\n\r]")


def locate_words(words: Iterable[str]) -> list[Span]:
    """Locate words in a text that joins them by one space.

    >>> locate_words(["joint", "pain"])
    [(0, 5), (6, 10)]
    """
    ends = accumulate(len(word) + 1 for word in words)
    return [(start, end - 1) for start, end in pairwise((0, *ends))]


def join_words(words: Sequence[str]) -> Layout:
    """Join words into the text of a sentence."""
    text = " ".join(words)
    return Layout(text, tuple(locate_words(words)), ((0, len(text)),) if text else ())


def convert_documents(
    documents: Iterable[Document], losses: Losses, records_of: Callable[[Document, Losses], list[Record]]
) -> Iterator[list[Record]]:
    """Convert each document to its records, and count what sentences of words cannot hold."""
    for number, document in enumerate(documents, start=1):
        _count_losses(document, losses)
        with locate_errors(document.name(number)):
            yield records_of(document, losses)


def select_sentences(document: Document) -> list[Sentence]:
    """Select the sentences that become records."""
    return [sentence for sentence in document.sentences if sentence.word_spans]


def check_words_for_lines(sentence: Sentence, format_name: str) -> None:
    """Raise when a word holds what separates words or lines."""
    for (start, end), word in zip(sentence.word_spans, sentence.words, strict=True):
        if _NOT_IN_LINES.search(word):
            message = f"the word {start}-{end} holds a character that {format_name} files have no way to write"
            raise CannotHoldError(message)


def write_chunks(pieces: Iterable[str], path: Path) -> None:
    """Write a file of text piece by piece."""
    with replace_file(path) as stream:
        for number, piece in enumerate(pieces):
            if number == 0 and piece.startswith(BYTE_ORDER_MARK):
                stream.write(BYTE_ORDER_MARK)  # readers take the first one for the file's and not for the word's
            stream.write(piece)


def count_unheld(document: Document, losses: Losses) -> None:
    """Count what files of bare words and labels have no place for: ids, scores, unknown keys."""
    losses.note_extras(document)
    losses.note("ids", document.id is not None)


def _count_losses(document: Document, losses: Losses) -> None:
    inside = [(sentence, mention) for sentence in document.sentences for mention in sentence.mentions]
    closed = sum(_has_wordless_gap(sentence.word_mention(mention).segments) for sentence, mention in inside)
    widened = {mention.widened.key for _, mention in inside}
    losses.leave_out("that lie in no single sentence", len(document.cross_sentence))
    losses.note(
        "mentions that say the same as another", len(document.mentions) - len(document.cross_sentence) - len(widened)
    )
    losses.note("mentions widened to whole words", sum(mention.is_cutting_words for _, mention in inside))
    losses.note("mentions whose gap holds no word, closed", closed)
    losses.note("documents without a word", not document.layout.words)
    losses.note("documents cut into sentences", len(document.layout.sentences) > 1)
    losses.note("texts that are partly outside their sentences", _is_partly_outside(document.layout))
    losses.note(
        "texts whose spacing is replaced by single spaces",
        document.text != join_text(document.text, document.layout.words),
    )


def _has_wordless_gap(segments: Sequence[Segment]) -> bool:
    return any(following[0] == segment[1] + 1 for segment, following in pairwise(segments))


def _is_partly_outside(layout: Layout) -> bool:
    boundaries = [0, *(boundary for sentence in layout.sentences for boundary in sentence), len(layout.text)]
    return any(layout.text[start:end].strip() for start, end in zip(boundaries[::2], boundaries[1::2], strict=True))
