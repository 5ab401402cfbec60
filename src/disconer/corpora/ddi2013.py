"""The DDI corpus of SemEval 2013: drugs in texts of DrugBank and in MEDLINE abstracts, an XML file a document."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from disconer.corpora.corpus import Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download, find_by_folder
from disconer.corpora.ledger import Ledger
from disconer.corpora.sentences import shift, stack
from disconer.document import Document, Mention
from disconer.exceptions import FormatError
from disconer.formats.surface import join_text
from disconer.formats.xml_files import parse_root
from disconer.foundation.spans import Span
from disconer.tokenize import Layout

TYPES = ("drug", "group", "brand", "drug_n")
_OFFSETS = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(?:;[0-9]{1,9}-[0-9]{1,9})*")
_SPLITS = {r"(?<![a-z])train": "train", r"(?<![a-z])test": "test"}
_TASKS = {r"(?<![a-z])(drug)?ner(?![a-z])": "names", r"(?<![a-z])extraction": "interactions"}
"""The two test sets, by the folders that they lie in."""


def read(download: Download, _request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read every document; for the test those of the task of names, if there are any."""
    names = list(download.find(r"[^/]+\.xml"))
    splits = {name: find_by_folder(f"{download.path.name}/{name}", _SPLITS) for name in names}
    tasks = {name: find_by_folder(name, _TASKS) for name in names if splits[name] == "test"}
    seen = set()
    for name, split in splits.items():
        if tasks.get(name) == "interactions" and "names" in tasks.values():
            ledger.skip("a document of the test set of interactions", f"file {name}")
            continue
        root = _read_root(download, name)
        if root.get("id") in seen:
            ledger.skip("a second copy of a document", f"file {name}")
            continue
        seen.add(root.get("id"))
        yield Article(_read_document(root, ledger), root.get("id", ""), split)


def _read_root(download: Download, name: str) -> Element:
    place = download.place(name)
    root = parse_root(download.content(name), place)
    if root.tag != "document" or not root.get("id"):
        raise FormatError("this is no document of the DDI corpus: its outermost element is no document", path=place)
    return root


def _read_document(root: Element, ledger: Ledger) -> Document:
    sentences = root.findall("sentence")
    texts = [sentence.get("text", "") for sentence in sentences]
    layout, starts = stack(texts)
    mentions = [
        mention
        for sentence, text, start in zip(sentences, texts, starts, strict=True)
        for mention in _read_mentions(sentence, text, start, layout, ledger)
    ]
    return Document(layout, mentions, root.get("id"))


def _read_mentions(sentence: Element, text: str, start: int, layout: Layout, ledger: Ledger) -> Iterator[Mention]:
    for entity in sentence.iterfind("entity"):
        place = f"sentence {sentence.get('id')} {entity.get('id')}"
        label, offsets = entity.get("type", ""), entity.get("charOffset", "")
        if not label or not _OFFSETS.fullmatch(offsets):
            ledger.skip("unparsable", place)
            continue
        spans = _read_spans(offsets, entity.get("text", ""), text, place, ledger)
        if any(end > len(text) for _, end in spans):  # the next sentence begins there
            ledger.skip("out of range", f"{place} {label} {offsets}")
            continue
        mention = ledger.make_mention(label, shift(start, spans), layout, place, {"id": entity.get("id")})
        if mention:
            ledger.compare(mention, shift(start, spans), entity.get("text", ""), place)
            yield mention


def _read_spans(offsets: str, surface: str, text: str, place: str, ledger: Ledger) -> list[Span]:
    """Read offsets whose ends are inclusive, unless the surface says that they are not, as in the corpus of 2011."""
    pairs = [(int(start), int(end)) for start, end in (pair.split("-") for pair in offsets.split(";"))]
    inclusive = [(start, end + 1) for start, end in pairs]
    if join_text(text, pairs) == surface != join_text(text, inclusive):
        ledger.change("offsets whose ends are exclusive", place)
        return pairs
    return inclusive


CORPUS = PublicCorpus(
    name="ddi2013",
    title="DDI corpus, drugs in DrugBank and MEDLINE (Herrero-Zazo et al. 2013; SemEval 2013 task 9)",
    licence="CC BY-NC 4.0",
    source="https://github.com/isegura/DDICorpus",
    files="DDICorpus-2013.zip (the XML, not the brat version)",
    wanted=r"\.xml",
    read=read,
    split="Train, of which 10% of the documents become dev, and Test for DrugNER task for the test",
    default_types=TYPES,
    published={
        "train + dev": Figures(documents=714, sentences=6_976, mentions=14_765),
        "test": Figures(mentions=686),
    },
    published_in="Segura-Bedmar et al. 2013",
)
