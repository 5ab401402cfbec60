"""brat's annotations inside a download, read with whatever quirks their owner left in them."""

from collections.abc import Iterable, Iterator

from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.document import Document, Mention
from disconer.formats.brat import MentionLine, mention_line, numbered_lines, without_foreign_mark
from disconer.formats.brat.lines import KINDS
from disconer.tokenize import Layout, Split


def standoff_documents(download: Download, texts: dict[str, str], annotations: dict[str, str]) -> Iterator[Document]:
    """Make a document of every text and its annotation file; both are names by the documents' ids."""
    for identifier in download.having_both(texts, annotations):
        text = download.text(texts[identifier], keeps_mark=True)
        lines = list(_mention_lines(identifier, download.text(annotations[identifier]), download.ledger))
        layout = Layout(without_foreign_mark(text, lines), split=Split.ALWAYS)
        yield Document(layout, _mentions(identifier, layout, lines, download.ledger), identifier)


def _mention_lines(identifier: str, content: str, ledger: Ledger) -> Iterator[MentionLine]:
    for number, line in numbered_lines(content):
        found = mention_line(line.rstrip())
        if found:
            yield found
        elif line[0] not in KINDS:
            ledger.skip("unparsable", f"document {identifier} line {number}")


def _mentions(identifier: str, layout: Layout, lines: Iterable[MentionLine], ledger: Ledger) -> Iterator[Mention]:
    for line in lines:
        place = f"document {identifier} {line.identifier}"
        if line.spans != sorted(line.spans):
            ledger.change("fragments out of order, sorted", f"{place} {line.label}")
        mention = ledger.mention(line.label, line.spans, layout, place, {"id": line.identifier})
        if mention:
            if line.surface is not None:
                ledger.compare(mention, line.spans, line.surface, place)
            yield mention
