import itertools

from hypothesis import given
from hypothesis import strategies as st

from disconer.schemes.masks import runs, word_mask


@given(st.sets(st.integers(0, 40)))
def test_runs_cover_exactly_the_words_of_a_mask(words: set[int]) -> None:
    found = runs(sum(1 << word for word in words))
    assert {word for first, last in found for word in range(first, last + 1)} == words
    assert all(first <= last for first, last in found)
    assert all(later[0] > earlier[1] + 1 for earlier, later in itertools.pairwise(found))


@given(st.integers(0, 2**40))
def test_a_mask_is_that_of_its_runs(mask: int) -> None:
    assert word_mask(runs(mask)) == mask
