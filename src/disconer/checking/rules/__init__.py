"""Every rule, by its name; a file a family of rules."""

from disconer.checking.finding import Rule, Severity
from disconer.checking.rules.gaps import empty_gaps, wide_gaps
from disconer.checking.rules.offsets import blank_edges, cut_words, differing_texts, half_brackets, punctuation_edges
from disconer.checking.rules.repeats import double_labels, duplicates, same_ids
from disconer.checking.rules.schemes import not_expressible
from disconer.checking.rules.sentences import across_sentences, annotated_differently, shared_sentences
from disconer.checking.rules.surfaces import differing_labels, missed_surfaces

__all__ = ["RULES"]

RULES = {
    rule.name: rule
    for rule in (
        Rule("blank-edge", Severity.ERROR, blank_edges),
        Rule("text-differs", Severity.ERROR, differing_texts),
        Rule("duplicate", Severity.ERROR, duplicates),
        Rule("same-id", Severity.ERROR, same_ids),
        Rule("cuts-word", Severity.WARNING, cut_words),
        Rule("punctuation-edge", Severity.WARNING, punctuation_edges),
        Rule("half-bracket", Severity.WARNING, half_brackets),
        Rule("empty-gap", Severity.WARNING, empty_gaps),
        Rule("wide-gap", Severity.WARNING, wide_gaps),
        Rule("double-label", Severity.WARNING, double_labels),
        Rule("label-differs", Severity.WARNING, differing_labels),
        Rule("missed-surface", Severity.WARNING, missed_surfaces),
        Rule("annotated-differently", Severity.WARNING, annotated_differently),
        Rule("shared-sentence", Severity.WARNING, shared_sentences),
        Rule("cross-sentence", Severity.WARNING, across_sentences),
        Rule("not-expressible", Severity.WARNING, not_expressible),
    )
}
