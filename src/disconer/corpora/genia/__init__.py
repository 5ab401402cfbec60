"""GENIA: biological terms in MEDLINE abstracts, nested and coordinated, in one XML file."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple
from xml.etree.ElementTree import Element

from disconer.corpora.corpus import ALL, Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download
from disconer.corpora.genia.coordination import (
    Piece,
    find_spans,
    is_coordination,
    normalize_name,
    read_class,
    read_classes,
    select_pieces,
    split_members,
)
from disconer.corpora.ledger import Ledger
from disconer.corpora.sentences import shift, stack
from disconer.document import Document
from disconer.exceptions import InputError
from disconer.formats.xml_files import parse_elements
from disconer.foundation.spans import Span
from disconer.tokenize.sentences import trim_span
from disconer.tokenize.words import split_words

TYPES = ("DNA", "RNA", "protein", "cell_line", "cell_type")
_DETAILED = re.compile(r"^(DNA|RNA|protein)_.+$")
_SHARES = {"train": 81, "dev": 90, "test": 100}
"""Up to how many percent of the sentences each split goes."""
_MOST_CHARACTERS, _MOST_MARKS = 5_000, 1_000
"""Of a coordination: more than any has, so that a hostile one takes no time."""


class _Term(NamedTuple):
    """A term of a sentence."""

    sem: str
    """Its class."""
    lex: str
    """Its name, spelt out."""
    spans: tuple[Span, ...]


class _Mark(NamedTuple):
    """An element within a sentence."""

    tag: str
    lex: str
    """The name of a term or of a piece of one."""
    sem: str
    """Its class, or those of a coordination, as they are written; nothing for a piece."""
    span: Span
    first: int
    """The number of the first mark inside it; those from there to its own number are inside."""

    @property
    def is_coordination(self) -> bool:
        return is_coordination(self.lex) or is_coordination(self.sem)


@dataclass(frozen=True)
class _Sentence:
    """The text of a sentence without blanks around it and its marks, inner ones before outer ones."""

    text: str
    marks: tuple[_Mark, ...]
    blank_terms: int
    """How many terms have no text, and so no mark."""

    def surface(self, mark: _Mark) -> str:
        return self.text[slice(*mark.span)]

    def inside(self, number: int) -> tuple[_Mark, ...]:
        """The marks inside the one with this number."""
        return self.marks[self.marks[number].first : number]

    @property
    def words(self) -> list[Span]:
        """Where the words are, if they are marked: `w` elements, some of them only a part of what blanks separate."""
        words, latest = [], -1
        for number, mark in enumerate(self.marks):
            if mark.tag == "w":
                if latest < mark.first:  # there is none inside
                    words.append(mark.span)
                latest = number
        return words


def read(download: Download, request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read every article and deal them out in their order."""
    names = [name for name in download.find(r"[^/]+\.xml") if not name.lower().endswith(".pos.xml")]
    if len(names) > 1:
        raise InputError(f"there are several versions here: name one of {', '.join(names)}", path=download.path)
    is_detailed = bool(request.types and (ALL in request.types or any(map(_DETAILED.fullmatch, request.types))))
    documents: dict[str, list[Document]] = {}
    for name in names:
        articles = parse_elements(download.content(name), ("article",), download.place(name))
        for number, article in enumerate(articles, start=1):
            group = _read_identifier(article, number)
            known = documents.setdefault(group, [])
            if known:
                ledger.change("an id that another article has, numbered", f"document {group}")
            known.append(_read_document(article, f"{group}-{len(known) + 1}" if known else group, is_detailed, ledger))
    yield from _deal_out(documents)


def _deal_out(documents: dict[str, list[Document]]) -> Iterator[Article]:
    """Assign shares of the sentences to the splits, in the order of the articles, each whole and with its namesakes."""
    sizes = {group: sum(len(document.layout.sentences) for document in found) for group, found in documents.items()}
    done, total = 0, sum(sizes.values())
    for group, found in documents.items():
        split = next(split for split, share in _SHARES.items() if 100 * done < share * total or split == "test")
        done += sizes[group]
        yield from (Article(document, group, split) for document in found)


def _read_identifier(article: Element, number: int) -> str:
    written = (article.findtext("articleinfo/bibliomisc") or "").strip()
    return written.removeprefix("MEDLINE:") or f"article-{number}"


def _read_document(article: Element, identifier: str, is_detailed: bool, ledger: Ledger) -> Document:
    sentences = list(_read_sentences(article, identifier, ledger))
    has_words = any(sentence.words for sentence in sentences)
    words = [sentence.words or split_words(sentence.text) for sentence in sentences] if has_words else None
    layout, starts = stack([sentence.text for sentence in sentences], words)
    mentions = []
    for number, (sentence, start) in enumerate(zip(sentences, starts, strict=True), start=1):
        place = f"document {identifier} sentence {number}"
        for term in _find_terms(sentence, place, ledger):
            label = term.sem if is_detailed else _DETAILED.sub(r"\1", term.sem)
            extras = {"sem": term.sem, "lex": term.lex}
            mentions.append(ledger.make_mention(label, shift(start, term.spans), layout, place, extras))
    return Document(layout, (mention for mention in mentions if mention), identifier)


def _read_sentences(article: Element, identifier: str, ledger: Ledger) -> Iterator[_Sentence]:
    """Read the sentences of title and abstract; a title that is not marked as a sentence is one all the same."""
    for part in (*article.iterfind("title"), *article.iterfind("abstract")):
        place = f"document {identifier} {part.tag}"
        elements = part.findall(".//sentence")
        sentences = [_read_sentence(element) for element in elements or [part]]
        for _ in range(sum(sentence.blank_terms for sentence in sentences)):
            ledger.skip("a term without text", place)
        if elements:
            _report_outside(part, elements, place, ledger)
        yield from (sentence for sentence in sentences if sentence.text)


def _report_outside(part: Element, elements: Iterable[Element], place: str, ledger: Ledger) -> None:
    """Tell what a title or an abstract holds besides its sentences, which are emptied."""
    for element in elements:
        behind = element.tail
        element.clear()
        element.tail = behind
    outside = _read_sentence(part)
    if outside.text:
        ledger.skip("text outside all sentences", place)
    for _ in range(outside.blank_terms + sum(mark.tag == "cons" and bool(mark.sem) for mark in outside.marks)):
        ledger.skip("a term outside all sentences", place)


def _find_terms(sentence: _Sentence, place: str, ledger: Ledger) -> Iterator[_Term]:
    """Find the terms of a sentence, those of coordinations one by one."""
    parts = _find_coordinated(sentence)
    for number, mark in enumerate(sentence.marks):
        if mark.tag != "cons":
            continue
        where = f"{place} {mark.span[0]}-{mark.span[1]}"
        if mark.sem and mark.is_coordination:
            yield from _split_coordination(sentence, number, where, ledger)
        elif sem := read_class(mark.sem):
            yield _Term(sem, mark.lex, (mark.span,))
        elif number not in parts:
            ledger.skip("a term without a class", where)


def _split_coordination(sentence: _Sentence, number: int, place: str, ledger: Ledger) -> Iterator[_Term]:
    mark = sentence.marks[number]
    if _is_too_large(sentence, number):
        ledger.skip("a coordination that is too large", place)
        return
    terms = split_members(mark.lex)
    classes = read_classes(mark.sem, terms)
    if not classes:
        ledger.skip("a coordination whose terms and classes do not agree", place)
        return
    marked = select_pieces(_find_pieces(sentence, sentence.inside(number)))
    words = select_pieces(
        Piece(normalize_name(sentence.text[slice(*span)]), span) for span in split_words(sentence.text, *mark.span)
    )
    for position, (term, sem) in enumerate(zip(terms, classes, strict=True), start=1):
        spans = find_spans(term, marked) or find_spans(term, words)
        if sem and spans:
            yield _Term(sem, term, spans)
        else:
            why = "whose pieces are not found" if sem else "without a class"
            ledger.skip(f"a term of a coordination {why}", f"{place} term {position}")


def _is_too_large(sentence: _Sentence, number: int) -> bool:
    mark = sentence.marks[number]
    longest = max(mark.lex, mark.sem, sentence.surface(mark), key=len)
    return len(longest) > _MOST_CHARACTERS or number - mark.first > _MOST_MARKS


def _find_pieces(sentence: _Sentence, marks: Iterable[_Mark]) -> Iterator[Piece]:
    """Find what a coordination is made of; fragments contribute their own text."""
    for mark in marks:
        if mark.tag in ("cons", "frag") and not mark.is_coordination:
            yield Piece(normalize_name(mark.lex or sentence.surface(mark)), mark.span)


def _find_coordinated(sentence: _Sentence) -> set[int]:
    """Number the marks inside coordinations."""
    parts, first = set(), len(sentence.marks)
    for number, mark in reversed(list(enumerate(sentence.marks))):
        if number >= first:
            parts.add(number)
        if mark.is_coordination:
            first = min(first, mark.first)
    return parts


def _read_sentence(element: Element) -> _Sentence:
    """Take text and marks of a sentence apart; marks without text are left out, and the terms among them counted."""
    text = "".join(element.itertext())
    begin = len(text) - len(text.lstrip())
    marks: list[_Mark] = []
    blank_terms = 0
    opened: list[int] = []
    for inner, start, end in _iterate_elements(element):
        if end < 0:
            opened.append(len(marks))
            continue
        first, span, sem = opened.pop(), trim_span(text, start, end), inner.get("sem", "").strip()
        if span:
            span = (span[0] - begin, span[1] - begin)
            marks.append(_Mark(inner.tag, inner.get("lex", ""), sem, span, first))
        elif inner.tag == "cons" and sem:
            blank_terms += 1
    return _Sentence(text.strip(), tuple(marks), blank_terms)


def _iterate_elements(root: Element) -> Iterator[tuple[Element, int, int]]:
    """Walk the elements below: each when it opens, with its start and -1, and when it closes, with its end.

    There is no recursion: a file may be nested deeper than Python's stack.
    """
    position = len(root.text or "")
    stack = [(root, 0, iter(root))]
    while stack:
        element, start, children = stack[-1]
        child = next(children, None)
        if child is not None:
            yield child, position, -1
            stack.append((child, position, iter(child)))
            position += len(child.text or "")
        else:
            stack.pop()
            if stack:
                yield element, start, position
                position += len(element.tail or "")


CORPUS = PublicCorpus(
    name="genia",
    title="GENIA term corpus 3.02, biological terms in 2,000 MEDLINE abstracts (Kim et al. 2003)",
    licence="GENIA Project License for Annotated Corpora",
    source="http://www.geniaproject.org/genia-corpus/term-corpus",
    files="GENIAcorpus3.02.tgz, or GENIAcorpus3.02p.tgz, whose merged file also marks words",
    wanted=r"\.xml",
    read=read,
    split="81/9/10% of the sentences in the order of the file, articles whole (the owner has none), or --split-dir",
    default_types=TYPES,
    published={ALL: Figures(documents=2_000)},
    published_in="Kim et al. 2003",
)
