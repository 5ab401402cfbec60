"""Coordinations that are made of a corpus' own mentions."""

from collections.abc import Iterable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from disconer import Document
from disconer.corpora.sample import sample
from disconer.document import Sentence
from disconer.schemes import EdgeSet, GridScheme
from disconer.tokenize import Layout
from disconer.training.coordinations import Coordinator

WORDS = st.sampled_from("back hip dry sore mouth skin pain loss of the".split())
PHRASES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
GAP = Document("Dry eyes or lips.", [("ADR", [(0, 8)]), ("ADR", [(0, 3), (12, 16)])])


def say(phrase: str, label: str = "ADR", before: str = "Some ", behind: str = ".") -> Document:
    """Give a sentence with a mention."""
    return Document(f"{before}{phrase}{behind}", [(label, [(len(before), len(before) + len(phrase))])])


def sentences_of(*documents: Document) -> Iterable[Sentence]:
    return (sentence for document in documents for sentence in document.sentences)


def draw_from(*documents: Document, number: int = 400) -> list[Document]:
    return Coordinator(sentences_of(*documents)).draw(number, Random(0))


def with_gaps(made: Iterable[Document]) -> list[Document]:
    return [document for document in made if any(mention.is_discontinuous for mention in document)]


def texts_of(document: Document) -> list[tuple[str, str]]:
    return [(mention.label, mention.text.lower()) for mention in document]


def test_mentions_that_share_a_word_become_one_coordination() -> None:
    made = {made.text: texts_of(made) for made in draw_from(GAP, say("back pain"), say("upper hip pain"))}
    assert made["Some back and upper hip pain."] == [("ADR", "back pain"), ("ADR", "upper hip pain")]
    assert made["Some upper hip or back pain."] == [("ADR", "upper hip pain"), ("ADR", "back pain")]
    assert not any(text.startswith("Dry") for text in made)  # overlaps another: to write it anew would tear that apart
    made = {made.text: texts_of(made) for made in draw_from(GAP, say("loss of hair"), say("loss of smell"))}
    assert made["Some loss of hair and/or smell."] == [("ADR", "loss of hair"), ("ADR", "loss of smell")]


def test_three_may_be_joined_and_share_what_all_of_them_have() -> None:
    documents = [say(f"{part} chest pain") for part in ("left", "right", "lower")]
    made = {made.text: made for made in draw_from(GAP, *documents)}
    three = made["Some left, right and lower chest pain."]
    assert texts_of(three) == [("ADR", f"{part} chest pain") for part in ("left", "right", "lower")]
    assert [mention.is_discontinuous for mention in three] == [True, True, False]
    assert not any("chest and" in text for document in with_gaps(made.values()) for text in [document.text])


def test_lists_of_whole_mentions_are_made_too() -> None:
    made = draw_from(GAP, say("back pain"), say("hip pain"), say("dizziness"))
    wholes = {document.text: texts_of(document) for document in made if document not in with_gaps(made)}
    assert wholes["Some back pain and hip pain."] == [("ADR", "back pain"), ("ADR", "hip pain")]
    assert wholes["Some dizziness or hip pain."] == [("ADR", "dizziness"), ("ADR", "hip pain")]
    assert 0.2 < len(wholes) / len({document.text for document in made}) < 1


def test_a_sentence_may_get_two_coordinations_whose_parts_do_not_mix() -> None:
    host = Document("Some back pain after dry skin.", [("ADR", [(5, 14)]), ("ADR", [(21, 29)])])
    made = {made.text: texts_of(made) for made in draw_from(GAP, host, say("hip pain"), say("dry mouth"))}
    mentions = made["Some hip and back pain after dry skin or mouth."]
    assert set(mentions) == {("ADR", text) for text in ("hip pain", "back pain", "dry skin", "dry mouth")}


def test_as_many_words_are_shared_as_the_corpus_has_it() -> None:
    text = "Central or mixed sleep apnea."
    longer = Document(text, [("ADR", [(0, 7), (17, 28)]), ("ADR", [(11, 28)])])
    documents = [*[longer] * 20, say("upper chest pain"), say("hip pain")]
    assert {document.text for document in with_gaps(draw_from(*documents)) if "hip" in document.text} == {
        "Some hip or upper chest pain.",  # nobody has "hip chest pain", but so it is said
        "Some upper or hip chest pain.",
    }
    text = "Severe back or hip pain."
    both = Document(text, [("ADR", [(0, 11), (19, 23)]), ("ADR", [(0, 6), (15, 23)])])
    made = {made.text: texts_of(made) for made in draw_from(*[both] * 20, say("mild toe pain"), say("mild ankle pain"))}
    assert made["Some mild toe or ankle pain."] == [("ADR", "mild toe pain"), ("ADR", "mild ankle pain")]


def test_mentions_are_not_cut_at_words_that_are_at_home_elsewhere() -> None:
    phrases = ["rises in pain", "back pain", "loss of hair", "loss with fever"]
    documents = [GAP, *(say(phrase, before="Those in need of rest with ") for phrase in phrases)]
    assert any(" rises in or back pain" in document.text for document in with_gaps(draw_from(*documents)))
    often = [Document("Those in need of rest came with many others.")] * 4
    assert not with_gaps(draw_from(*documents, *often))


def test_what_stands_around_stays_with_its_mentions() -> None:
    text = "No rash (Xanax):  back pain, then severe  itching"
    there = [("ADR", [(3, 7)]), ("Drug", [(9, 14)]), ("ADR", [(18, 27)]), ("ADR", [(34, 40), (42, 49)])]
    host = Document(Layout(f"First. {text}", None, ((0, 6), (7, 7 + len(text)))),
                    [(label, [(a + 7, b + 7) for a, b in spans]) for label, spans in there])  # fmt: skip
    made = {made.text: texts_of(made) for made in draw_from(GAP, host, say("hip pain", before="My "))}
    expected = [
        ("ADR", "back pain"),
        ("ADR", "hip pain"),
        ("ADR", "rash"),
        ("Drug", "xanax"),
        ("ADR", "severe  itching"),
    ]
    assert made["No rash (Xanax):  back and hip pain, then severe  itching"] == expected


def test_only_plain_mentions_of_labels_that_have_gaps_are_taken() -> None:
    others = [say("back-pain"), say("a b c d e pain"), say("hip pain", "Other"), say("toe pain", "Other")]
    made = draw_from(GAP, say("back pain"), *others)
    assert {mention.text for document in made for mention in document} == {"back pain", "Dry eyes"}
    assert draw_from(say("back pain"), say("hip pain")) == []
    assert draw_from() == []


def test_how_a_corpus_joins_is_imitated_where_it_does_so_often() -> None:
    shared = Document("back as well as hip pain.", [("ADR", [(0, 4), (20, 24)]), ("ADR", [(16, 24)])])
    documents = [*[shared] * 20, say("toe pain"), say("dry toe"), say("dry lip")]
    made = draw_from(*documents)
    assert {document.text for document in with_gaps(made)} == {
        "Some toe as well as hip pain.",
        "Some hip as well as toe pain.",
    }
    assert all("as well as" in document.text for document in made)
    assert any("as well as" not in document.text for document in draw_from(*documents[1:]))  # too few to go by


def test_lists_are_as_long_as_the_corpus_has_them() -> None:
    text = "Dry a, b, c, d and e."
    spans = [[(0, 3), (at, at + 1)] for at in (7, 10, 13, 19)]
    listing = Document(text, [("ADR", [(0, 5)]), *(("ADR", own) for own in spans)])
    two = Document("Dry a or b.", [("ADR", [(0, 5)]), ("ADR", [(0, 3), (9, 10)])])
    toes = ["big", "small", "left", "right", "first", "last"]
    made = draw_from(*[listing, two] * 10, *(say(f"dry {toe}") for toe in toes))
    assert {sum(mention.is_discontinuous for mention in document) for document in with_gaps(made)} == {1, 4}
    assert any(document.text.count(", ") == 3 and " and " in document.text for document in made)
    few = draw_from(*[listing, two] * 10, *(say(f"dry {toe}") for toe in toes[:2]))
    assert all(len(document) == 2 for document in few)  # there is nothing to make longer ones of


def test_words_stay_as_they_were_given() -> None:
    layout = Layout("Some back-of-knee pain today", ((0, 4), (5, 9), (18, 22), (23, 28)))
    host = Document(layout, [("ADR", [(5, 22)])])
    assert not with_gaps(draw_from(GAP, host, say("hip pain")))  # not plain: what is between its words is no blank
    layout = Layout("Some+odd back pain", ((0, 8), (9, 13), (14, 18)))
    made = draw_from(GAP, Document(layout, [("ADR", [(9, 18)])]), say("hip pain"))
    kept = [document for document in made if document.text.startswith("Some+odd")]
    assert kept
    assert all(document.sentences[0].words[0] == "Some+odd" for document in kept)


@given(st.lists(st.tuples(PHRASES, st.sampled_from(["ADR", "Drug"])), max_size=12), st.integers(0, 99))
def test_whatever_is_made_reads_as_if_it_had_been_annotated(phrases: list[tuple[str, str]], seed: int) -> None:
    documents = [GAP, *(say(phrase, label) for phrase, label in phrases)]
    known = {text for document in documents for text in texts_of(document)}
    for made in Coordinator(sentences_of(*documents)).draw(5, Random(seed)):
        assert len(made) > 1
        assert all(text in known for text in texts_of(made))  # with the usual habits, a single word is shared
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
