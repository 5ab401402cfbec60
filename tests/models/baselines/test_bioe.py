"""BIOE: which taggings there are, how probable the true one is, and what is read off; its chain against trying all."""

from itertools import pairwise, product
from math import exp

import pytest
import torch
from torch import Tensor, nn

from disconer.models.baselines.bioe import Bioe, LinearChain
from disconer.models.settings import BioeSettings
from disconer.passage import WordMention
from disconer.schemes import BioeScheme
from disconer.schemes.bioe import SegmentKind, WordTag
from tests.models.given import WIDTH, GivenVectors, give, random_sentences

MENTIONS = [WordMention("ADR", ((0, 0), (2, 2)))]
TAGS = 4


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
    batch = give(model, sentences)
    scores, _ = model(model.encoder(batch), batch)
    weights = {}
    for columns in product(range(len(model.tags)), repeat=3):
        tags = [model.tags[column] for column in columns]
        if all(tag is None or tag.may_follow(before) for before, tag in zip([None, *tags], tags, strict=False)):
            weight = model.chain.starting[columns[0]] + model.chain.ending[columns[-1]]
            weight = weight + sum(scores[0, word, column] for word, column in enumerate(columns))
            weight = weight + sum(model.chain.following[pair] for pair in pairwise(columns))
            weights[tuple(None if tag is None else tag.text for tag in tags)] = weight
    total = torch.stack(list(weights.values())).logsumexp(0)
    loss = model.loss(batch, [model.targets(MENTIONS, 3)])
    torch.testing.assert_close(loss, total - weights["BD-ADR", None, "BD-ADR"])


def test_tags_are_read_off_with_their_probabilities() -> None:
    model, sentences = model_of("ADR", "Drug"), random_sentences(5, 2)
    found = model.outputs(give(model, sentences), model.scheme)
    batch = give(model, sentences)
    scores, is_word = model(model.encoder(batch), batch)
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


def chain_of(seed: int = 0) -> LinearChain:
    """Make a chain in which tag 2 only follows 1 and 2, and cannot begin a sentence."""
    torch.manual_seed(seed)
    may_follow = torch.ones(TAGS, TAGS, dtype=torch.bool)
    may_follow[:, 2] = torch.tensor([False, True, True, False])
    made = LinearChain(may_follow, may_follow[0]).double()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter)
    return made


def tagging_weights(made: LinearChain, scores: Tensor) -> dict[tuple[int, ...], float]:
    """The logarithm of the weight of every tagging of a sentence that is allowed."""
    found = {}
    for tags in product(range(TAGS), repeat=len(scores)):
        if tags[0] == 2 or any(later == 2 and before not in (1, 2) for before, later in pairwise(tags)):
            continue
        total = made.starting[tags[0]] + made.ending[tags[-1]]
        total = total + sum(scores[word, tag] for word, tag in enumerate(tags))
        total = total + sum(made.following[before, later] for before, later in pairwise(tags))
        found[tags] = total.item()
    return found


def random_scores(*lengths: int) -> tuple[Tensor, Tensor]:
    is_word = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return torch.randn(len(lengths), max(lengths), TAGS, dtype=torch.double), is_word


@pytest.mark.parametrize("seed", range(3))
def test_sums_maxima_and_probabilities_are_those_of_all_taggings(seed: int) -> None:
    made, lengths = chain_of(seed), (4, 1, 3)
    scores, is_word = random_scores(*lengths)
    partition = made.log_partition(scores, is_word)
    best = made.best(scores, is_word)
    probabilities = made.probabilities(scores, is_word)
    for number, length in enumerate(lengths):
        all_weights = tagging_weights(made, scores[number, :length])
        total = torch.tensor(list(all_weights.values()), dtype=torch.double).logsumexp(0)
        torch.testing.assert_close(partition[number], total)
        assert tuple(best[number, :length].tolist()) == max(all_weights, key=all_weights.__getitem__)
        for word, tag in product(range(length), range(TAGS)):
            share = sum(exp(weight - total.item()) for tags, weight in all_weights.items() if tags[word] == tag)
            assert probabilities[number, word, tag].item() == pytest.approx(share)


def test_the_weight_of_a_tagging_is_the_sum_of_its_parts() -> None:
    made, lengths = chain_of(), (3, 2)
    scores, is_word = random_scores(*lengths)
    tags = torch.tensor([[1, 2, 0], [3, 1, 0]])
    found = made.log_weight(scores, is_word, tags)
    for number, length in enumerate(lengths):
        expected = tagging_weights(made, scores[number, :length])[tuple(tags[number, :length].tolist())]
        torch.testing.assert_close(found[number].item(), expected)


def test_single_precision_is_enough_for_a_long_sentence() -> None:
    made, length = chain_of(), 2_000
    scores, is_word = random_scores(length)
    exact = made.probabilities(scores, is_word)
    found = made.float().probabilities(scores.float(), is_word)
    torch.testing.assert_close(found.double(), exact, rtol=0, atol=1e-5)


def test_gradients_are_those_of_the_sums() -> None:
    made = chain_of()
    scores, is_word = random_scores(3, 2)
    assert torch.autograd.gradcheck(lambda given: made.log_partition(given, is_word), scores.requires_grad_())
