"""The three-line format of the field's research code: words, mentions, an empty line.

    Severe joint , shoulder and upper body pain .
    0,1,7,7 ADR|0,0,3,3,7,7 ADR

Mentions are pairs of inclusive word indices and a label, separated by `|`. A record is a sentence; its words and its
single sentence are given, so nothing re-splits them. Offsets are those of the line of words.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from disconer.document import Document, Mention, Sentence
from disconer.exceptions import CannotHoldError, FormatError, locate_errors, quote
from disconer.formats.losses import Losses
from disconer.formats.sentence_records import (
    check_words_for_lines,
    convert_documents,
    count_unheld,
    select_sentences,
    write_chunks,
)
from disconer.foundation.files import read_lines
from disconer.foundation.spans import Span
from disconer.tokenize import Layout, Split

_PAIR = "[0-9]{1,18},[0-9]{1,18}"
_MENTION = re.compile(rf"({_PAIR}(?:,{_PAIR})*) (\S.*)")
_WORD = re.compile(r"[^ \t]+")
_BLANKS = " \t"
_NOT_IN_LABELS = re.compile(r"[|\n\r]|^\s|\s\Z")


def looks_like(path: Path) -> bool:
    """Tell whether a file begins like this format: a line of words, a line of mentions or none, an empty line."""
    words, mentions, end = (*(line.strip(_BLANKS) for line in islice(read_lines(path), 3)), "", "", "")[:3]
    listed = not mentions or all(_MENTION.fullmatch(mention) for mention in mentions.split("|"))
    return listed and not end and bool(words or not mentions)


def read(path: Path, _split: Split) -> Iterator[Document]:
    """Read sentences one by one, each a document of its own."""
    lines = enumerate(read_lines(path), start=1)
    for number, words in lines:
        if not words.strip(_BLANKS):
            continue
        _, mentions = next(lines, (0, ""))
        end_number, end = next(lines, (0, ""))
        if end.strip(_BLANKS):
            message = "expected an empty line here, after a line of words and one of mentions"
            raise FormatError(message, path=path, line=end_number)
        with locate_errors(path, number + 1):
            yield _read_document(words, mentions.strip(_BLANKS))


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write every sentence of every document as a record."""
    write_chunks(chain.from_iterable(convert_documents(documents, losses, _to_records)), path)


def _to_records(document: Document, losses: Losses) -> list[str]:
    count_unheld(document, losses)
    return [_to_record(sentence) for sentence in select_sentences(document)]


def _read_document(line: str, mentions: str) -> Document:
    words = tuple(match.span() for match in _WORD.finditer(line))
    layout = Layout(line, words, ((0, len(line)),))
    numbered = enumerate(mentions.split("|") if mentions else (), start=1)
    return Document(layout, [_read_mention(mention, number, layout, words) for number, mention in numbered])


def _read_mention(written: str, number: int, layout: Layout, words: tuple[Span, ...]) -> Mention:
    match = _MENTION.fullmatch(written)
    if not match:
        raise FormatError(f"mention {number} is not pairs of word indices and a label, like '0,2,5,5 ADR'")
    indices = [int(index) for index in match[1].split(",")]
    if max(indices) >= len(words):
        raise FormatError(f"the word index {max(indices)} is too large: the sentence has {len(words)} words, from 0")
    pairs = list(zip(indices[::2], indices[1::2], strict=True))
    for first, last in pairs:
        if first > last:
            raise FormatError(f"the word indices {first},{last} are reversed")
    return Mention(match[2], [(words[first][0], words[last][1]) for first, last in pairs], layout)


def _to_record(sentence: Sentence) -> str:
    check_words_for_lines(sentence, "inline")
    written = []
    for label, segments in map(sentence.word_mention, sentence.mentions):
        if _NOT_IN_LABELS.search(label):
            raise CannotHoldError(f"the label {quote(label)} cannot stand in inline files: rename it")
        written.append(",".join(f"{first},{last}" for first, last in segments) + f" {label}")
    return f"{' '.join(sentence.words)}\n{'|'.join(dict.fromkeys(written))}\n\n"
