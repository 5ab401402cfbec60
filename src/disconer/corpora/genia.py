"""GENIA: biological terms in MEDLINE abstracts, nested and coordinated, in one XML file."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from disconer.corpora.corpus import ALL, Article, Corpus, Figures, Request
from disconer.corpora.download import Download
from disconer.corpora.genia_coordination import Piece, class_of, classes_of, members, name_of, spans_of, usable
from disconer.corpora.genia_markup import Mark, MarkedSentence, marked_sentence
from disconer.corpora.ledger import Ledger
from disconer.corpora.stacking import moved_by, stacked
from disconer.document import Document
from disconer.exceptions import InputError
from disconer.formats.xml_files import elements_of
from disconer.spans import Span
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


def read(download: Download, request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read every article and deal them out in their order."""
    names = [name for name in download.matching(r"[^/]+\.xml") if not name.lower().endswith(".pos.xml")]
    if len(names) > 1:
        raise InputError(f"there are several versions here: name one of {', '.join(names)}", path=download.path)
    is_detailed = bool(request.types and (ALL in request.types or any(map(_DETAILED.fullmatch, request.types))))
    documents: dict[str, list[Document]] = {}
    for name in names:
        articles = elements_of(download.content(name), ("article",), download.place(name))
        for number, article in enumerate(articles, start=1):
            group = _identifier(article, number)
            known = documents.setdefault(group, [])
            if known:
                ledger.change("an id that another article has, numbered", f"document {group}")
            known.append(_document(article, f"{group}-{len(known) + 1}" if known else group, is_detailed, ledger))
    yield from _dealt_out(documents)


def _dealt_out(documents: dict[str, list[Document]]) -> Iterator[Article]:
    """Give shares of the sentences to the splits, in the order of the articles, each whole and with its namesakes."""
    sizes = {group: sum(len(document.layout.sentences) for document in found) for group, found in documents.items()}
    done, total = 0, sum(sizes.values())
    for group, found in documents.items():
        split = next(split for split, share in _SHARES.items() if 100 * done < share * total or split == "test")
        done += sizes[group]
        yield from (Article(document, group, split) for document in found)


def _identifier(article: Element, number: int) -> str:
    written = (article.findtext("articleinfo/bibliomisc") or "").strip()
    return written.removeprefix("MEDLINE:") or f"article-{number}"


def _document(article: Element, identifier: str, is_detailed: bool, ledger: Ledger) -> Document:
    sentences = list(_sentences(article, identifier, ledger))
    has_words = any(sentence.words for sentence in sentences)
    words = [sentence.words or split_words(sentence.text) for sentence in sentences] if has_words else None
    layout, starts = stacked([sentence.text for sentence in sentences], words)
    mentions = []
    for number, (sentence, start) in enumerate(zip(sentences, starts, strict=True), start=1):
        place = f"document {identifier} sentence {number}"
        for term in _terms(sentence, place, ledger):
            label = term.sem if is_detailed else _DETAILED.sub(r"\1", term.sem)
            extras = {"sem": term.sem, "lex": term.lex}
            mentions.append(ledger.mention(label, moved_by(start, term.spans), layout, place, extras))
    return Document(layout, (mention for mention in mentions if mention), identifier)


def _sentences(article: Element, identifier: str, ledger: Ledger) -> Iterator[MarkedSentence]:
    """Give the sentences of title and abstract; a title that is not marked as a sentence is one all the same."""
    for part in (*article.iterfind("title"), *article.iterfind("abstract")):
        place = f"document {identifier} {part.tag}"
        elements = part.findall(".//sentence")
        sentences = [marked_sentence(element) for element in elements or [part]]
        for _ in range(sum(sentence.blank_terms for sentence in sentences)):
            ledger.skip("a term without text", place)
        if elements:
            _tell_what_is_outside(part, elements, place, ledger)
        yield from (sentence for sentence in sentences if sentence.text)


def _tell_what_is_outside(part: Element, elements: Iterable[Element], place: str, ledger: Ledger) -> None:
    """Tell what a title or an abstract holds besides its sentences, which are emptied."""
    for element in elements:
        behind = element.tail
        element.clear()
        element.tail = behind
    outside = marked_sentence(part)
    if outside.text:
        ledger.skip("text outside all sentences", place)
    for _ in range(outside.blank_terms + sum(mark.tag == "cons" and bool(mark.sem) for mark in outside.marks)):
        ledger.skip("a term outside all sentences", place)


def _terms(sentence: MarkedSentence, place: str, ledger: Ledger) -> Iterator[_Term]:
    """Give the terms of a sentence, those of coordinations one by one."""
    parts = _parts_of_coordinations(sentence)
    for number, mark in enumerate(sentence.marks):
        if mark.tag != "cons":
            continue
        where = f"{place} {mark.span[0]}-{mark.span[1]}"
        if mark.sem and mark.is_coordination:
            yield from _coordinated(sentence, number, where, ledger)
        elif sem := class_of(mark.sem):
            yield _Term(sem, mark.lex, (mark.span,))
        elif number not in parts:
            ledger.skip("a term without a class", where)


def _coordinated(sentence: MarkedSentence, number: int, place: str, ledger: Ledger) -> Iterator[_Term]:
    mark = sentence.marks[number]
    if _is_too_large(sentence, number):
        ledger.skip("a coordination that is too large", place)
        return
    terms = members(mark.lex)
    classes = classes_of(mark.sem, terms)
    if not classes:
        ledger.skip("a coordination whose terms and classes do not agree", place)
        return
    marked = usable(_pieces(sentence, sentence.inside(number)))
    words = usable(Piece(name_of(sentence.text[slice(*span)]), span) for span in split_words(sentence.text, *mark.span))
    for position, (term, sem) in enumerate(zip(terms, classes, strict=True), start=1):
        spans = spans_of(term, marked) or spans_of(term, words)
        if sem and spans:
            yield _Term(sem, term, spans)
        else:
            why = "whose pieces are not found" if sem else "without a class"
            ledger.skip(f"a term of a coordination {why}", f"{place} term {position}")


def _is_too_large(sentence: MarkedSentence, number: int) -> bool:
    mark = sentence.marks[number]
    longest = max(mark.lex, mark.sem, sentence.surface(mark), key=len)
    return len(longest) > _MOST_CHARACTERS or number - mark.first > _MOST_MARKS


def _pieces(sentence: MarkedSentence, marks: Iterable[Mark]) -> Iterator[Piece]:
    """Give what a coordination is made of; fragments say what their text says."""
    for mark in marks:
        if mark.tag in ("cons", "frag") and not mark.is_coordination:
            yield Piece(name_of(mark.lex or sentence.surface(mark)), mark.span)


def _parts_of_coordinations(sentence: MarkedSentence) -> set[int]:
    """Give the numbers of the marks inside coordinations."""
    parts, first = set(), len(sentence.marks)
    for number, mark in reversed(list(enumerate(sentence.marks))):
        if number >= first:
            parts.add(number)
        if mark.is_coordination:
            first = min(first, mark.first)
    return parts


CORPUS = Corpus(
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
