"""What is likely wrong in an annotated corpus, by rules that docs/how-to/checking.md explains."""

from collections.abc import Iterable

from disconer.checking.corpus import Corpus, Entry
from disconer.checking.finding import Finding, Rule, Severity
from disconer.checking.rules import RULES

__all__ = ["RULES", "Corpus", "Entry", "Finding", "Rule", "Severity", "check"]


def check(corpus: Corpus, rules: Iterable[str] = tuple(RULES)) -> list[Finding]:
    """Find what the rules of these names say, in the order of the files, the documents and the text.

    >>> from disconer import Document
    >>> document = Document("Bad back pain.", [("ADR", [(4, 14)]), ("ADR", [(4, 12)])], id="post-1")
    >>> for finding in check(Corpus.of({"posts.jsonl": [document]})):
    ...     print(finding)
    posts.jsonl: document 'post-1': 4-12: cuts-word: ADR 'back pai' cuts 'pain'
    posts.jsonl: document 'post-1': 4-14: punctuation-edge: ADR 'back pain.' ends with a stray '.'
    """
    files = {entry.file: None for entry in corpus.entries}
    order = {file: position for position, file in enumerate(files)}
    findings = [finding for name in rules for finding in RULES[name].findings(corpus)]
    return sorted(findings, key=lambda one: (order[one.entry.file], one.entry.number, one.fragments))
