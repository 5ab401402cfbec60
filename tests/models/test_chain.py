"""The chain against trying all taggings, in double precision."""

from itertools import pairwise, product
from math import exp

import pytest
import torch
from torch import Tensor

from disconer.models.chain import LinearChain

TAGS = 4


def chain(seed: int = 0) -> LinearChain:
    """Make a chain in which tag 2 only follows 1 and 2, and cannot begin a sentence."""
    torch.manual_seed(seed)
    may_follow = torch.ones(TAGS, TAGS, dtype=torch.bool)
    may_follow[:, 2] = torch.tensor([False, True, True, False])
    made = LinearChain(may_follow, may_follow[0]).double()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter)
    return made


def weights(made: LinearChain, scores: Tensor) -> dict[tuple[int, ...], float]:
    """Give the logarithm of the weight of every tagging of a sentence that is allowed."""
    found = {}
    for tags in product(range(TAGS), repeat=len(scores)):
        if tags[0] == 2 or any(later == 2 and before not in (1, 2) for before, later in pairwise(tags)):
            continue
        total = made.starting[tags[0]] + made.ending[tags[-1]]
        total = total + sum(scores[word, tag] for word, tag in enumerate(tags))
        total = total + sum(made.following[before, later] for before, later in pairwise(tags))
        found[tags] = total.item()
    return found


def batch(*lengths: int) -> tuple[Tensor, Tensor]:
    is_word = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return torch.randn(len(lengths), max(lengths), TAGS, dtype=torch.double), is_word


@pytest.mark.parametrize("seed", range(3))
def test_sums_maxima_and_probabilities_are_those_of_all_taggings(seed: int) -> None:
    made, lengths = chain(seed), (4, 1, 3)
    scores, is_word = batch(*lengths)
    partition = made.log_partition(scores, is_word)
    best = made.best(scores, is_word)
    probabilities = made.probabilities(scores, is_word)
    for number, length in enumerate(lengths):
        all_weights = weights(made, scores[number, :length])
        total = torch.tensor(list(all_weights.values()), dtype=torch.double).logsumexp(0)
        torch.testing.assert_close(partition[number], total)
        assert tuple(best[number, :length].tolist()) == max(all_weights, key=all_weights.__getitem__)
        for word, tag in product(range(length), range(TAGS)):
            share = sum(exp(weight - total.item()) for tags, weight in all_weights.items() if tags[word] == tag)
            assert probabilities[number, word, tag].item() == pytest.approx(share)


def test_the_weight_of_a_tagging_is_the_sum_of_its_parts() -> None:
    made, lengths = chain(), (3, 2)
    scores, is_word = batch(*lengths)
    tags = torch.tensor([[1, 2, 0], [3, 1, 0]])
    found = made.log_weight(scores, is_word, tags)
    for number, length in enumerate(lengths):
        expected = weights(made, scores[number, :length])[tuple(tags[number, :length].tolist())]
        torch.testing.assert_close(found[number].item(), expected)


def test_single_precision_is_enough_for_a_long_sentence() -> None:
    made, length = chain(), 2_000
    scores, is_word = batch(length)
    exact = made.probabilities(scores, is_word)
    found = made.float().probabilities(scores.float(), is_word)
    torch.testing.assert_close(found.double(), exact, rtol=0, atol=1e-5)


def test_gradients_are_those_of_the_sums() -> None:
    made = chain()
    scores, is_word = batch(3, 2)
    assert torch.autograd.gradcheck(lambda given: made.log_partition(given, is_word), scores.requires_grad_())
