from hypothesis import given
from hypothesis import strategies as st

from disconer import Document
from disconer.scoring import SCOPES, Counts, paired, score
from disconer.scoring.sentences import sentence_counts
from disconer.tokenize import Layout
from tests.strategies import documents, mentions


@st.composite
def pairs(draw: st.DrawFn) -> list[tuple[Document, Document]]:
    gold = draw(st.lists(documents(), max_size=3))
    predicted = [
        one.with_mentions(draw(st.lists(mentions(one.layout) | st.sampled_from(one.mentions or [None]), max_size=3)))
        if one.text and one.mentions
        else one.with_mentions([])
        for one in gold
    ]
    return list(zip(gold, predicted, strict=True))


@given(pairs())
def test_the_sentences_add_up_to_the_scores(both: list[tuple[Document, Document]]) -> None:
    scores, counts = score(both), sentence_counts(both)
    for scope in SCOPES:
        assert sum(counts[scope], Counts()) == getattr(scores, scope)
    assert len({len(own) for own in counts.values()}) == 1


def test_every_sentence_counts_even_without_a_mention() -> None:
    gold = Document("Pain. Nothing here. Back pain.", [("A", [(0, 4)])])
    split = [Document(gold.layout, gold.mentions)]
    counts = sentence_counts(paired(split, split))
    assert len(counts["all"]) == len(gold.layout.sentences)


def test_text_before_the_first_sentence_counts_the_same_whoever_finds_something_there() -> None:
    layout = Layout("Title: back pain.", None, ((7, 17),))
    gold, nothing = Document(layout, [("A", [(7, 16)])]), Document(layout)
    something = Document(layout, [("A", [(0, 5)])])
    lengths = {len(sentence_counts([(gold, one)])["all"]) for one in (nothing, something)}
    assert lengths == {2}
    blank = Layout("  ")
    assert len(sentence_counts([(Document(blank), Document(blank, [("A", [(0, 1)])]))])["all"]) == 1
