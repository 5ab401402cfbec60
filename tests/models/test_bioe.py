"""BIOE: which taggings there are, how probable the true one is, and what is read off."""

from itertools import pairwise, product

import pytest
import torch
from torch import nn

from disconer.document import WordMention
from disconer.models.bioe import Bioe
from disconer.models.settings import BioeSettings
from disconer.schemes import BioeScheme
from disconer.schemes.bioe import SegmentKind, WordTag
from tests.models.given import WIDTH, GivenVectors, give, random_sentences

MENTIONS = [WordMention("ADR", ((0, 0), (2, 2)))]


def model_of(*labels: str) -> Bioe:
    """Make a small model in which nothing is zero."""
    torch.manual_seed(1)
    model = Bioe(GivenVectors(), labels, BioeScheme(), BioeSettings(dropout=0.0)).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter)
    return model.eval()


def test_what_may_follow_what_is_what_the_scheme_says() -> None:
    model = model_of("ADR", "Drug")
    assert len(model.tags) == 1 + 2 * 6
    for (row, before), (column, tag) in product(enumerate(model.tags), repeat=2):
        assert model.chain.is_forbidden[row, column] != (tag is None or tag.may_follow(before))
        assert model.chain.is_no_start[column] != (tag is None or tag.may_follow(None))


def test_the_loss_is_the_probability_of_the_true_tagging_among_all() -> None:
    model, sentences = model_of("ADR"), random_sentences(3)
    packed = give(model, sentences)
    scores, _ = model(packed)
    weights = {}
    for columns in product(range(len(model.tags)), repeat=3):
        tags = [model.tags[column] for column in columns]
        if all(tag is None or tag.may_follow(before) for before, tag in zip([None, *tags], tags, strict=False)):
            weight = model.chain.starting[columns[0]] + model.chain.ending[columns[-1]]
            weight = weight + sum(scores[0, word, column] for word, column in enumerate(columns))
            weight = weight + sum(model.chain.following[pair] for pair in pairwise(columns))
            weights[tuple(None if tag is None else tag.text for tag in tags)] = weight
    total = torch.stack(list(weights.values())).logsumexp(0)
    loss = model.loss(packed, [model.targets(MENTIONS, 3)])
    torch.testing.assert_close(loss, total - weights["BD-ADR", None, "BD-ADR"])


def test_tags_are_read_off_with_their_probabilities() -> None:
    model, sentences = model_of("ADR", "Drug"), random_sentences(5, 2)
    found = model.outputs(give(model, sentences), model.scheme)
    scores, is_word = model(give(model, sentences))
    probabilities = model.chain.probabilities(scores, is_word)
    for number, (words, tags) in enumerate(zip(sentences, found, strict=True)):
        assert set(tags) <= set(range(len(words)))
        for word, tag in tags.items():
            assert tag.may_follow(tags.get(word - 1))
            column = model.tags.index(tag._replace(score=1.0))
            assert tag.score == pytest.approx(probabilities[number, word, column].item())
    assert any(found)


def test_columns_of_the_truth() -> None:
    model = model_of("ADR")
    column = model.tags.index(WordTag("ADR", True, SegmentKind.ONE))
    assert model.targets(MENTIONS, 4).tolist() == [column, 0, column, 0]


def test_a_batch_without_any_word_has_nothing_to_tag() -> None:
    model = model_of("ADR")
    assert model.outputs(give(model, [torch.zeros(0, WIDTH, dtype=torch.double)]), model.scheme) == [{}]


@pytest.mark.parametrize("labels", [("A",), ("A", "B", "C")])
def test_many_labels_have_tags_of_their_own(labels: tuple[str, ...]) -> None:
    assert len(set(model_of(*labels).tags)) == 1 + 6 * len(labels)
