"""Windows, rectangles and batches: nothing is lost, nothing is read twice."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from disconer.encoders.batch import collate, group_by_cost, windows

PADDING, BEFORE, AFTER = 0, (2,), (3,)
WORDS = st.lists(st.lists(st.integers(10, 50), min_size=1, max_size=6).map(tuple), min_size=1, max_size=20)


@given(st.integers(0, 500), st.integers(1, 60))
def test_windows_take_every_subword_once_and_fit(length: int, window: int) -> None:
    found = list(windows(length, window))
    taken = [number for one in found for number in range(one.kept_start, one.kept_end)]
    assert taken == list(range(length))
    for one in found:
        assert one.end - one.start <= window
        assert one.start <= one.kept_start <= one.kept_end <= one.end


@given(st.integers(2, 500), st.integers(8, 60))
def test_a_subword_is_taken_where_it_has_context_on_both_sides(length: int, window: int) -> None:
    """A quarter of a window, less rounding, unless the sentence itself begins or ends there."""
    for one in windows(length, window):
        assert one.start == 0 or one.kept_start - one.start >= window // 4 - 1
        assert one.end == length or one.end - one.kept_end >= window // 4 - 1


@given(st.lists(WORDS, min_size=1, max_size=5), st.integers(4, 40))
def test_every_subword_can_be_found_again(sentences: list[list[tuple[int, ...]]], window: int) -> None:
    batch = collate(sentences, BEFORE, AFTER, PADDING, window)
    assert batch.input_ids.shape[1] <= window
    found = batch.input_ids.reshape(-1)[batch.subword_positions].tolist()
    assert found == [subword for words in sentences for word in words for subword in word]
    firsts = batch.input_ids.reshape(-1)[batch.subword_positions[batch.word_starts]].tolist()
    assert firsts == [word[0] for words in sentences for word in words]
    assert batch.lengths.tolist() == [len(words) for words in sentences]
    assert batch.attention_mask.sum(1).max() == batch.input_ids.shape[1]
    assert (batch.input_ids[~batch.attention_mask] == PADDING).all()
    assert (batch.input_ids[:, 0] == BEFORE[0]).all()
    lasts = batch.attention_mask.sum(1) - 1
    assert (batch.input_ids[np.arange(len(lasts)), lasts] == AFTER[0]).all()


@given(st.lists(WORDS, min_size=1, max_size=3), st.integers(4, 40), st.integers(0, 2**31))
def test_only_subwords_of_words_are_hidden(sentences: list[list[tuple[int, ...]]], window: int, seed: int) -> None:
    batch = collate(sentences, BEFORE, AFTER, PADDING, window)
    is_masked = np.random.default_rng(seed).random(len(batch.subword_positions)) < 0.5
    found = batch.mask_subwords(is_masked, mask_id=99)
    assert ((found.input_ids.reshape(-1)[batch.subword_positions] == 99) == is_masked).all()
    assert (found.input_ids == 99).sum() == is_masked.sum()
    assert (found.input_ids[found.input_ids != 99] == batch.input_ids[found.input_ids != 99]).all()


@given(st.lists(st.integers(1, 100)), st.integers(1, 300))
def test_batches_hold_everything_once_within_the_budget(costs: list[int], budget: int) -> None:
    batches = list(group_by_cost(costs, budget))
    assert sorted(index for batch in batches for index in batch) == list(range(len(costs)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(costs[index] for index in batch) <= budget
