"""PARSEME: verbal multi-word expressions in running text, in many languages, in the .cupt format.

That is CoNLL-U with a column more, in which words name the expressions that they belong to:

    # text = She did not let us down.
    3    not    …    *
    4    let    …    1:VPC.full
    5    us     …    *
    6    down   …    1

Contracted words stand as a range of numbers with their spelling (`1-2    du`) before the words that they contract
(`de`, `le`); only the range is in the text. Numbers like `8.1` are words that were left out and are nowhere in it.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from disconer.corpora.corpus import Article, PublicCorpus, Request
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, locate_errors, quote
from disconer.foundation.spans import Span
from disconer.tokenize import Layout

_COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE"
_NUMBER = re.compile(r"(?P<first>[0-9]{1,6})(?:-(?P<last>[0-9]{1,6})|(?P<empty>\.[0-9]+))?")
_CODE = re.compile(r"(?P<id>[^:;*_\s]+)(?::(?P<category>[^;\s]*))?")
_BLANKS = re.compile(r"\s*")
_NONE, _UNKNOWN = "*", "_"
"""In the column of expressions: none here, and not annotated."""
_MOST_CONTRACTED = 100
"""More words than anything contracts."""


class _Named(NamedTuple):
    """A sentence that can be used."""

    document: Document
    names: list[str]
    """What it is called, the best first; sometimes others are called so too, after their file, say."""
    place: str


@dataclass(frozen=True)
class _Word:
    """A word of the text as it is spelt, which may contract several."""

    form: str
    is_spaced: bool
    """Whether a blank follows."""
    numbers: frozenset[int]
    """The words that it stands for."""


@dataclass
class _Expression:
    """A multi-word expression: its categories, one if all is well, and the words that belong to it, by number."""

    identifier: str
    categories: list[str] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    has_empty_nodes: bool = False


@dataclass
class _Sentence:
    """A sentence of a file."""

    line: int
    """Where its first word stands."""
    comments: dict[str, str]
    words: list[_Word] = field(default_factory=list)
    """None when it does not follow the format."""
    expressions: dict[str, _Expression] = field(default_factory=dict)
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
        """The words it is about: one, those of a range, or none of the text."""
        first = int(self.number["first"])
        return range(first, first if self.number["empty"] else int(self.number["last"] or first) + 1)


def read(download: Download, request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read the sentences of one language, each a document."""
    seen = set()
    for name, split in _choose_files(download, request).items():
        if split in seen:
            ledger.skip("a second copy of a file", f"file {name}")
            continue
        seen.add(split)
        with locate_errors(download.place(name)):
            for document in _assign_ids(_read_documents(download, name, split, ledger), ledger):
                yield Article(document, str(document.id), split)


def _choose_files(download: Download, request: Request) -> dict[str, str]:
    """Choose the files of a language; blind ones, for the test's participants, are called otherwise."""
    files = download.find(r"(?P<split>train|dev|test)\.cupt")
    whole = download.path.name.partition(".")[0]
    languages = {name: PurePosixPath(name).parent.name or whole for name in files}
    found = ", ".join(sorted(set(languages.values())))
    wanted = request.language
    if wanted is None and len(set(languages.values())) > 1:
        raise InputError(f"there are several languages here, {found}: choose one with --language", path=download.path)
    chosen = {
        name: match["split"].lower()
        for name, match in files.items()
        if wanted is None or languages[name].casefold() == wanted.casefold()
    }
    if files and not chosen:
        raise InputError(f"there is no language {quote(wanted)} here, only {found}", path=download.path)
    return chosen


def _read_documents(download: Download, file: str, split: str, ledger: Ledger) -> list[_Named]:
    """Read the sentences of a file that can be used."""
    found, number = [], 0
    for number, sentence in enumerate(_read_cupt(download.lines(file)), start=1):
        place = f"file {file} line {sentence.line}"
        document = _read_document(sentence, place, ledger)
        if document:
            names = (sentence.comments.get(key) for key in ("source_sent_id", "sent_id"))
            found.append(_Named(document, [name for name in names if name] or [f"{split}-{number}"], place))
    if number and not found:
        raise FormatError("this is no annotated .cupt file: no sentence of it can be read")
    return found


def _assign_ids(found: Sequence[_Named], ledger: Ledger) -> Iterator[Document]:
    """Name each sentence by the first of its names that is unique in the file, or else by one of them and a number."""
    times = Counter(name for one in found for name in set(one.names))
    numbers: Counter[str] = Counter()
    for document, names, place in found:
        identifier = next((name for name in names if times[name] == 1), None)
        if identifier is None:
            identifier = _number_name(names[0], numbers, times)
        if identifier not in names:
            ledger.change("an id that another sentence has, numbered", place)
        yield Document(document.layout, document.mentions, identifier)


def _number_name(name: str, numbers: Counter[str], taken: Container[str]) -> str:
    """Return a name as it is the first time, then with 2, 3, … appended; never one that is taken."""
    numbers[name] += 1
    if numbers[name] == 1:
        return name
    while f"{name}-{numbers[name]}" in taken:
        numbers[name] += 1
    return f"{name}-{numbers[name]}"


def _read_document(sentence: _Sentence, place: str, ledger: Ledger) -> Document | None:
    if not sentence.words:
        ledger.skip("a sentence that does not follow the format", place)
        return None
    if not sentence.is_annotated:
        ledger.skip("a sentence without annotations", place)
        return None
    layout = _make_layout(sentence, place, ledger)
    found = (_make_mention(expression, sentence, layout, place, ledger) for expression in sentence.expressions.values())
    return Document(layout, [mention for mention in found if mention])


def _make_layout(sentence: _Sentence, place: str, ledger: Ledger) -> Layout:
    """Use the text as its owner wrote it down, or one made of the words where these differ."""
    text = sentence.comments.get("text", "")
    spans = _align(text, sentence.words)
    if not spans:
        if text:
            ledger.change("a text that differs from its words, made of them", place)
        text = _join_words(sentence.words)
        spans = _align(text, sentence.words)
    return Layout(text, tuple(spans), ((0, len(text)),))


def _make_mention(
    expression: _Expression, sentence: _Sentence, layout: Layout, place: str, ledger: Ledger
) -> Mention | None:
    """Make a mention of an expression; of contracted words it has the whole, for that is what the text has."""
    where = f"{place} expression {quote(expression.identifier)}"
    touched = [index for index, word in enumerate(sentence.words) if word.numbers & expression.numbers]
    if not expression.categories:
        ledger.skip("an expression without a category", where)
        return None
    if not touched:
        ledger.skip("an expression without a word of the text", where)
        return None
    if len(expression.categories) > 1:
        ledger.change("an expression with several categories, the first one taken", where)
    if expression.has_empty_nodes:
        ledger.change("an expression with words that are not in the text", where)
    if any(sentence.words[index].numbers - expression.numbers for index in touched):
        ledger.change("a part of a contracted word, widened to the whole", where)
    spans = [layout.words[index] for index in touched]
    return ledger.make_mention(expression.categories[0], spans, layout, where, {"id": expression.identifier})


def _read_cupt(lines: Iterable[str]) -> Iterator[_Sentence]:
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
            yield _read_sentence(number - len(rows), comments, rows, columns)
            comments, rows = {}, []


def _read_sentence(line: int, comments: dict[str, str], lines: list[list[str]], columns: list[str]) -> _Sentence:
    if columns[:2] != ["ID", "FORM"] or not {"MISC", "PARSEME:MWE"} <= set(columns):
        raise FormatError("this is no .cupt file: its columns must begin with ID FORM and hold MISC and PARSEME:MWE")
    misc, codes = columns.index("MISC"), columns.index("PARSEME:MWE")
    sentence = _Sentence(line, comments)
    for cells in lines:
        number = _NUMBER.fullmatch(cells[0])
        if len(cells) != len(columns) or not number or not cells[1].strip():
            return _Sentence(line, comments)
        if not _add_row(sentence, _Row(number, cells[1].strip(), cells[misc], cells[codes])):
            return _Sentence(line, comments)
    return sentence


def _add_row(sentence: _Sentence, row: _Row) -> bool:
    """Add a line to a sentence; False when it does not follow the format."""
    if row.number["empty"] is None and not _add_word(sentence, row):
        return False
    if row.codes in ("", _NONE, _UNKNOWN):
        return True
    return all(_add_code(sentence, code, row) for code in row.codes.split(";"))


def _add_word(sentence: _Sentence, row: _Row) -> bool:
    """Add a word, or what contracts the next ones; False when the numbers are out of order."""
    is_contraction = row.number["last"] is not None
    is_contracted = bool(sentence.words) and row.numbers.start in sentence.words[-1].numbers
    if row.numbers.start != sentence.length + 1 or not 0 < len(row.numbers) <= _MOST_CONTRACTED:
        return False
    if not is_contracted:
        is_spaced = "SpaceAfter=No" not in row.misc.split("|")
        sentence.words.append(_Word(row.form, is_spaced, frozenset(row.numbers)))
    if not is_contraction:
        sentence.length += 1
        sentence.is_annotated &= row.codes not in ("", _UNKNOWN)
    return not (is_contraction and is_contracted)


def _add_code(sentence: _Sentence, written: str, row: _Row) -> bool:
    code = _CODE.fullmatch(written)
    if not code:
        return False
    expression = sentence.expressions.setdefault(code["id"], _Expression(code["id"]))
    category = (code["category"] or "").strip(_NONE + _UNKNOWN)
    if category and category not in expression.categories:
        expression.categories.append(category)
    expression.numbers.update(row.numbers)
    expression.has_empty_nodes |= row.number["empty"] is not None
    return True


def _align(text: str, words: Sequence[_Word]) -> list[Span]:
    """Find where words are in a text that holds nothing else but blanks; nothing when it is another text."""
    spans, position = [], 0
    for word in words:
        start = _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # it always matches
        position = start + len(word.form)
        if text[start:position] != word.form:
            return []
        spans.append((start, position))
    return [] if text[position:].strip() else spans


def _join_words(words: Sequence[_Word]) -> str:
    """Write words as a text."""
    return "".join(word.form + " " * word.is_spaced for word in words).rstrip()


CORPUS = PublicCorpus(
    name="parseme",
    title="PARSEME, verbal multi-word expressions in many languages (Savary et al. 2023; editions 1.1 to 1.3)",
    licence="CC BY 4.0 for the expressions; the texts' licences differ by language: see the README.md in its folder",
    source="http://hdl.handle.net/11372/LRT-5124 (1.3), http://hdl.handle.net/11234/1-3367 (1.2), "
    "http://hdl.handle.net/11372/LRT-2842 (1.1)",
    files="the archive of a language, like EN.tgz, or several and --language; train, dev and test.cupt matter",
    wanted=r"(train|dev|test)\.cupt",
    read=read,
    has_languages=True,
    split="the owner's; where a language has no dev.cupt, 10% of train.cupt become dev; a document is a sentence",
)
