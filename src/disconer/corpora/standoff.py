"""brat's annotations inside a download, read with whatever quirks their owner left in them."""

from collections.abc import Iterable, Iterator

from disconer.corpora.ledger import Ledger
from disconer.document import Document, Mention
from disconer.formats.brat import mention_line
from disconer.tokenize import Layout, Split


def standoff_document(identifier: str, text: str, lines: Iterable[str], ledger: Ledger) -> Document:
    """Make a document of a text and the lines of its annotation file."""
    layout = Layout(text, split=Split.ALWAYS)
    return Document(layout, _mentions(identifier, layout, lines, ledger), identifier)


def _mentions(identifier: str, layout: Layout, lines: Iterable[str], ledger: Ledger) -> Iterator[Mention]:
    for number, line in enumerate(lines, start=1):
        if not line.startswith("T"):
            continue
        found = mention_line(line.rstrip())
        if not found:
            ledger.skip("unparsable", f"document {identifier} line {number}")
            continue
        place = f"document {identifier} {found.identifier}"
        if found.spans != sorted(found.spans):
            ledger.change("fragments out of order, sorted", f"{place} {found.label}")
        mention = ledger.mention(found.label, found.spans, layout, place, {"id": found.identifier})
        if mention:
            if found.surface is not None:
                ledger.compare(mention, found.spans, found.surface, place)
            yield mention
