"""Corpora and batches."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from disconer import Document
from disconer.training.config import BatchUnit
from disconer.training.dataset import Dataset, Examples
from tests.strategies import documents

ITEMS = st.lists(st.tuples(st.integers(1, 99), st.booleans()), min_size=1, max_size=200)


def examples(items: list[tuple[int, bool]]) -> Examples:
    """Give sentences of these many pieces, with or without gaps."""
    return Examples([[[0]] * length for length, _ in items], [None] * len(items), [rare for _, rare in items])


@given(ITEMS, st.integers(1, 3), st.integers(1, 20), st.sampled_from(BatchUnit), st.integers())
def test_batches_show_what_is_rare_as_often_as_asked(
    items: list[tuple[int, bool]], repeats: int, size: int, unit: BatchUnit, seed: int
) -> None:
    drawn = examples(items).draw_batches(repeats, size, unit, Random(seed))
    shown = [index for batch in drawn for index in batch]
    assert sorted(shown) == [index for index, (_, rare) in enumerate(items) for _ in range(repeats if rare else 1)]
    assert drawn == examples(items).draw_batches(repeats, size, unit, Random(seed))
    if unit is BatchUnit.SENTENCES:
        assert all(len(batch) <= size for batch in drawn)
        assert len(drawn) == examples(items).count_batches(repeats, size)
    else:
        budget = size * sum(items[index][0] for index in shown) / len(shown) + 1
        assert all(len(batch) == 1 or sum(items[index][0] for index in batch) <= budget for batch in drawn)


def test_batches_hold_items_of_like_length_in_mixed_order() -> None:
    lengths = [number % 60 + 1 for number in range(1200)]
    for unit in BatchUnit:
        drawn = examples([(length, False) for length in lengths]).draw_batches(1, 12, unit, Random(0))
        spread = [
            max(lengths[i] for i in batch) - min(lengths[i] for i in batch) for batch in drawn if len(batch) <= 12
        ]
        assert sum(spread) / len(spread) < 3
        longest = [max(lengths[i] for i in batch) for batch in drawn]
        assert longest != sorted(longest)
        assert 100 <= len(drawn) <= 115


@given(st.lists(documents(), max_size=4))
def test_mentions_that_whole_words_can_make_come_back(given_documents: list[Document]) -> None:
    corpus = Dataset.from_documents(given_documents)
    again = corpus.with_mentions(corpus.word_mentions())
    for document, back in zip(given_documents, again, strict=True):
        expected = {mention.widened.key for sentence in document.sentences for mention in sentence.mentions}
        assert {mention.key for mention in back} == expected
