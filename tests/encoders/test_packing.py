"""Windows, rectangles and batches: nothing is lost, nothing is read twice."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from disconer.encoders.packing import as_batches, pack, windows

PADDING, BEFORE, AFTER = 0, (2,), (3,)
WORDS = st.lists(st.lists(st.integers(10, 50), min_size=1, max_size=6).map(tuple), min_size=1, max_size=20)


@given(st.integers(0, 500), st.integers(1, 60))
def test_windows_take_every_piece_once_and_fit(length: int, window: int) -> None:
    found = list(windows(length, window))
    taken = [piece for one in found for piece in range(one.kept_start, one.kept_end)]
    assert taken == list(range(length))
    for one in found:
        assert one.end - one.start <= window
        assert one.start <= one.kept_start <= one.kept_end <= one.end


@given(st.integers(2, 500), st.integers(8, 60))
def test_a_piece_is_taken_where_it_has_context_on_both_sides(length: int, window: int) -> None:
    """A quarter of a window, less rounding, unless the sentence itself begins or ends there."""
    for one in windows(length, window):
        assert one.start == 0 or one.kept_start - one.start >= window // 4 - 1
        assert one.end == length or one.end - one.kept_end >= window // 4 - 1


@given(st.lists(WORDS, min_size=1, max_size=5), st.integers(4, 40))
def test_every_piece_can_be_found_again(sentences: list[list[tuple[int, ...]]], window: int) -> None:
    packed = pack(sentences, BEFORE, AFTER, PADDING, window)
    assert packed.pieces.shape[1] <= window
    found = packed.pieces.reshape(-1)[packed.places].tolist()
    assert found == [piece for words in sentences for pieces in words for piece in pieces]
    firsts = packed.pieces.reshape(-1)[packed.places[packed.word_starts]].tolist()
    assert firsts == [pieces[0] for words in sentences for pieces in words]
    assert packed.lengths.tolist() == [len(words) for words in sentences]
    assert packed.is_piece.sum(1).max() == packed.pieces.shape[1]
    assert (packed.pieces[~packed.is_piece] == PADDING).all()
    assert (packed.pieces[:, 0] == BEFORE[0]).all()
    lasts = packed.is_piece.sum(1) - 1
    assert (packed.pieces[np.arange(len(lasts)), lasts] == AFTER[0]).all()


@given(st.lists(WORDS, min_size=1, max_size=3), st.integers(4, 40), st.integers(0, 2**31))
def test_only_pieces_of_words_are_hidden(sentences: list[list[tuple[int, ...]]], window: int, seed: int) -> None:
    packed = pack(sentences, BEFORE, AFTER, PADDING, window)
    is_hidden = np.random.default_rng(seed).random(len(packed.places)) < 0.5
    found = packed.with_hidden(is_hidden, mask=99)
    assert ((found.pieces.reshape(-1)[packed.places] == 99) == is_hidden).all()
    assert (found.pieces == 99).sum() == is_hidden.sum()
    assert (found.pieces[found.pieces != 99] == packed.pieces[found.pieces != 99]).all()


@given(st.lists(st.integers(1, 100)), st.integers(1, 300))
def test_batches_hold_everything_once_within_the_budget(costs: list[int], budget: int) -> None:
    batches = list(as_batches(costs, budget))
    assert sorted(index for batch in batches for index in batch) == list(range(len(costs)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(costs[index] for index in batch) <= budget
