"""The .cupt format of PARSEME: CoNLL-U with a column more, in which words name the expressions that they belong to.

    # text = She did not let us down.
    3    not    …    *
    4    let    …    1:VPC.full
    5    us     …    *
    6    down   …    1

Contracted words stand as a range of numbers with their spelling (`1-2    du`) before the words that they contract
(`de`, `le`); only the range is in the text. Numbers like `8.1` are words that were left out and are nowhere in it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from disconer.exceptions import FormatError
from disconer.spans import Span

_COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE"
_NUMBER = re.compile(r"(?P<first>[0-9]{1,6})(?:-(?P<last>[0-9]{1,6})|(?P<empty>\.[0-9]+))?")
_CODE = re.compile(r"(?P<id>[^:;*_\s]+)(?::(?P<category>[^;\s]*))?")
_BLANKS = re.compile(r"\s*")
_NONE, _UNKNOWN = "*", "_"
"""In the column of expressions: none here, and not annotated."""
_MOST_CONTRACTED = 100
"""More words than anything contracts."""


@dataclass(frozen=True)
class Word:
    """A word of the text as it is spelt, which may contract several."""

    form: str
    is_spaced: bool
    """Whether a blank follows."""
    numbers: frozenset[int]
    """The words that it stands for."""


@dataclass
class Expression:
    """A multi-word expression: its categories, one if all is well, and the words that belong to it, by number."""

    identifier: str
    categories: list[str] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    has_empty_nodes: bool = False


@dataclass
class CuptSentence:
    """A sentence of a file."""

    line: int
    """Where its first word stands."""
    comments: dict[str, str]
    words: list[Word] = field(default_factory=list)
    """None when it does not follow the format."""
    expressions: dict[str, Expression] = field(default_factory=dict)
    is_annotated: bool = True
    length: int = 0
    """How many words there are, contracted ones apart."""


class _Row(NamedTuple):
    """What matters of a line."""

    number: re.Match[str]
    form: str
    misc: str
    codes: str

    @property
    def numbers(self) -> range:
        """The words it speaks of: one, those of a range, or none of the text."""
        first = int(self.number["first"])
        return range(first, first if self.number["empty"] else int(self.number["last"] or first) + 1)


def read_cupt(lines: Iterable[str]) -> Iterator[CuptSentence]:
    """Read the sentences of a file."""
    columns = _COLUMNS.split()
    comments: dict[str, str] = {}
    rows: list[list[str]] = []
    for number, line in enumerate((*lines, ""), start=1):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            comments[key.strip()] = value.strip()
        elif line.strip():
            rows.append(line.split("\t"))
        elif rows:
            columns = comments.get("global.columns", "").split() or columns
            yield _sentence(number - len(rows), comments, rows, columns)
            comments, rows = {}, []


def _sentence(line: int, comments: dict[str, str], lines: list[list[str]], columns: list[str]) -> CuptSentence:
    if columns[:2] != ["ID", "FORM"] or not {"MISC", "PARSEME:MWE"} <= set(columns):
        raise FormatError("this is no .cupt file: its columns must begin with ID FORM and hold MISC and PARSEME:MWE")
    misc, codes = columns.index("MISC"), columns.index("PARSEME:MWE")
    sentence = CuptSentence(line, comments)
    for cells in lines:
        number = _NUMBER.fullmatch(cells[0])
        if len(cells) != len(columns) or not number or not cells[1].strip():
            return CuptSentence(line, comments)
        if not _add(sentence, _Row(number, cells[1].strip(), cells[misc], cells[codes])):
            return CuptSentence(line, comments)
    return sentence


def _add(sentence: CuptSentence, row: _Row) -> bool:
    """Add a line to a sentence; False when it does not follow the format."""
    if row.number["empty"] is None and not _add_word(sentence, row):
        return False
    if row.codes in ("", _NONE, _UNKNOWN):
        return True
    return all(_add_code(sentence, code, row) for code in row.codes.split(";"))


def _add_word(sentence: CuptSentence, row: _Row) -> bool:
    """Add a word, or what contracts the next ones; False when the numbers are out of order."""
    is_contraction = row.number["last"] is not None
    is_contracted = bool(sentence.words) and row.numbers.start in sentence.words[-1].numbers
    if row.numbers.start != sentence.length + 1 or not 0 < len(row.numbers) <= _MOST_CONTRACTED:
        return False
    if not is_contracted:
        is_spaced = "SpaceAfter=No" not in row.misc.split("|")
        sentence.words.append(Word(row.form, is_spaced, frozenset(row.numbers)))
    if not is_contraction:
        sentence.length += 1
        sentence.is_annotated &= row.codes not in ("", _UNKNOWN)
    return not (is_contraction and is_contracted)


def _add_code(sentence: CuptSentence, written: str, row: _Row) -> bool:
    code = _CODE.fullmatch(written)
    if not code:
        return False
    expression = sentence.expressions.setdefault(code["id"], Expression(code["id"]))
    category = (code["category"] or "").strip(_NONE + _UNKNOWN)
    if category and category not in expression.categories:
        expression.categories.append(category)
    expression.numbers.update(row.numbers)
    expression.has_empty_nodes |= row.number["empty"] is not None
    return True


def aligned(text: str, words: Sequence[Word]) -> list[Span]:
    """Find where words are in a text that holds nothing else but blanks; nothing when it is another text."""
    spans, position = [], 0
    for word in words:
        start = _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # it always matches
        position = start + len(word.form)
        if text[start:position] != word.form:
            return []
        spans.append((start, position))
    return [] if text[position:].strip() else spans


def joined(words: Sequence[Word]) -> str:
    """Write words as a text."""
    return "".join(word.form + " " * word.is_spaced for word in words).rstrip()
