"""PARSEME: verbal multi-word expressions in running text, in many languages, in the .cupt format."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from disconer.corpora.corpus import Article, Corpus, Request
from disconer.corpora.cupt import CuptSentence, Expression, aligned, joined, read_cupt
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, located, shown
from disconer.tokenize import Layout


def read(download: Download, request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read the sentences of one language, each a document."""
    seen = set()
    for name, split in _files(download, request).items():
        if split in seen:
            ledger.skip("a second copy of a file", f"file {name}")
            continue
        seen.add(split)
        number, used = 0, 0
        with located(download.place(name)):
            for number, sentence in enumerate(read_cupt(download.lines(name)), start=1):
                document = _document(sentence, f"{split}-{number}", f"file {name} line {sentence.line}", ledger)
                if document:
                    used += 1
                    yield Article(document, str(document.id), split)
            if number and not used:
                raise FormatError("this is no annotated .cupt file: no sentence of it can be read")


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


def _document(sentence: CuptSentence, name: str, place: str, ledger: Ledger) -> Document | None:
    if not sentence.words:
        ledger.skip("a sentence that does not follow the format", place)
        return None
    if not sentence.is_annotated:
        ledger.skip("a sentence without annotations", place)
        return None
    layout = _layout(sentence, place, ledger)
    identifier = sentence.comments.get("source_sent_id") or sentence.comments.get("sent_id") or name
    found = (_mention(expression, sentence, layout, place, ledger) for expression in sentence.expressions.values())
    return Document(layout, [mention for mention in found if mention], identifier)


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
    split="the owner's; where a language has no dev.cupt, 10% of train.cupt become dev; a document is a sentence",
)
