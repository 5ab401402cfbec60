"""What is likely wrong in an annotated corpus, by rules that docs/how-to/checking.md explains."""

from collections.abc import Iterable

from disconer.checking.finding import CheckedCorpus, Entry, Finding, Rule, Severity
from disconer.checking.mention_rules import (
    find_blank_edges,
    find_cut_words,
    find_differing_texts,
    find_double_labels,
    find_duplicates,
    find_empty_gaps,
    find_half_brackets,
    find_punctuation_edges,
    find_wide_gaps,
)
from disconer.checking.sentence_rules import (
    find_crossing_mentions,
    find_differing_annotations,
    find_inexpressible,
    find_same_ids,
    find_shared_sentences,
)
from disconer.checking.surface_rules import find_differing_labels, find_missed_surfaces

__all__ = ["RULES", "CheckedCorpus", "Entry", "Finding", "Rule", "Severity", "check"]

RULES = {
    rule.name: rule
    for rule in (
        Rule("blank-edge", Severity.ERROR, find_blank_edges),
        Rule("text-differs", Severity.ERROR, find_differing_texts),
        Rule("duplicate", Severity.ERROR, find_duplicates),
        Rule("same-id", Severity.ERROR, find_same_ids),
        Rule("cuts-word", Severity.WARNING, find_cut_words),
        Rule("punctuation-edge", Severity.WARNING, find_punctuation_edges),
        Rule("half-bracket", Severity.WARNING, find_half_brackets),
        Rule("empty-gap", Severity.WARNING, find_empty_gaps),
        Rule("wide-gap", Severity.WARNING, find_wide_gaps),
        Rule("double-label", Severity.WARNING, find_double_labels),
        Rule("label-differs", Severity.WARNING, find_differing_labels),
        Rule("missed-surface", Severity.WARNING, find_missed_surfaces),
        Rule("annotated-differently", Severity.WARNING, find_differing_annotations),
        Rule("shared-sentence", Severity.WARNING, find_shared_sentences),
        Rule("cross-sentence", Severity.WARNING, find_crossing_mentions),
        Rule("not-expressible", Severity.WARNING, find_inexpressible),
    )
}


def check(corpus: CheckedCorpus, rules: Iterable[str] = tuple(RULES)) -> list[Finding]:
    """Find what the rules of these names say, in the order of the files, the documents and the text.

    >>> from disconer import Document
    >>> document = Document("Bad back pain.", [("ADR", [(4, 14)]), ("ADR", [(4, 12)])], id="post-1")
    >>> for finding in check(CheckedCorpus.of({"posts.jsonl": [document]})):
    ...     print(finding)
    posts.jsonl: document 'post-1': 4-12: cuts-word: ADR 'back pai' cuts 'pain'
    posts.jsonl: document 'post-1': 4-14: punctuation-edge: ADR 'back pain.' ends with a stray '.'
    """
    files = {entry.file: None for entry in corpus.entries}
    order = {file: position for position, file in enumerate(files)}
    findings = [finding for name in rules for finding in RULES[name].findings(corpus)]
    return sorted(findings, key=lambda one: (order[one.entry.file], one.entry.number, one.fragments))
