"""Knowtator's annotations inside a download, read with whatever quirks their owner left in them."""

from typing import Any

from disconer.corpora.ledger import Ledger
from disconer.document import Mention
from disconer.formats.knowtator.annotations import Annotation
from disconer.tokenize import Layout


def mention_of(
    annotation: Annotation, label: str, layout: Layout, document: str, ledger: Ledger, **links: Any
) -> Mention | None:
    """Make a mention with a label of an annotation; None, and told, when it cannot be one."""
    place = f"document {document} {annotation.identifier}"
    spans = [span for span in annotation.spans if span[0] != span[1]]
    if annotation.problem or not spans:
        ledger.skip(annotation.problem or "an annotation that marks no character", place)
        return None
    if len(spans) < len(annotation.spans):
        ledger.change("empty fragments, left out", place)
    if spans != sorted(spans):
        ledger.change("fragments out of order, sorted", place)
    mention = ledger.mention(label, spans, layout, place, {"id": annotation.identifier, **links})
    if mention and not annotation.is_repeating(layout.text[start:end] for start, end in spans):
        ledger.compare(mention, spans, annotation.surface or "", place)
    return mention
