"""Coordinations that are made of a corpus' own mentions."""

from collections import Counter
from collections.abc import Iterable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from disconer import Document
from disconer.corpora.sample import sample
from disconer.document import Sentence
from disconer.schemes import EdgeSet, GridScheme
from disconer.tokenize import Layout
from disconer.training.coordinations import Coordinator, find_patterns

WORDS = st.sampled_from("back hip dry sore mouth skin pain loss of the".split())
PHRASES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
GAP = Document("Dry eyes or lips.", [("ADR", [(0, 8)]), ("ADR", [(0, 3), (12, 16)])])


def say(phrase: str, label: str = "ADR", before: str = "Some ", behind: str = ".") -> Document:
    """Give a sentence with a mention."""
    return Document(f"{before}{phrase}{behind}", [(label, [(len(before), len(before) + len(phrase))])])


def sentences_of(*documents: Document) -> Iterable[Sentence]:
    return (sentence for document in documents for sentence in document.sentences)


def made_of(*documents: Document, number: int = 200) -> list[Document]:
    return Coordinator(sentences_of(*documents)).draw(number, Random(0))


def texts_of(document: Document) -> list[tuple[str, str]]:
    return [(mention.label, mention.text.lower()) for mention in document]


def test_mentions_that_share_a_word_become_one_coordination() -> None:
    made = {made.text: texts_of(made) for made in made_of(GAP, say("back pain"), say("upper hip pain"))}
    assert made["Some back and upper hip pain."] == [("ADR", "back pain"), ("ADR", "upper hip pain")]
    assert made["Some upper hip or back pain."] == [("ADR", "upper hip pain"), ("ADR", "back pain")]
    assert not any("eyes" in text for text in made)  # it overlaps another: to write it anew would tear that apart
    made = {made.text: texts_of(made) for made in made_of(GAP, say("loss of hair"), say("loss of smell"))}
    assert made["Some loss of hair and/or smell."] == [("ADR", "loss of hair"), ("ADR", "loss of smell")]


def test_three_may_be_joined_and_share_what_all_of_them_have() -> None:
    documents = [say(f"{part} chest pain") for part in ("left", "right", "lower")]
    made = {made.text: made for made in made_of(GAP, *documents)}
    three = made["Some left, right and lower chest pain."]
    assert texts_of(three) == [("ADR", f"{part} chest pain") for part in ("left", "right", "lower")]
    assert [mention.is_discontinuous for mention in three] == [True, True, False]


def test_what_stands_around_stays_with_its_mentions() -> None:
    text = "No rash (Xanax):  back pain, then severe  itching"
    there = [("ADR", [(3, 7)]), ("Drug", [(9, 14)]), ("ADR", [(18, 27)]), ("ADR", [(34, 40), (42, 49)])]
    host = Document(Layout(f"First. {text}", None, ((0, 6), (7, 7 + len(text)))),
                    [(label, [(a + 7, b + 7) for a, b in spans]) for label, spans in there])  # fmt: skip
    made = {made.text: texts_of(made) for made in made_of(GAP, host, say("hip pain", before="My "))}
    expected = [
        ("ADR", "back pain"),
        ("ADR", "hip pain"),
        ("ADR", "rash"),
        ("Drug", "xanax"),
        ("ADR", "severe  itching"),
    ]
    assert made["No rash (Xanax):  back and hip pain, then severe  itching"] == expected


def test_only_plain_mentions_of_labels_that_have_gaps_are_taken() -> None:
    others = [say("pain"), say("back-pain"), say("a b c d pain"), say("hip pain", "Other"), say("toe pain", "Other")]
    assert made_of(GAP, say("back pain"), *others) == []
    assert made_of(say("back pain"), say("hip pain")) == []
    assert made_of() == []


def test_how_a_corpus_joins_is_imitated_where_it_does_so_often() -> None:
    shared = Document("back as well as hip pain.", [("ADR", [(0, 4), (20, 24)]), ("ADR", [(16, 24)])])
    documents = [*[shared] * 20, say("toe pain"), say("dry toe"), say("dry lip")]
    pattern = next(find_patterns(shared.sentences[0]))
    assert (pattern.shares_end, [piece.text for piece in pattern.connectors]) == (True, [" as well as "])
    assert {made.text for made in made_of(*documents)} == {
        "Some toe as well as hip pain.",
        "Some hip as well as toe pain.",
    }
    assert any("as well as" not in made.text for made in made_of(*documents[1:]))  # too few to go by
    apart = Document("Dry eyes; no other findings but lips.", [("ADR", [(0, 8)]), ("ADR", [(0, 3), (32, 36)])])
    assert not list(find_patterns(apart.sentences[0]))  # no connector is so long


def test_lists_are_as_long_as_the_corpus_has_them() -> None:
    text = "Dry a, b, c, d and e."
    spans = [[(0, 3), (at, at + 1)] for at in (7, 10, 13, 19)]
    listing = Document(text, [("ADR", [(0, 5)]), *(("ADR", own) for own in spans)])
    two = Document("Dry a or b.", [("ADR", [(0, 5)]), ("ADR", [(0, 3), (9, 10)])])
    toes = ["big", "small", "left", "right", "first", "last"]
    made = made_of(*[listing, two] * 10, *(say(f"dry {toe}") for toe in toes))
    counts = Counter(sum(mention.is_discontinuous for mention in document) for document in made)
    assert set(counts) == {1, 4}
    assert any(document.text.count(", ") == 3 and " and " in document.text for document in made)
    few = made_of(*[listing, two] * 10, *(say(f"dry {toe}") for toe in toes[:3]))
    assert {sum(mention.is_discontinuous for mention in document) for document in few} == {1, 3}  # as far as it goes


def test_words_stay_as_they_were_given() -> None:
    layout = Layout("Some back-of-knee pain today", ((0, 4), (5, 9), (18, 22), (23, 28)))
    host = Document(layout, [("ADR", [(5, 22)])])
    assert made_of(GAP, host, say("hip pain")) == []  # not plain: what is between its words is no blank
    layout = Layout("Some+odd back pain", ((0, 8), (9, 13), (14, 18)))
    made = made_of(GAP, Document(layout, [("ADR", [(9, 18)])]), say("hip pain"))
    kept = [document for document in made if document.text.startswith("Some+odd")]
    assert kept
    assert all(document.sentences[0].words[0] == "Some+odd" for document in kept)


@given(st.lists(st.tuples(PHRASES, st.sampled_from(["ADR", "Drug"])), max_size=12), st.integers(0, 99))
def test_whatever_is_made_reads_as_if_it_had_been_annotated(phrases: list[tuple[str, str]], seed: int) -> None:
    documents = [GAP, *(say(phrase, label) for phrase, label in phrases)]
    known = Counter(text for document in documents for text in texts_of(document))
    for made in Coordinator(sentences_of(*documents)).draw(5, Random(seed)):
        assert any(mention.is_discontinuous for mention in made)
        assert all(text in known for text in texts_of(made))
        (sentence,) = made.sentences
        assert sentence.words == Document(made.text).sentences[0].words
        mentions = {sentence.word_mention(mention) for mention in made}
        assert set(GridScheme(edges=EdgeSet.GAPS).oracle(mentions).mentions) == mentions


def test_every_epoch_and_seed_has_its_own_and_always_the_same() -> None:
    documents = sample()["train"]
    coordinators = [Coordinator(sentences_of(*documents)) for _ in range(2)]
    epochs = [(seed, epoch) for seed in (0, 1) for epoch in (1, 2)]
    drawn = [[coordinator.draw_for_epoch(0.1, *which) for which in epochs] for coordinator in coordinators]
    assert drawn[0] == drawn[1]
    assert len({tuple(made.text for made in own) for own in drawn[0]}) == len(epochs)
    gapped = sum(sentence.has_gaps for sentence in sentences_of(*documents))
    assert {len(own) for own in drawn[0]} == {round(0.1 * gapped)}
    assert coordinators[0].draw_for_epoch(0, 0, 1) == []
