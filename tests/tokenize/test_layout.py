import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer.exceptions import OffsetError
from disconer.tokenize import Layout, Split
from tests.strategies import layouts


@pytest.mark.parametrize(
    ("split", "text", "count"),
    [
        (Split.AUTO, "One. Two.", 1),
        (Split.AUTO, "One. Two.\nThree", 3),
        (Split.AUTO, "One.\rTwo", 2),
        (Split.ALWAYS, "One. Two.", 2),
        (Split.NEVER, "One. Two.\nThree", 1),
        (Split.AUTO, "  \n ", 0),
        (Split.NEVER, "", 0),
    ],
)
def test_splits_when_asked_to(split: Split, text: str, count: int) -> None:
    assert len(Layout(text, split=split).sentences) == count


def test_given_words_and_sentences_are_the_truth() -> None:
    layout = Layout("One. Two.\nThree", ((0, 4), (5, 15)), ((0, 4), (5, 15)))
    assert layout.words == ((0, 4), (5, 15))
    assert layout.sentences == ((0, 4), (5, 15))


def test_words_are_looked_for_inside_given_sentences_only() -> None:
    assert Layout("One. Two", given_sentences=((0, 2), (5, 8))).words == ((0, 2), (5, 8))


def test_found_sentences_do_not_cut_given_words() -> None:
    text = "One. Two\nThree"
    assert Layout(text, given_words=((0, 3), (3, 6), (9, 14)), split=Split.ALWAYS).sentences == ((0, 8), (9, 14))


@pytest.mark.parametrize(
    ("words", "sentences", "complaint"),
    [
        (((0, 3), (2, 5)), None, "begins before the one in front of it ends"),
        (((4, 6), (0, 3)), None, "begins before"),
        (((0, 9),), None, "outside the text"),
        (((2, 2),), None, "empty or reversed"),
        (None, ((0, 3), (2, 5)), "the sentence 2-5 begins before"),
        (((0, 5),), ((0, 3), (4, 7)), "the word 0-5 reaches over the end of a sentence"),
        (((2, 4),), ((3, 7),), "the word 2-4 reaches over"),
        ((("0", "3"),), None, "pair of whole numbers"),
    ],
)
def test_refuses_what_contradicts_itself(
    words: tuple[tuple[int, int], ...] | None, sentences: tuple[tuple[int, int], ...] | None, complaint: str
) -> None:
    with pytest.raises(OffsetError, match=complaint):
        Layout("abc defg", words, sentences)


@given(layouts(), st.sampled_from(Split))
def test_every_word_lies_in_one_sentence_or_in_none(layout: Layout, split: Split) -> None:
    layout = Layout(layout.text, layout.given_words, layout.given_sentences, split)
    for start, end in layout.words:
        around = [bounds for bounds in layout.sentences if bounds[0] < end and start < bounds[1]]
        assert len(around) <= 1
        assert all(first <= start and end <= last for first, last in around)


@given(layouts(), st.data())
def test_words_between_offsets_are_those_that_share_a_character(layout: Layout, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(layout.text)))
    end = data.draw(st.integers(start + 1, len(layout.text) + 1))
    expected = [index for index, (first, last) in enumerate(layout.words) if first < end and start < last]
    assert list(layout.words_between(start, end)) == expected
