"""Annotations in brat's or Knowtator's format inside a download, with whatever quirks their owner left in them."""

from collections.abc import Iterable, Iterator
from typing import Any

from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.document import Document, Mention
from disconer.formats.brat import LINE_KINDS, MentionLine, drop_foreign_mark, number_lines, read_mention_line
from disconer.formats.knowtator.annotations import KnowtatorAnnotation
from disconer.tokenize import Layout, Split


def read_brat(download: Download, texts: dict[str, str], annotations: dict[str, str]) -> Iterator[Document]:
    """Make a document of every text and its annotation file; both are names by the documents' ids."""
    for identifier in download.find_paired(texts, annotations):
        text = download.text(texts[identifier], keeps_mark=True)
        lines = list(_read_mention_lines(identifier, download.text(annotations[identifier]), download.ledger))
        layout = Layout(drop_foreign_mark(text, lines), split=Split.ALWAYS)
        yield Document(layout, _read_mentions(identifier, layout, lines, download.ledger), identifier)


def _read_mention_lines(identifier: str, content: str, ledger: Ledger) -> Iterator[MentionLine]:
    for number, line in number_lines(content):
        found = read_mention_line(line.rstrip())
        if found:
            yield found
        elif line[0] not in LINE_KINDS:
            ledger.skip("unparsable", f"document {identifier} line {number}")


def _read_mentions(identifier: str, layout: Layout, lines: Iterable[MentionLine], ledger: Ledger) -> Iterator[Mention]:
    for line in lines:
        place = f"document {identifier} {line.identifier}"
        if line.spans != sorted(line.spans):
            ledger.change("fragments out of order, sorted", f"{place} {line.label}")
        mention = ledger.make_mention(line.label, line.spans, layout, place, {"id": line.identifier})
        if mention:
            if line.surface is not None:
                ledger.compare(mention, line.spans, line.surface, place)
            yield mention


def read_annotation(
    annotation: KnowtatorAnnotation, label: str, layout: Layout, document: str, ledger: Ledger, **links: Any
) -> Mention | None:
    """Make a mention of an annotation; None, and reported, when it cannot be one."""
    place = f"document {document} {annotation.identifier}"
    spans = [span for span in annotation.spans if span[0] != span[1]]
    if annotation.problem or not spans:
        ledger.skip(annotation.problem or "an annotation that marks no character", place)
        return None
    if len(spans) < len(annotation.spans):
        ledger.change("empty fragments, left out", place)
    if spans != sorted(spans):
        ledger.change("fragments out of order, sorted", place)
    mention = ledger.make_mention(label, spans, layout, place, {"id": annotation.identifier, **links})
    if mention and not annotation.is_repeating(layout.text[start:end] for start, end in spans):
        ledger.compare(mention, spans, annotation.surface or "", place)
    return mention
