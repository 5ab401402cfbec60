"""CoNLL: a word and its tag a line, an empty line after every sentence. It has no way to say that a mention has a gap.

    Severe<TAB>B-ADR
    pain<TAB>I-ADR
    .<TAB>O

Read are IOB1, IOB2, BIOES, BMES and BILOU tags in the last of two or more columns, set apart by tabs or spaces; bare
`B` and `I` are of mentions labelled `entity`. The first column is the word, those between are skipped. Where there are
three or more and the first sentence of several words counts them (1, 2, 3, …) in the first column, all sentences must,
and the second column is the word. Comments (`# …`) and `-DOCSTART-` lines are passed over: each sentence is a document
of its own, whose words and single sentence are given.

Written are two columns, a tab and IOB2. Mentions with gaps are left out. Of mentions that share a word the one with
most words is kept, and of those with as many the one that begins first. A `-DOCSTART-` line stands where a document of
several sentences begins and where it ends.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from disconer.document import Document, Mention, Sentence
from disconer.exceptions import CannotHoldError, FormatError, quote
from disconer.formats.losses import Losses
from disconer.formats.sentence_records import (
    check_words_for_lines,
    convert_documents,
    count_unheld,
    join_words,
    select_sentences,
    write_chunks,
)
from disconer.foundation.files import read_lines
from disconer.tokenize import Split

_BLANKS = " \t"
_BOUNDARY = "-DOCSTART-"
_OUTSIDE = "O"
TAG = re.compile(r"[OBI]|[BIMELSUW]-.+")
_BARE = frozenset("BI")
_LABEL_OF_BARE = "entity"
_CONTINUING = frozenset("IMEL")
_ENDING = frozenset("ELSUW")
_NOT_IN_LABELS = re.compile(r"\s")
_HEAD_ROWS = 20
"""How many words are looked at to tell what a file is."""


class _Row(NamedTuple):
    """A line with a word and, in the last of its columns, a tag."""

    number: int
    columns: list[str]

    @property
    def tag(self) -> str:
        return self.columns[-1]


def looks_like(path: Path) -> bool:
    """Tell whether a file begins with lines of a word and a tag."""
    try:
        rows = list(islice(filter(None, _read_rows(path)), _HEAD_ROWS))
    except FormatError:
        return False
    return any(row.tag not in _BARE for row in rows)  # lines of plain text may end in a capital letter


def read(path: Path, _split: Split) -> Iterator[Document]:
    """Read sentences one by one, each a document of its own."""
    is_counting = None
    for sentence in _read_sentences(path):
        counts = _is_counted(sentence)
        if is_counting and not counts:
            message = "the first column counts the words of the sentences before this one, but not here"
            raise FormatError(message, path=path, line=sentence[0].number)
        yield _read_document(sentence, word_column=1 if counts and is_counting is not False else 0)
        if is_counting is None and len(sentence) > 1:
            is_counting = counts


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write every sentence of every document."""
    write_chunks(_to_chunks(documents, losses), path)


def _read_sentences(path: Path) -> Iterator[list[_Row]]:
    sentence: list[_Row] = []
    for row in _read_rows(path):
        if row:
            sentence.append(row)
        elif sentence:
            yield sentence
            sentence = []


def _is_counted(sentence: Sequence[_Row]) -> bool:
    """Tell whether the first column of a sentence counts its words, and another has them."""
    numbered = enumerate(sentence, start=1)
    return all(len(row.columns) > 2 and row.columns[1] and row.columns[0] == str(number) for number, row in numbered)


def _read_rows(path: Path) -> Iterator[_Row | None]:
    """Read words with their tags; None where a sentence ends."""
    width = None
    for number, line in enumerate(read_lines(path), start=1):
        columns = _split_columns(line)
        if not columns or columns[0] == _BOUNDARY:
            yield None
        elif not _is_comment(line, columns, width):
            if len(columns) < 2 or not columns[0] or not TAG.fullmatch(columns[-1]):
                message = "expected a word and, in the last column, a tag like O, B-ADR or I-ADR"
                raise FormatError(message, path=path, line=number)
            width = len(columns)
            yield _Row(number, columns)
    yield None


def _split_columns(line: str) -> list[str]:
    bare = line.rstrip(_BLANKS)
    return bare.split("\t") if "\t" in bare else [column for column in bare.split(" ") if column]


def _is_comment(line: str, columns: Sequence[str], width: int | None) -> bool:
    """Tell a comment from the word `#`, whose line has a tag and as many columns as the others."""
    if not line.startswith("#"):
        return False
    is_word = TAG.fullmatch(columns[-1]) and (len(columns) == width if width else "\t" in line)
    return not is_word


def _read_document(rows: Sequence[_Row], word_column: int) -> Document:
    return read_tagged_words([row.columns[word_column] for row in rows], [row.tag for row in rows])


def read_tagged_words(words: Sequence[str], tags: Sequence[str]) -> Document:
    """See words and the tag of each as a document of one sentence."""
    layout = join_words(words)
    mentions = [
        Mention(label, [layout.words[index] for index in found], layout) for label, found in _read_mentions(tags)
    ]
    return Document(layout, mentions)


def _read_mentions(tags: Sequence[str]) -> Iterator[tuple[str, range]]:
    """Read each mention's label and words, whichever scheme the tags follow."""
    label, first = "", 0
    for index, tag in enumerate((*tags, _OUTSIDE)):
        prefix, named = tag[0], _LABEL_OF_BARE if tag in _BARE else tag[2:]
        if label and not (prefix in _CONTINUING and named == label):
            yield label, range(first, index)
            label = ""
        if named and not label:
            label, first = named, index
        if label and prefix in _ENDING:
            yield label, range(first, index + 1)
            label = ""


def _to_chunks(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    was_cut = False
    for sentences in convert_documents(documents, losses, _to_sentences):
        is_cut = len(sentences) > 1
        if sentences and (was_cut or is_cut):
            yield f"{_BOUNDARY}\t{_OUTSIDE}\n\n"
        yield from sentences
        was_cut = is_cut or (was_cut and not sentences)


def _to_sentences(document: Document, losses: Losses) -> list[str]:
    count_unheld(document, losses)
    return [_to_lines(sentence, losses) for sentence in select_sentences(document)]


def _to_lines(sentence: Sentence, losses: Losses) -> str:
    check_words_for_lines(sentence, "CoNLL")
    if _BOUNDARY in sentence.words:
        raise CannotHoldError(f"the word {_BOUNDARY} stands for the beginning of a document in CoNLL files")
    tags = [_OUTSIDE] * len(sentence.words)
    for label, words in _choose_mentions(sentence, losses):
        if _NOT_IN_LABELS.search(label):
            raise CannotHoldError(f"the label {quote(label)} holds a blank, which CoNLL tags cannot: rename it")
        tags[words.start : words.stop] = [f"B-{label}", *(f"I-{label}" for _ in words[1:])]
    return "".join(f"{word}\t{tag}\n" for word, tag in zip(sentence.words, tags, strict=True)) + "\n"


def _choose_mentions(sentence: Sentence, losses: Losses) -> list[tuple[str, range]]:
    """Choose the mentions that tags can hold: without a gap, and no two with a word in common."""
    offset = sentence.word_indices.start
    unique = dict.fromkeys((mention.label, mention.word_indices) for mention in sentence.mentions)
    whole = [
        (label, range(words[0] - offset, words[-1] - offset + 1))
        for label, words in unique
        if words[-1] - words[0] + 1 == len(words)
    ]
    kept: list[tuple[str, range]] = []
    taken: set[int] = set()
    for label, words in sorted(whole, key=lambda mention: (-len(mention[1]), mention[1].start)):
        if taken.isdisjoint(words):
            kept.append((label, words))
            taken.update(words)
    losses.leave_out("with gaps", len(unique) - len(whole))
    losses.leave_out("that overlap another", len(whole) - len(kept))
    return kept
