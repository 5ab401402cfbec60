"""PubTator: a title, an abstract, and a line of tab-separated columns a mention. It cannot hold gaps.

    101|t|Joint and shoulder pain.
    101|a|Both were severe.
    101<TAB>0<TAB>23<TAB>Joint and shoulder pain<TAB>Disease<TAB>D1|D2<TAB>joint pain|shoulder pain
    101<TAB>CID<TAB>C1<TAB>D1

Offsets count from the beginning of the title, with one character between it and the abstract: a line break here, which
makes the title a sentence of its own. A text without a line break is all title. The concept of a mention is its extra
key `concept` (none is written as `-`), columns after it are its key `pubtator`, and the lines of relations, without the
document's id, are the document's key `pubtator`. The offsets are the truth: a text beside them that differs from what
they point at is kept under the mention's extra key `text`, and written anew.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from disconer.document import Document, Mention
from disconer.exceptions import CannotHoldError, FormatError, locate_errors, quote
from disconer.formats.losses import Losses
from disconer.formats.surface import is_same, to_code_points
from disconer.foundation.files import BYTE_ORDER_MARK, read_lines, replace_file
from disconer.tokenize import Layout, Split

_PASSAGE = re.compile(r"([^|\t]+)\|([ta])\|(.*)", re.DOTALL)
_OFFSET = re.compile(r"[0-9]{1,18}")
_END_OF_TITLE = re.compile(r"\s*[\n\r]")
_LINE_END = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""What ends a line for one reader of this format or another."""
_NOT_IN_COLUMNS = re.compile(rf"\t|{_LINE_END.pattern}")
_NOT_IN_IDS = re.compile(rf"[|]|{_NOT_IN_COLUMNS.pattern}|^[\s{BYTE_ORDER_MARK}]|\s\Z")
_NO_CONCEPT = "-"
_MENTION_COLUMNS = 4
"""Start, end, text and type."""
_HELD_KEYS = frozenset(("concept", "pubtator"))


class _Line(NamedTuple):
    """A line of the file, and its number."""

    number: int
    text: str


class _Row(NamedTuple):
    """A line of columns, without the document's id."""

    number: int
    columns: list[str]


def looks_like(path: Path) -> bool:
    """Tell whether a file begins with the title of an article."""
    first = next((line for line in islice(read_lines(path), 10) if line.strip()), "")
    return _is_title(first)


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read articles one by one."""
    for lines in _read_articles(path):
        with locate_errors(path, lines[0].number):
            yield _read_document(lines, path, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write documents as articles, under their ids or else their numbers.

    Of ids that several documents have only neighbours are counted: all ids of a large file would fill the memory.
    """
    previous = None
    with replace_file(path) as stream:
        for number, document in enumerate(documents, start=1):
            with locate_errors(document.name(number)):
                identifier = _choose_identifier(document, number, losses)
                losses.note("ids that the document before has as well", identifier == previous)
                previous = identifier
                stream.write("".join(f"{line}\n" for line in _to_lines(document, identifier, losses)) + "\n")


def _is_title(line: str) -> bool:
    match = _PASSAGE.fullmatch(line)
    return match is not None and match[2] == "t"


def _read_articles(path: Path) -> Iterator[list[_Line]]:
    """Read the lines of each article; a title begins one even where the empty line before it is missing."""
    article: list[_Line] = []
    for number, line in enumerate(read_lines(path), start=1):
        if article and (not line.strip() or _is_title(line)):
            yield article
            article = []
        if line.strip():
            article.append(_Line(number, line))
    if article:
        yield article


def _read_document(lines: Sequence[_Line], path: Path, split: Split) -> Document:
    first = _PASSAGE.fullmatch(lines[0].text)
    if not first:
        raise FormatError("an article must begin with a line like '101|t|Title'")
    identifier = first[1]
    passages: dict[str, str] = {}
    rows = []
    for line in lines:
        match = _PASSAGE.fullmatch(line.text)
        if match and match[1] == identifier and match[2] not in passages:
            passages[match[2]] = match[3]
        else:
            rows.append(_read_row(line, identifier, path))
    text = _join_passages(passages.get("t", ""), passages.get("a", ""))
    layout = Layout(text, split=split)
    relations = [row.columns for row in rows if not _is_mention(row)]
    mentions = _read_mentions([row for row in rows if _is_mention(row)], layout, path)
    return Document(layout, mentions, identifier, {"pubtator": relations} if relations else None)


def _read_row(line: _Line, identifier: str, path: Path) -> _Row:
    owner, *columns = line.text.split("\t")
    if owner != identifier:
        message = f"this line must begin with the id of its article, {quote(identifier)}, and a tab"
        raise FormatError(message, path=path, line=line.number)
    if not _is_relation(columns) and not _has_offsets(columns):
        message = (
            "this is neither 'id<tab>start<tab>end<tab>text<tab>type' nor 'id<tab>relation<tab>concept<tab>concept'"
        )
        raise FormatError(message, path=path, line=line.number)
    return _Row(line.number, columns)


def _is_relation(columns: Sequence[str]) -> bool:
    return columns[:1] != [] and columns[0][:1].isalpha()


def _has_offsets(columns: Sequence[str]) -> bool:
    return len(columns) >= _MENTION_COLUMNS and all(_OFFSET.fullmatch(column) for column in columns[:2])


def _is_mention(row: _Row) -> bool:
    return not _is_relation(row.columns)


def _join_passages(title: str, abstract: str) -> str:
    return f"{title}\n{abstract}" if abstract else title


def _read_mentions(rows: Sequence[_Row], layout: Layout, path: Path) -> Iterator[Mention]:
    written = [(int(row.columns[0]), int(row.columns[1])) for row in rows]
    spans = to_code_points(written, [row.columns[2] for row in rows], layout.text)
    for row, span in zip(rows, spans, strict=True):
        with locate_errors(path, row.number):
            surface = layout.text[slice(*span)]
            yield Mention(row.columns[3], [span], layout, extras=_read_extras(row.columns, surface))


def _read_extras(columns: Sequence[str], surface: str) -> dict[str, Any]:
    concept, *others = columns[4:] or [""]
    extras: dict[str, Any] = {"concept": concept} if concept not in ("", _NO_CONCEPT) else {}
    if any(others):
        extras["pubtator"] = others
    return extras if is_same(columns[2], surface) else {**extras, "text": columns[2]}


def _choose_identifier(document: Document, number: int, losses: Losses) -> str:
    """Choose the id of a document, or else one with its number; a bare number is an article's."""
    losses.note_id(document)
    wanted = "" if document.id is None else str(document.id)
    is_usable = not _NOT_IN_IDS.search(wanted)
    losses.note("ids that PubTator cannot hold, replaced", not is_usable)
    return wanted if wanted and is_usable else f"document-{number}"


def _to_lines(document: Document, identifier: str, losses: Losses) -> Iterator[str]:
    """Convert a document to the lines of an article, and count what they do not hold."""
    title, abstract = _split_passages(document.text)
    losses.note("texts whose line breaks are replaced by spaces", _join_passages(title, abstract) != document.text)
    losses.note_layout(document.layout, "PubTator")
    losses.leave_out("with gaps", sum(mention.is_discontinuous for mention in document))
    relations = _check_relations(document.extras.get("pubtator", []))
    losses.note_extras(document, _HELD_KEYS)
    losses.note("values of the key 'pubtator'", relations is None)
    losses.note("values of the key 'concept'", "concept" in document.extras)
    yield f"{identifier}|t|{title}"
    yield f"{identifier}|a|{abstract}"
    for mention in document:
        if not mention.is_discontinuous:
            yield "\t".join((identifier, *_to_columns(mention, losses)))
    for columns in relations or ():
        yield "\t".join((identifier, *columns))


def _split_passages(text: str) -> tuple[str, str]:
    """Cut a text into title and abstract, in which every character keeps its place but for the one between them.

    White space in front of the line break goes to the abstract: readers that trim lines would shift what follows it.
    """
    match = _END_OF_TITLE.search(text)
    end = match.start() if match and match.start() + 1 < len(text) else len(text)  # no abstract, nothing between them
    return _LINE_END.sub(" ", text[:end]), _LINE_END.sub(" ", text[end + 1 :])


def _to_columns(mention: Mention, losses: Losses) -> list[str]:
    if _NOT_IN_COLUMNS.search(mention.label):
        message = f"the label {quote(mention.label)} holds a tab or a line break, which PubTator cannot: rename it"
        raise CannotHoldError(message)
    concept = _check_columns([mention.extras.get("concept") or _NO_CONCEPT], "concept", losses) or [_NO_CONCEPT]
    others = _check_columns(mention.extras.get("pubtator", []), "pubtator", losses)
    surface = _NOT_IN_COLUMNS.sub(" ", mention.text)
    return [str(mention.start), str(mention.end), surface, mention.label, *concept, *others]


def _check_columns(value: Any, key: str, losses: Losses) -> list[str]:
    """Return columns of a mention as they are; anything else is counted as lost."""
    if _are_columns(value):
        return list(value)
    losses.note(f"values of the mentions' key {key!r}")
    return []


def _check_relations(value: object) -> list[list[str]] | None:
    """Return the columns of relations as they are; None when a value is something else."""
    if isinstance(value, list) and all(_are_columns(columns) and _is_relation(columns) for columns in value):
        return value
    return None


def _are_columns(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and not _NOT_IN_COLUMNS.search(one) for one in value)
