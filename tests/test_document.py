import copy
import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, Fragment, InputError, Mention, Sentence
from disconer.exceptions import OffsetError
from disconer.passage import WordMention
from disconer.tokenize import Layout
from tests.strategies import documents

TEXT = "Severe joint, shoulder and upper body pain."


def mention(*fragments: tuple[int, int], text: str = TEXT) -> Mention:
    return Mention("ADR", fragments, text)


class TestFragment:
    @pytest.mark.parametrize(("start", "end"), [(3, 3), (5, 2), (-1, 4), (0.5, 1.5), (False, True)])
    def test_refuses_what_is_no_stretch_of_text(self, start: int, end: int) -> None:
        with pytest.raises(OffsetError, match="is no fragment"):
            Fragment(start, end)

    def test_is_immutable_and_ordered(self) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError):
            Fragment(0, 3).start = 1  # type: ignore[misc]
        assert sorted([Fragment(5, 6), Fragment(0, 9), Fragment(0, 3)]) == [
            Fragment(0, 3),
            Fragment(0, 9),
            Fragment(5, 6),
        ]


class TestMention:
    def test_orders_its_fragments(self) -> None:
        assert mention((38, 42), (0, 6), (14, 22)).fragments == (Fragment(0, 6), Fragment(14, 22), Fragment(38, 42))

    @pytest.mark.parametrize("between", ["", " ", " \r\n\t", "\u00a0\u2028"])
    def test_merges_fragments_with_only_white_space_between(self, between: str) -> None:
        text = f"joint{between}pain"
        merged = mention((0, 5), (len(text) - 4, len(text)), text=text)
        assert merged.fragments == (Fragment(0, len(text)),)
        assert not merged.is_discontinuous

    def test_keeps_fragments_apart_that_text_separates(self) -> None:
        assert mention((0, 12), (38, 42)).is_discontinuous

    def test_text_is_the_fragments_joined_by_one_space(self) -> None:
        assert mention((0, 6), (14, 22), (38, 42)).text == "Severe shoulder pain"

    def test_words_are_whole_and_leave_out_the_gap(self) -> None:
        assert mention((0, 3), (38, 42)).words == ("Severe", "pain")
        assert mention((0, 3), (38, 42)).word_indices == (0, 7)

    def test_widening_reaches_the_ends_of_words_and_no_further(self) -> None:
        cutting = mention((2, 9), (38, 40))
        assert cutting.is_cutting_words
        assert cutting.widened.fragments == (Fragment(0, 12), Fragment(38, 42))
        assert not cutting.widened.is_cutting_words

    def test_widening_joins_fragments_that_cut_the_same_word(self) -> None:
        assert mention((0, 2), (4, 6)).widened.fragments == (Fragment(0, 6),)

    def test_widening_leaves_white_space_out(self) -> None:
        assert mention((6, 13)).widened.fragments == (Fragment(7, 13),)

    @pytest.mark.parametrize(
        ("fragments", "complaint"),
        [
            ([], "at least one fragment"),
            ([(0, 6), (4, 12)], "overlap"),
            ([(6, 0)], "reversed"),
            ([(3, 3)], "empty"),
            ([(0, 44)], "outside the text, which has 43 characters"),
            ([(-2, 4)], "outside the text"),
            ([(0, 2, 4)], "pair of whole numbers"),
            ([(0.0, 2.0)], "pair of whole numbers"),
            ([(False, True)], "pair of whole numbers"),
        ],
    )
    def test_refuses_fragments_that_do_not_lie_in_the_text(
        self, fragments: list[tuple[int, ...]], complaint: str
    ) -> None:
        with pytest.raises(OffsetError, match=complaint):
            Mention("ADR", fragments, TEXT)

    @pytest.mark.parametrize("label", ["", None, 3, "half a pair \ud83d"])
    def test_refuses_what_is_no_label(self, label: str) -> None:
        with pytest.raises(InputError, match="label"):
            Mention(label, [(0, 6)], TEXT)

    @pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), True, "0.5"])
    def test_refuses_a_score_that_is_no_probability(self, score: float) -> None:
        with pytest.raises(InputError, match="score must be a number from 0 to 1"):
            Mention("ADR", [(0, 6)], TEXT, score)

    def test_is_immutable_and_hashable(self) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError):
            mention((0, 6)).label = "X"  # type: ignore[misc]
        assert len({mention((0, 6)), mention((0, 6)), mention((7, 12))}) == 2


class TestDocument:
    def test_iterates_over_its_mentions(self) -> None:
        document = Document(TEXT, [("ADR", [(0, 12), (38, 42)]), ("POB", [(27, 37)])])
        assert [found.text for found in document] == ["Severe joint pain", "upper body"]
        assert len(document) == 2

    def test_is_true_even_without_mentions(self) -> None:
        assert Document("")

    def test_cannot_be_changed_and_can_be_pickled(self) -> None:
        document = Document(TEXT, [Mention("ADR", [(0, 6)], TEXT, 0.5, {"id": "T1"})], "d", {"k": [1]})
        with pytest.raises(TypeError):
            document.extras["k"] = 2  # type: ignore[index]
        assert pickle.loads(pickle.dumps(document)) == copy.deepcopy(document) == document

    def test_counts_code_points(self) -> None:
        document = Document("🙂 pa\u0301in 👩‍⚕️", [("ADR", [(2, 7)])])
        assert document.mentions[0].text == "pa\u0301in"

    def test_unique_mentions_keep_the_first_of_each(self) -> None:
        document = Document(TEXT, [("A", [(0, 6)]), ("B", [(0, 6)]), ("A", [(0, 6)])])
        assert [found.label for found in document.unique_mentions] == ["A", "B"]

    def test_sentences_hold_the_mentions_inside_them(self) -> None:
        text = "Joint pain.\nNausea and\n\nvomiting"
        document = Document(text, [("A", [(0, 10)]), ("A", [(12, 18)]), ("A", [(0, 5), (12, 18)])])
        assert [[found.text for found in sentence.mentions] for sentence in document.sentences] == [
            ["Joint pain"],
            ["Nausea"],
            [],
        ]
        assert [found.text for found in document.cross_sentence] == ["Joint Nausea"]

    @pytest.mark.parametrize("identifier", [1.5, True, ["x"]])
    def test_refuses_an_id_that_is_neither_string_nor_number(self, identifier: str) -> None:
        with pytest.raises(InputError, match="an id must be"):
            Document("", id=identifier)

    def test_refuses_half_a_surrogate_pair(self) -> None:
        with pytest.raises(InputError, match="surrogate pair at character 2"):
            Document("ab\ud83d")

    @given(documents())
    def test_every_mention_is_in_a_sentence_or_crosses(self, document: Document) -> None:
        inside = [found for sentence in document.sentences for found in sentence.mentions]
        assert sorted(map(repr, (*inside, *document.cross_sentence))) == sorted(map(repr, document.unique_mentions))

    @given(documents())
    def test_words_and_characters_lead_back_to_each_other(self, document: Document) -> None:
        for sentence in document.sentences:
            for found in sentence.mentions:
                back = sentence.mention(sentence.word_mention(found))
                assert back.key == found.widened.key
                assert back.words == found.words


class TestSentence:
    def test_counts_words_from_its_own_beginning(self) -> None:
        document = Document("First line.\nSevere joint and back pain", [("ADR", [(12, 18), (34, 38)])])
        sentence = document.sentences[1]
        assert sentence.words == ("Severe", "joint", "and", "back", "pain")
        assert sentence.text == "Severe joint and back pain"
        assert sentence.word_mention(document.mentions[0]) == WordMention("ADR", ((0, 0), (4, 4)))

    def test_refuses_what_does_not_lie_inside_it(self) -> None:
        document = Document("One.\n\nTwo.", [("X", [(0, 3)])])
        with pytest.raises(InputError, match="none is number 2"):
            Sentence(document.layout, 2, ())
        with pytest.raises(InputError, match="does not lie inside"):
            Sentence(document.layout, 1, document.mentions)

    @given(st.integers(0, 4), st.integers(0, 4))
    def test_turns_words_into_characters(self, first: int, last: int) -> None:
        first, last = sorted((first, last))
        sentence = Document(Layout("a bb ccc dddd eeeee")).sentences[0]
        found = sentence.mention(WordMention("X", ((first, last),)), score=0.5)
        assert found.text.split(" ") == ["a", "bb", "ccc", "dddd", "eeeee"][first : last + 1]
        assert found.score == 0.5
