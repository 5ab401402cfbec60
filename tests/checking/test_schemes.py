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


def test_a_sentence_that_is_too_complicated_is_told_once_and_its_mentions_are_not_lost() -> None:
    text = "bad neck and arm pain\n\nbad hip"
    document = Document(text, [("ADR", [(0, 3), (17, 21)]), ("ADR", [(4, 8), (13, 16)]), ("ADR", [(23, 30)])])
    (finding,) = check(Corpus.of({"a.jsonl": [document]}, GridScheme(budget=1)), ["not-expressible"])
    assert (finding.text, finding.label, finding.sentence) == ("bad neck and arm pain", None, 1)
    assert finding.message == "'bad neck and arm pain' is too complicated for the grid scheme to decode in full"
    assert messages(document, GridScheme()) == []


def test_thousands_of_mentions_in_a_sentence_take_no_time() -> None:
    mentions = [("ADR", [(start, start + 1), (start + 4, start + 5)]) for start in range(0, 6 * 3_000, 6)]
    assert messages(Document("a b c " * 3_000, mentions), GridScheme()) == []


def test_mentions_that_cut_words_are_judged_by_their_words() -> None:
    assert messages(Document("bad pain", [("ADR", [(4, 7)]), ("ADR", [(4, 8)])]), GridScheme()) == []
