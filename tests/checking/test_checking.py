"""All rules together: on any documents, on a corpus without slips, and on real ones."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document
from disconer.checking import RULES, CheckedCorpus, Finding, Severity, check
from disconer.corpora.sample import sample
from disconer.formats import read
from tests.strategies import documents

# Few different texts, so that strings and sentences come again and again.
SENTENCES = st.sampled_from(["It gave me bad back pain.", "IT gave me bad back pain.", "No (bad) pain, no gain at all"])
MENTIONS = st.tuples(st.sampled_from("AB"), st.sampled_from([[(3, 6)], [(11, 14), (20, 24)], [(15, 25)], [(9, 14)]]))
REPETITIVE = st.builds(Document, SENTENCES, st.lists(MENTIONS, max_size=3))


def summary(findings: list[Finding]) -> Counter[object]:
    """Collect what does not depend on the order of the documents: a shared sentence is found where it comes first."""
    return Counter((finding.rule, finding.entry.file, finding.text.casefold(), finding.label) for finding in findings)


@settings(max_examples=30)
@given(st.lists(documents(), max_size=4), st.lists(documents(), max_size=2))
def test_findings_lie_in_their_documents_and_come_in_order(train: list[Document], dev: list[Document]) -> None:
    findings = check(CheckedCorpus.of({"train": train, "dev": dev}))
    places = []
    for finding in findings:
        document = {"train": train, "dev": dev}[finding.entry.file][finding.entry.number - 1]
        assert finding.document is document
        assert all(end <= len(document.text) for _, end in finding.fragments)
        places.append((finding.entry.file == "dev", finding.entry.number, finding.fragments))
        json.dumps(finding.as_json())
    assert places == sorted(places)


@settings(max_examples=30)
@given(st.lists(REPETITIVE, max_size=12), st.lists(REPETITIVE, max_size=3), st.randoms(use_true_random=False))
def test_findings_do_not_depend_on_the_order_of_documents(
    train: list[Document], dev: list[Document], chance: Random
) -> None:
    shuffled = list(train)
    chance.shuffle(shuffled)
    in_order, out_of_order = (check(CheckedCorpus.of({"train": own, "dev": dev})) for own in (train, shuffled))
    assert summary(in_order) == summary(out_of_order)


@settings(max_examples=30)
@given(st.lists(REPETITIVE, max_size=8), st.sets(st.sampled_from(list(RULES))))
def test_rules_do_not_depend_on_each_other(train: list[Document], names: set[str]) -> None:
    corpus = CheckedCorpus.of({"train": train})
    alone = check(corpus, names)
    assert summary(alone) == summary([finding for finding in check(corpus) if finding.rule in names])


def test_a_corpus_made_by_a_program_has_no_errors() -> None:
    findings = check(CheckedCorpus.of(sample()))
    assert not [finding for finding in findings if finding.severity is Severity.ERROR]
    assert not {"cuts-word", "punctuation-edge", "half-bracket", "shared-sentence"} & {one.rule for one in findings}


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_explained(rule: str) -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "rules.md"
    explained = f"| `{rule}` | {RULES[rule].severity} |"
    assert sum(line.startswith(explained) for line in page.read_text(encoding="utf-8").splitlines()) == 1


def test_chia_has_the_slips_that_are_known_of_it(chia_brat: Path) -> None:
    corpus = CheckedCorpus.of({"chia": read(chia_brat)})
    counts = Counter(finding.rule for finding in check(corpus, ["blank-edge", "text-differs", "duplicate", "same-id"]))
    assert counts == {"blank-edge": 11, "text-differs": 3, "duplicate": 24}
