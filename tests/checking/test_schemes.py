"""Mentions that a scheme cannot express."""

from disconer import Document
from disconer.checking import Corpus, check
from disconer.schemes import BioeScheme, GridScheme, Scheme


def messages(document: Document, scheme: Scheme) -> list[str]:
    corpus = Corpus.of({"a.jsonl": [document]}, scheme)
    return [finding.message for finding in check(corpus, ["not-expressible"])]


def test_what_the_scheme_loses_and_what_it_invents_is_found() -> None:
    text = "left or right hip or knee"
    crossing = Document(text, [("ADR", [(0, 4), (14, 17)]), ("ADR", [(8, 13), (21, 25)])])
    assert messages(crossing, GridScheme()) == []
    said = messages(crossing, BioeScheme())
    assert any("is lost by the bioe scheme" in message for message in said)
    assert any("is not annotated, but the bioe scheme reads it" in message for message in said)


def test_mentions_that_cut_words_are_judged_by_their_words() -> None:
    assert messages(Document("bad pain", [("ADR", [(4, 7)]), ("ADR", [(4, 8)])]), GridScheme()) == []
