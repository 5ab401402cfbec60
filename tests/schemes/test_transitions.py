from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import InputError, read
from disconer.passage import WordMention
from disconer.schemes import TransitionScheme
from disconer.schemes.masks import runs, word_mask
from disconer.schemes.transitions import Action, ActionKind, ParserState
from tests.strategies import word_mentions

SENTENCES = st.sets(word_mentions(9), max_size=6)
# Severe joint and shoulder pain
JOINT_PAIN = WordMention("ADR", ((0, 1), (4, 4)))
SHOULDER_PAIN = WordMention("ADR", ((0, 0), (3, 4)))
NAMES = {"S": "SHIFT", "O": "OUT", "C": "COMPLETE", "R": "REDUCE", "L": "LEFT-REDUCE", "T": "RIGHT-REDUCE"}


def actions(text: str) -> list[Action]:
    """Read actions by their letters; T is RIGHT-REDUCE."""
    return [Action(ActionKind(NAMES[letter]), "A" if letter == "C" else "") for letter in text.split()]


def oracle(mentions: list[tuple[tuple[int, int], ...]], length: int) -> str:
    letters = {name: letter for letter, name in NAMES.items()}
    found = TransitionScheme().encode([WordMention("A", segments) for segments in mentions], length)
    return " ".join(letters[action.kind] for action in found)


class TestOracle:
    @pytest.mark.parametrize(
        ("mentions", "length", "expected"),
        [
            ([], 3, "O O O"),
            ([((1, 2),)], 4, "O S S R C O"),
            ([((0, 0),), ((1, 1),)], 2, "S C S C"),
            ([((0, 0), (2, 2))], 3, "S O S R C"),
            # the head of two: a copy of the lower part stays
            ([((0, 1),), ((0, 0), (3, 3))], 4, "S S L C O S R C"),
            # the tail of two: a copy of the upper part stays
            ([((0, 0), (3, 3)), ((2, 3),)], 4, "S O S S T C R C"),
            # one inside of another: the outer one first
            ([((0, 1),), ((0, 1), (3, 3))], 4, "S S R O S L C C"),
        ],
    )
    def test_follows_the_rules(self, mentions: list[tuple[tuple[int, int], ...]], length: int, expected: str) -> None:
        assert oracle(mentions, length) == expected
        found = TransitionScheme().decode(
            TransitionScheme().encode([WordMention("A", one) for one in mentions], length)
        )
        assert {mention.segments for mention in found.mentions} == set(mentions)

    def test_a_head_and_a_tail_of_two_are_too_much(self) -> None:
        assert set(TransitionScheme().oracle([JOINT_PAIN, SHOULDER_PAIN]).mentions) < {JOINT_PAIN, SHOULDER_PAIN}

    def test_the_same_words_have_one_label_only(self) -> None:
        both = [WordMention("A", ((0, 1),)), WordMention("B", ((0, 1),))]
        assert set(TransitionScheme().oracle(both).mentions) == {both[0]}

    @given(SENTENCES, st.integers(9, 12))
    def test_every_action_is_valid_and_every_word_is_read(self, mentions: set[WordMention], length: int) -> None:
        state = ParserState(length)
        for action in TransitionScheme().encode(mentions, length):
            assert action.kind in state.valid_kinds()
            state.apply(action)
        assert state.position == length

    @given(SENTENCES)
    def test_nothing_is_found_that_is_not_true(self, mentions: set[WordMention]) -> None:
        truth = {WordMention(label, runs(word_mask(segments))) for label, segments in mentions}
        assert set(TransitionScheme().oracle(mentions).mentions) <= truth

    @given(st.lists(word_mentions(9), max_size=1))
    def test_a_single_mention_is_never_lost(self, mentions: list[WordMention]) -> None:
        truth = {WordMention(label, runs(word_mask(segments))) for label, segments in mentions}
        assert set(TransitionScheme().oracle(mentions).mentions) == truth

    @pytest.mark.parametrize(
        ("data", "sentences", "lost"),
        [
            ("tac2017_adr/train", 5325, 66), ("chia/train", 8815, 328), ("craft/train", 11540, 309),
            ("tac2017_adr/dev", 472, 2), ("chia/dev", 1053, 38), ("craft/dev", 2293, 25),
        ],
    )  # fmt: skip
    def test_gives_back_real_sentences_but_for_those_it_cannot_express(
        self, data: str, sentences: int, lost: int, corpora: Path
    ) -> None:
        counts = [0, 0]
        for document in read(corpora / f"{data}.jsonl"):
            for sentence in document.sentences:
                truth = {sentence.word_mention(mention) for mention in sentence.mentions}
                if truth:
                    found = set(TransitionScheme().oracle(truth).mentions)
                    assert found <= truth
                    counts[0] += 1
                    counts[1] += found != truth
        assert counts == [sentences, lost]


class TestState:
    def test_a_copy_stays_below_what_was_merged(self) -> None:
        for letter, kept in (("L", 0b01), ("T", 0b10)):
            state = ParserState(2)
            for action in actions(f"S S {letter}"):
                state.apply(action)
            assert [state.items[number].words for number in state.stack] == [kept, 0b11]

    def test_parts_that_share_a_word_cannot_be_merged(self) -> None:
        state = ParserState(2)
        for action in actions("S S L"):
            state.apply(action)
        assert state.valid_kinds() == {ActionKind.COMPLETE}

    def test_a_plain_merge_may_not_follow_one_with_a_copy(self) -> None:
        state = ParserState(3)
        for action in actions("S S"):
            state.apply(action)
        assert ActionKind.REDUCE in state.valid_kinds()
        state.previous = ActionKind.RIGHT_REDUCE
        assert ActionKind.REDUCE not in state.valid_kinds()
        assert {ActionKind.LEFT_REDUCE, ActionKind.RIGHT_REDUCE} <= state.valid_kinds()

    @given(st.integers(0, 7), st.randoms(use_true_random=False))
    def test_whatever_is_done_comes_to_an_end(self, length: int, random: object) -> None:
        state, steps = ParserState(length), 0
        while kinds := sorted(state.valid_kinds()):
            state.apply(Action(random.choice(kinds), "A"))  # type: ignore[attr-defined]
            steps += 1
        assert steps <= 6 * length
        assert state.position == length
        assert not state.stack

    def test_a_score_is_that_of_the_least_certain_action(self) -> None:
        scored = [action._replace(score=0.9 - number / 10) for number, action in enumerate(actions("S S R C"))]
        assert TransitionScheme().decode(scored).mentions == pytest.approx({WordMention("A", ((0, 1),)): 0.6})
        assert TransitionScheme(mention_threshold=0.7).decode(scored).mentions == {}


def test_a_threshold_out_of_range_is_refused() -> None:
    with pytest.raises(InputError, match="threshold"):
        TransitionScheme(mention_threshold=-0.1)
