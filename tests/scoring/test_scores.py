from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, read
from disconer.exceptions import MismatchError
from disconer.scoring import SCOPES, Counts, Scores, pair_documents, score_pairs
from disconer.scoring.scores import sentence_counts
from disconer.tokenize import Layout
from tests.strategies import documents, mentions

LINE = "Severe joint and shoulder pain and also nausea"
SEVERE, JOINT, SHOULDER, PAIN, NAUSEA = (0, 6), (7, 12), (17, 25), (26, 30), (40, 46)


def scored(gold: list[Document], predicted: list[Document]) -> Scores:
    return score_pairs(pair_documents(gold, predicted))


class TestCounts:
    def test_nothing_divided_by_nothing_is_nothing(self) -> None:
        assert (Counts().precision, Counts().recall, Counts().f1) == (0.0, 0.0, 0.0)

    @given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
    def test_f1_is_the_harmonic_mean(self, gold: set[object], predicted: set[object]) -> None:
        counts = Counts.of(gold, predicted)
        if counts.correct:
            mean = 2 * counts.precision * counts.recall / (counts.precision + counts.recall)
            assert counts.f1 == pytest.approx(mean)
        else:
            assert counts.f1 == 0


class TestScopes:
    gold = Document(
        f"{LINE}\n\nNausea again, severe back pain",
        [
            ("ADR", [SEVERE, JOINT, PAIN]),
            ("ADR", [SEVERE, SHOULDER, PAIN]),
            ("ADR", [NAUSEA]),
            ("ADR", [(48, 54)]),
            ("Grade", [(62, 68)]),
        ],
    )
    predicted = Document(
        gold.text,
        [
            ("ADR", [SEVERE, JOINT, PAIN]),  # right
            ("ADR", [SHOULDER, PAIN]),  # a fragment is missing
            ("Grade", [NAUSEA]),  # the label is wrong
            ("ADR", [(48, 54)]),  # right, in a sentence without discontinuous gold
            ("ADR", [(62, 68), (74, 78)]),  # a false positive there
            ("ADR", [(48, 54)]),  # said twice, counts once
        ],
    )
    scores = scored([gold], [predicted])

    def test_all_mentions(self) -> None:
        assert self.scores.all == Counts(gold=5, predicted=5, correct=2)

    def test_sentences_whose_gold_has_a_discontinuous_mention(self) -> None:
        assert self.scores.disc_sentences == Counts(gold=3, predicted=3, correct=1)

    def test_discontinuous_mentions_with_false_positives_of_every_sentence(self) -> None:
        assert self.scores.disc_mentions == Counts(gold=2, predicted=2, correct=1)

    def test_labels_and_their_unweighted_mean(self) -> None:
        assert self.scores.labels == {"ADR": Counts(4, 4, 2), "Grade": Counts(1, 1, 0)}
        assert self.scores.macro["f1"] == pytest.approx((0.5 + 0) / 2)
        assert self.scores.macro["gold"] == 5

    def test_the_mean_is_over_golds_labels_only(self) -> None:
        scores = scored([Document("a b", [("X", [(0, 1)])])], [Document("a b", [("X", [(0, 1)]), ("Y", [(2, 3)])])])
        assert scores.macro == {"precision": 1, "recall": 1, "f1": 1, "gold": 1, "predicted": 1, "correct": 1}
        assert scores.labels["Y"] == Counts(0, 1, 0)

    def test_a_mention_is_correct_in_a_bin_when_both_sides_have_it_there(self) -> None:
        overlap = self.scores.breakdowns["overlap"]
        # Gold's two share "Severe" and "pain"; of the predictions only "pain" is shared with the first.
        assert overlap["multi"] == Counts(gold=2, predicted=0, correct=0)
        assert overlap["right"] == Counts(gold=0, predicted=1, correct=0)
        assert overlap["no"] == Counts(gold=0, predicted=1, correct=0)
        assert self.scores.breakdowns["span"]["5"] == Counts(gold=2, predicted=1, correct=1)


def test_fragments_with_only_white_space_between_are_one_on_both_sides() -> None:
    scores = scored([Document("a  b c", [("X", [(0, 4)])])], [Document("a  b c", [("X", [(0, 1), (3, 4)])])])
    assert scores.all.f1 == 1
    assert scores.disc_mentions == Counts()


def test_a_mention_across_sentences_counts_where_it_begins() -> None:
    gold = Document("a b\n\nc d", [("X", [(0, 1), (5, 6)]), ("X", [(7, 8)])])
    assert scored([gold], [gold]).disc_sentences == Counts(1, 1, 1)


def test_a_mention_that_begins_with_white_space_counts_where_its_words_are() -> None:
    text = "Nausea.\n Bad joint and back pain"
    gold = Document(text, [("X", [(8, 18), (28, 32)]), ("Y", [(23, 27)]), ("Z", [(9, 12)]), ("Z", [(0, 6)])])
    assert scored([gold], [gold]).disc_sentences == Counts(3, 3, 3)


def test_the_json_has_the_documented_keys() -> None:
    results = TestScopes.scores.as_json()
    assert list(results) == [
        "all", "disc_sentences", "disc_mentions", "macro", "labels", "overlap", "interval", "span",
    ]  # fmt: skip
    assert list(results["overlap"]) == ["no", "left", "right", "multi", "inner"]
    assert list(results["interval"]) == ["1", "2", "3", "4", "5", "6", "7+"]
    assert list(results["span"]) == ["3", "4", "5", "6", "7", "8", "9+"]
    six = ["precision", "recall", "f1", "gold", "predicted", "correct"]
    assert all(list(results[key]) == six for key in ("all", "disc_sentences", "disc_mentions", "macro"))
    assert all(
        list(values) == six for key in ("labels", "overlap", "interval", "span") for values in results[key].values()
    )


@st.composite
def both_sides(draw: st.DrawFn) -> tuple[Document, Document]:
    gold = draw(documents().filter(lambda document: bool(document.text)))
    found = [mention for mention in gold if draw(st.booleans())]
    return gold, gold.with_mentions([*found, *draw(st.lists(mentions(gold.layout), max_size=3))])


@given(both_sides())
def test_each_breakdown_adds_up_and_sides_may_be_swapped(sides: tuple[Document, Document]) -> None:
    gold, predicted = sides
    scores, swapped = scored([gold], [predicted]), scored([predicted], [gold])
    assert (scores.all.precision, scores.all.recall) == (swapped.all.recall, swapped.all.precision)
    assert sum(scores.labels.values(), Counts()) == scores.all
    for bins in scores.breakdowns.values():
        total = sum(bins.values(), Counts())
        assert (total.gold, total.predicted) == (scores.disc_mentions.gold, scores.disc_mentions.predicted)
        assert total.correct <= scores.disc_mentions.correct
    for name in ("interval", "span"):
        assert sum(scores.breakdowns[name].values(), Counts()) == scores.disc_mentions


@given(both_sides())
def test_counts_equal_a_plain_comparison_of_sets(sides: tuple[Document, Document]) -> None:
    gold, predicted = ({(mention.label, mention.fragments) for mention in side} for side in sides)
    assert scored([sides[0]], [sides[1]]).all == Counts(len(gold), len(predicted), len(gold & predicted))


def test_gold_against_itself_is_perfect(corpora: Path) -> None:
    path = corpora / "tac2017_adr" / "dev.jsonl"
    scores = scored(list(read(path)), list(read(path)))
    assert scores.all == Counts(1144, 1144, 1144)
    assert scores.disc_mentions == Counts(86, 86, 86)
    assert scores.macro["f1"] == 1


class TestPairing:
    def test_matches_by_id_in_any_order(self) -> None:
        gold = [Document("a", id="1"), Document("b", id=2)]
        pairs = pair_documents(gold, [Document("b", [("X", [(0, 1)])], id="2"), Document("a", id="1")])
        assert [(one.text, len(other)) for one, other in pairs] == [("a", 0), ("b", 1)]

    def test_matches_by_order_without_ids_on_one_side(self) -> None:
        assert len(pair_documents([Document("a", id="1")], [Document("a")])) == 1

    def test_equal_sequences_of_ids_may_repeat_one(self) -> None:
        twice = [Document("a", id="1"), Document("b", id="1")]
        assert len(pair_documents(twice, twice)) == 2

    def test_predictions_take_over_golds_sentences(self) -> None:
        gold = Document("a b\n\nc", [("X", [(0, 1), (2, 3)])])
        ((_, predicted),) = pair_documents([gold], [Document("a b\n\nc", [("X", [(0, 1)])])])
        assert predicted.layout is gold.layout

    @pytest.mark.parametrize(
        ("gold", "predicted", "complaint"),
        [
            ([("1", "a"), ("2", "b")], [("1", "a")], "the document '2' is missing from the predictions"),
            ([("1", "a")], [("1", "a"), ("2", "b")], "the document '2' is in the predictions but not in gold"),
            ([("1", "abc")], [("1", "abd")], "document '1' has another text .* from character 2 on"),
            ([("1", "abc")], [("1", "ab")], "2 characters instead of 3"),
            ([(None, "a"), (None, "b")], [(None, "a"), (None, "c")], "document 2 has another text"),
            ([(None, "a")], [(None, "a"), (None, "b")], "gold has 1 document and the predictions 2"),
            ([("1", "a"), ("1", "b")], [("1", "a"), ("2", "b")], "the id '1' stands twice in gold"),
            ([("1", "a"), (None, "b")], [("1", "a"), ("2", "b")], "document 2 of gold has no id"),
        ],
    )
    def test_what_does_not_belong_together_is_named(
        self, gold: list[tuple[str | None, str]], predicted: list[tuple[str | None, str]], complaint: str
    ) -> None:
        sides = [[Document(text, id=identifier) for identifier, text in side] for side in (gold, predicted)]
        with pytest.raises(MismatchError, match=complaint):
            pair_documents(*sides)


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
    scores, counts = score_pairs(both), sentence_counts(both)
    for scope in SCOPES:
        assert sum(counts[scope], Counts()) == getattr(scores, scope)
    assert len({len(own) for own in counts.values()}) == 1


def test_every_sentence_counts_even_without_a_mention() -> None:
    gold = Document("Pain. Nothing here. Back pain.", [("A", [(0, 4)])])
    split = [Document(gold.layout, gold.mentions)]
    counts = sentence_counts(pair_documents(split, split))
    assert len(counts["all"]) == len(gold.layout.sentences)


def test_text_before_the_first_sentence_counts_the_same_whoever_finds_something_there() -> None:
    layout = Layout("Title: back pain.", None, ((7, 17),))
    gold, nothing = Document(layout, [("A", [(7, 16)])]), Document(layout)
    something = Document(layout, [("A", [(0, 5)])])
    lengths = {len(sentence_counts([(gold, one)])["all"]) for one in (nothing, something)}
    assert lengths == {2}
    blank = Layout("  ")
    assert len(sentence_counts([(Document(blank), Document(blank, [("A", [(0, 1)])]))])["all"]) == 1
