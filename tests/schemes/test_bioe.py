from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import InputError
from disconer.passage import WordMention
from disconer.schemes import BioeScheme, Joining
from disconer.schemes.bioe import SegmentKind, WordTag
from disconer.schemes.masks import runs, word_mask
from tests.strategies import word_mentions

SENTENCES = st.sets(word_mentions(9), max_size=6)
# Severe joint and shoulder pain
JOINT_PAIN = WordMention("ADR", ((0, 1), (4, 4)))
SHOULDER_PAIN = WordMention("ADR", ((0, 0), (3, 4)))


def tagged(mentions: Iterable[WordMention], length: int) -> list[str]:
    tags = BioeScheme().encode(mentions)
    return [tags[word].text if word in tags else "O" for word in range(length)]


def tags_of(text: str) -> dict[int, WordTag]:
    """Read tags of the label X, such as `BH O BD`."""
    kinds = {"": SegmentKind.CONTINUOUS, "D": SegmentKind.ONE, "H": SegmentKind.SHARED}
    return {word: WordTag("X", tag[0] == "B", kinds[tag[1:]]) for word, tag in enumerate(text.split()) if tag != "O"}


def decoded(text: str, joining: Joining = Joining.EACH) -> set[tuple[tuple[int, int], ...]]:
    return {mention.segments for mention in BioeScheme(joining).decode(tags_of(text)).mentions}


class TestEncode:
    def test_words_of_several_mentions_are_shared_and_others_are_not(self) -> None:
        assert tagged([JOINT_PAIN, SHOULDER_PAIN], 5) == ["BH-ADR", "BD-ADR", "O", "BD-ADR", "BH-ADR"]

    def test_a_single_discontinuous_mention_shares_nothing(self) -> None:
        assert tagged([JOINT_PAIN], 5) == ["BD-ADR", "ID-ADR", "O", "O", "BD-ADR"]

    def test_a_continuous_mention_has_plain_tags(self) -> None:
        assert tagged([WordMention("Drug", ((1, 3),))], 5) == ["O", "B-Drug", "I-Drug", "I-Drug", "O"]

    @pytest.mark.parametrize(
        ("mentions", "tags"),
        [
            ([WordMention("A", ((0, 2),)), WordMention("A", ((1, 1),))], ["B-A", "I-A", "I-A"]),
            ([WordMention("A", ((1, 2),)), WordMention("B", ((0, 2),))], ["B-B", "I-B", "I-B"]),
            ([WordMention("A", ((0, 0), (2, 2))), WordMention("A", ((0, 2),))], ["B-A", "I-A", "I-A"]),
            ([WordMention("A", ((0, 0), (2, 2))), WordMention("B", ((2, 2),))], ["BD-A", "O", "BD-A"]),
            ([WordMention("B", ((0, 0),)), WordMention("A", ((0, 0),))], ["B-A", "O", "O"]),
        ],
    )
    def test_of_mentions_that_compete_for_a_word_the_longest_wins(
        self, mentions: list[WordMention], tags: list[str]
    ) -> None:
        assert tagged(mentions, 3) == tags

    @given(SENTENCES)
    def test_tags_are_well_formed(self, mentions: set[WordMention]) -> None:
        tags = BioeScheme().encode(mentions)
        assert all(tag.may_follow(tags.get(word - 1)) for word, tag in tags.items())


class TestDecode:
    @pytest.mark.parametrize(
        ("tags", "found"),
        [
            ("B I O B", {((0, 1),), ((3, 3),)}),
            ("B B I", {((0, 0),), ((1, 2),)}),
            ("BH O BD O BD", {((0, 0), (2, 2)), ((0, 0), (4, 4))}),
            ("BD O BH O BH", {((0, 0), (2, 2)), ((0, 0), (4, 4))}),
            ("BH O BH IH", {((0, 0), (2, 3))}),
            ("BD O BD O BD", {((0, 0), (2, 2), (4, 4))}),
            ("O BD", {((1, 1),)}),
            ("BH O", {((0, 0),)}),
            ("BD BH", {((0, 1),)}),
            ("I I O ID", {((0, 1),), ((3, 3),)}),
            ("B ID", {((0, 0),), ((1, 1),)}),
            ("O O", set()),
        ],
    )
    def test_segments_join_by_the_rules(self, tags: str, found: set[tuple[tuple[int, int], ...]]) -> None:
        assert decoded(tags) == found

    def test_all_shared_segments_can_join_every_other(self) -> None:
        assert decoded("BH BD O BD BH") == {((0, 1),), ((1, 1), (4, 4)), ((0, 0), (3, 3)), ((3, 4),)}
        assert decoded("BH BD O BD BH", Joining.ALL) == {((0, 1), (4, 4)), ((0, 0), (3, 4))}

    def test_labels_do_not_mix(self) -> None:
        tags = {0: WordTag("A", True, SegmentKind.ONE), 2: WordTag("B", True, SegmentKind.SHARED)}
        assert set(BioeScheme().decode(tags).mentions) == {WordMention("A", ((0, 0),)), WordMention("B", ((2, 2),))}

    def test_a_score_is_that_of_the_least_certain_word(self) -> None:
        tags = {word: tag._replace(score=0.9 - word / 10) for word, tag in tags_of("BH O BD ID").items()}
        decoding = BioeScheme().decode(tags)
        assert decoding.mentions == pytest.approx({WordMention("X", ((0, 0), (2, 3))): 0.6})
        assert BioeScheme(mention_threshold=0.65).decode(tags).mentions == {}


def test_too_many_pairs_are_cut_and_it_says_so() -> None:
    tags = tags_of(" ".join(["BD O BH O"] * 200))
    decoding = BioeScheme(budget=1_000).decode(tags)
    assert len(decoding.mentions) == 1_000
    assert not decoding.complete
    assert BioeScheme(budget=40_000).decode(tags).complete


def is_unambiguous(mentions: set[WordMention]) -> bool:
    """Judge, without the scheme's own code, whether nothing may be lost: no words are shared, one gap a label."""
    words = [word for mention in mentions for first, last in mention.segments for word in range(first, last + 1)]
    gaps = [mention.label for mention in mentions if len(runs(word_mask(mention.segments))) > 1]
    return len(set(words)) == len(words) and len(set(gaps)) == len(gaps)


@given(SENTENCES.filter(is_unambiguous), st.sampled_from(Joining))
def test_decoding_inverts_encoding_where_nothing_is_shared(mentions: set[WordMention], joining: Joining) -> None:
    expected = {(mention.label, runs(word_mask(mention.segments))) for mention in mentions}
    assert set(BioeScheme(joining).oracle(mentions).mentions) == expected


@given(SENTENCES)
def test_every_tagged_word_is_in_a_mention_and_no_other(mentions: set[WordMention]) -> None:
    tags = BioeScheme().encode(mentions)
    words = {word for mention in BioeScheme().decode(tags).mentions for first, last in mention.segments
             for word in range(first, last + 1)}  # fmt: skip
    assert words == set(tags)


def test_a_choice_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="joining"):
        BioeScheme("some")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="threshold"):
        BioeScheme(mention_threshold=1.5)
    with pytest.raises(InputError, match="budget"):
        BioeScheme(budget=0)
