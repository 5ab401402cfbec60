"""PARSEME: verbal multi-word expressions in running text, in many languages, in the .cupt format."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from disconer.corpora.corpus import Article, Corpus, Request
from disconer.corpora.cupt import CuptSentence, Expression, aligned, joined, read_cupt
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, located, shown
from disconer.tokenize import Layout


class _Found(NamedTuple):
    """A sentence that can be used."""

    document: Document
    names: list[str]
    """What it is called, the best first; sometimes others are called so too, after their file, say."""
    place: str


def read(download: Download, request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read the sentences of one language, each a document."""
    seen = set()
    for name, split in _files(download, request).items():
        if split in seen:
            ledger.skip("a second copy of a file", f"file {name}")
            continue
        seen.add(split)
        with located(download.place(name)):
            for document in _identified(_documents(download, name, split, ledger), ledger):
                yield Article(document, str(document.id), split)


def _files(download: Download, request: Request) -> dict[str, str]:
    """Choose the files of a language; blind ones, for the test's participants, are called otherwise."""
    files = download.matching(r"(?P<split>train|dev|test)\.cupt")
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
        raise InputError(f"there is no language {shown(wanted)} here, only {found}", path=download.path)
    return chosen


def _documents(download: Download, file: str, split: str, ledger: Ledger) -> list[_Found]:
    """Read the sentences of a file that can be used."""
    found, number = [], 0
    for number, sentence in enumerate(read_cupt(download.lines(file)), start=1):
        place = f"file {file} line {sentence.line}"
        document = _document(sentence, place, ledger)
        if document:
            names = (sentence.comments.get(key) for key in ("source_sent_id", "sent_id"))
            found.append(_Found(document, [name for name in names if name] or [f"{split}-{number}"], place))
    if number and not found:
        raise FormatError("this is no annotated .cupt file: no sentence of it can be read")
    return found


def _identified(found: Sequence[_Found], ledger: Ledger) -> Iterator[Document]:
    """Give each sentence the first of its names that no other of the file has, or else one of them and a number."""
    times = Counter(name for one in found for name in set(one.names))
    numbers: Counter[str] = Counter()
    for document, names, place in found:
        identifier = next((name for name in names if times[name] == 1), None)
        if identifier is None:
            identifier = _numbered(names[0], numbers, times)
        if identifier not in names:
            ledger.change("an id that another sentence has, numbered", place)
        yield Document(document.layout, document.mentions, identifier)


def _numbered(name: str, numbers: Counter[str], taken: Container[str]) -> str:
    """Give a name as it is, the next time with a 2 behind it, and so on; none that is taken."""
    numbers[name] += 1
    if numbers[name] == 1:
        return name
    while f"{name}-{numbers[name]}" in taken:
        numbers[name] += 1
    return f"{name}-{numbers[name]}"


def _document(sentence: CuptSentence, place: str, ledger: Ledger) -> Document | None:
    if not sentence.words:
        ledger.skip("a sentence that does not follow the format", place)
        return None
    if not sentence.is_annotated:
        ledger.skip("a sentence without annotations", place)
        return None
    layout = _layout(sentence, place, ledger)
    found = (_mention(expression, sentence, layout, place, ledger) for expression in sentence.expressions.values())
    return Document(layout, [mention for mention in found if mention])


def _layout(sentence: CuptSentence, place: str, ledger: Ledger) -> Layout:
    """Give the text as its owner wrote it down, or made of its words where these differ."""
    text = sentence.comments.get("text", "")
    spans = aligned(text, sentence.words)
    if not spans:
        if text:
            ledger.change("a text that differs from its words, made of them", place)
        text = joined(sentence.words)
        spans = aligned(text, sentence.words)
    return Layout(text, tuple(spans), ((0, len(text)),))


def _mention(
    expression: Expression, sentence: CuptSentence, layout: Layout, place: str, ledger: Ledger
) -> Mention | None:
    """Make a mention of an expression; of contracted words it has the whole, for that is what the text has."""
    where = f"{place} expression {shown(expression.identifier)}"
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
    return ledger.mention(expression.categories[0], spans, layout, where, {"id": expression.identifier})


CORPUS = Corpus(
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
