"""Small corpora for the tests of rules, the mentions marked in the text."""

import re

from disconer import Document
from disconer.checking import CheckedCorpus, Finding, check

_MARK = re.compile("[⟨⟩]")


def marked(text: str, label: str = "ADR") -> Document:
    """Make a document in which every ⟨…⟩ is a mention."""
    return Document(_MARK.sub("", text), [(label, [span]) for span in _spans(text)])


def joined(text: str, label: str = "ADR") -> Document:
    """Make a document in which all ⟨…⟩ together are one mention."""
    return Document(_MARK.sub("", text), [(label, _spans(text))])


def found(rule: str, *documents: Document) -> list[Finding]:
    """Apply a rule to a file with these documents."""
    return check(CheckedCorpus.of({"a.jsonl": documents}), [rule])


def texts(rule: str, *documents: Document) -> list[str]:
    """List the text of everything that a rule finds."""
    return [finding.text for finding in found(rule, *documents)]


def _spans(text: str) -> list[tuple[int, int]]:
    offsets = [match.start() - number for number, match in enumerate(_MARK.finditer(text))]
    return list(zip(offsets[::2], offsets[1::2], strict=True))
