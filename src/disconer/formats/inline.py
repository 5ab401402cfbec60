"""The three-line format of the field's research code: words, mentions, an empty line.

    Severe joint , shoulder and upper body pain .
    0,1,7,7 ADR|0,0,3,3,7,7 ADR

Mentions are pairs of inclusive word indices and a label, separated by `|`. A record is a sentence; its words and its
single sentence are given, so nothing re-splits them. Offsets are those of the line of words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path

from disconer.document import Document, Mention, Segment, Sentence
from disconer.exceptions import CannotHoldError, FormatError, located, shown
from disconer.formats.files import BYTE_ORDER_MARK, read_lines, replacing_file
from disconer.formats.losses import Losses
from disconer.spans import Span
from disconer.tokenize import Layout, Split

_PAIR = "[0-9]{1,18},[0-9]{1,18}"
_MENTION = re.compile(rf"({_PAIR}(?:,{_PAIR})*) (\S.*)")
_WORD = re.compile(r"[^ \t]+")
_BLANKS = " \t"
_NOT_IN_WORDS = re.compile(r"[ \t\n\r]")
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
        with located(path, number + 1):
            yield _document(words, mentions.strip(_BLANKS))


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write every sentence of every document as a record."""
    with replacing_file(path) as stream:
        for number, (words, mentions) in enumerate(_records(documents, losses)):
            if number == 0 and words.startswith(BYTE_ORDER_MARK):
                stream.write(BYTE_ORDER_MARK)  # readers take the first one for the file's and not for the word's
            stream.write(f"{words}\n{mentions}\n\n")


def _records(documents: Iterable[Document], losses: Losses) -> Iterator[tuple[str, str]]:
    for number, document in enumerate(documents, start=1):
        _count_losses(document, losses)
        with located(document.name(number)):
            yield from (_lines(sentence) for sentence in document.sentences if sentence.word_spans)


def _document(line: str, mentions: str) -> Document:
    words = tuple(match.span() for match in _WORD.finditer(line))
    layout = Layout(line, words, ((0, len(line)),))
    numbered = enumerate(mentions.split("|") if mentions else (), start=1)
    return Document(layout, [_mention(mention, number, layout, words) for number, mention in numbered])


def _mention(written: str, number: int, layout: Layout, words: tuple[Span, ...]) -> Mention:
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


def _lines(sentence: Sentence) -> tuple[str, str]:
    words = sentence.words
    for (start, end), word in zip(sentence.word_spans, words, strict=True):
        if _NOT_IN_WORDS.search(word):
            raise CannotHoldError(f"the word {start}-{end} holds a character that inline files have no way to write")
    written = []
    for label, segments in map(sentence.word_mention, sentence.mentions):
        if _NOT_IN_LABELS.search(label):
            raise CannotHoldError(f"the label {shown(label)} cannot stand in inline files: rename it")
        written.append(",".join(f"{first},{last}" for first, last in segments) + f" {label}")
    return " ".join(words), "|".join(dict.fromkeys(written))


def _count_losses(document: Document, losses: Losses) -> None:
    inside = [(sentence, mention) for sentence in document.sentences for mention in sentence.mentions]
    closed = sum(_has_a_gap_without_a_word(sentence.word_mention(mention).segments) for sentence, mention in inside)
    widened = {mention.widened.key for _, mention in inside}
    losses.leave_out("that lie in no single sentence", len(document.cross_sentence))
    losses.note_extras(document)
    losses.note("ids", document.id is not None)
    losses.note(
        "mentions that say the same as another", len(document.mentions) - len(document.cross_sentence) - len(widened)
    )
    losses.note("mentions widened to whole words", sum(mention.is_cutting_words for _, mention in inside))
    losses.note("mentions whose gap holds no word, closed", closed)
    losses.note("documents without a word", not document.layout.words)
    losses.note("documents cut into sentences", len(document.layout.sentences) > 1)
    losses.note("texts that are partly outside their sentences", _is_partly_outside(document.layout))
    losses.note("texts whose spacing is replaced by single spaces", document.text != _respaced(document.layout))


def _has_a_gap_without_a_word(segments: Sequence[Segment]) -> bool:
    return any(following[0] == segment[1] + 1 for segment, following in pairwise(segments))


def _is_partly_outside(layout: Layout) -> bool:
    boundaries = [0, *(boundary for sentence in layout.sentences for boundary in sentence), len(layout.text)]
    return any(layout.text[start:end].strip() for start, end in zip(boundaries[::2], boundaries[1::2], strict=True))


def _respaced(layout: Layout) -> str:
    return " ".join(layout.text[start:end] for start, end in layout.words)
