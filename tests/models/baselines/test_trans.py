"""Trans: what it learns from is what it will see when it decides."""

from itertools import pairwise

import pytest
import torch
from torch import Tensor, nn

from disconer.models.baselines.trans import Trans, Walk
from disconer.models.settings import TransSettings
from disconer.passage import WordMention
from disconer.schemes import TransitionScheme
from disconer.schemes.transitions import Action, ActionKind, ParserState
from tests.models.given import WIDTH, GivenVectors, give, random_sentences

LABELS = ("ADR", "Drug")
MENTIONS = [
    [WordMention("ADR", ((0, 1), (4, 4))), WordMention("ADR", ((3, 4),)), WordMention("Drug", ((5, 5),))],
    [],
    [WordMention("ADR", ((0, 2),)), WordMention("Drug", ((0, 0),)), WordMention("ADR", ((0, 0), (2, 3)))],
]
LENGTHS = (6, 1, 4)


def model_of(seed: int = 0) -> Trans:
    """Make a small model in which nothing is zero."""
    torch.manual_seed(seed)
    sizes = TransSettings(width=5, history=4, dropout=0.0)
    model = Trans(GivenVectors(), LABELS, TransitionScheme(), sizes).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.7)
    return model.eval()


def literal_log_probability(model: Trans, words: Tensor, actions: list[Action]) -> Tensor:
    """Follow actions one by one, with vectors in Python lists, straight from the definition."""
    vectors = list(model.words(words))
    nothing = model.nothing[0]

    def row(vector: Tensor) -> Tensor:
        scores = torch.stack([model.attention(vector) @ word for word in vectors]).softmax(0)
        attended = sum(weight * word for weight, word in zip(scores, vectors, strict=True))
        return torch.cat((vector, torch.as_tensor(attended)))

    state, total = ParserState(len(vectors)), torch.zeros((), dtype=torch.double)
    items: list[Tensor] = []
    columns = [len(model.actions)]
    for action in actions:
        history = model.history(model.action_vectors(torch.tensor(columns))[None])[0][0, -1]
        top = [row(items[number]) for number in reversed(state.stack[-3:])]
        top += [nothing] * (3 - len(top))
        front = row(vectors[state.position]) if state.position < state.length else nothing
        logits = model.classifier(torch.relu(model.hidden(torch.cat((*top, front, history)))))
        kinds = state.valid_kinds()
        valid = torch.tensor([one.kind in kinds for one in model.actions])
        column = model.actions.index(action)
        total = total + logits.masked_fill(~valid, -torch.inf).log_softmax(0)[column]
        columns.append(column)
        word = state.position
        state.apply(action)
        if len(state.items) > len(items):
            parts = state.items[-1].parts
            merged = None if parts is None else model.merging(torch.cat([items[part] for part in parts])).tanh()
            items.append(vectors[word] if merged is None else merged)
    return total


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_is_the_probability_of_the_true_actions(seed: int) -> None:
    model, sentences = model_of(seed), random_sentences(*LENGTHS)
    targets = [model.targets(mentions, length) for mentions, length in zip(MENTIONS, LENGTHS, strict=True)]
    loss = model.loss(give(model, sentences), targets)
    expected = [
        literal_log_probability(model, words, model.scheme.encode(mentions, len(words)))
        for words, mentions in zip(sentences, MENTIONS, strict=True)
    ]
    torch.testing.assert_close(loss, -torch.stack(expected).sum() / 3)
    loss.backward()  # type: ignore[no-untyped-call]
    assert all(parameter.grad is not None for parameter in model.parameters())


@pytest.mark.parametrize("seed", range(4))
def test_what_is_done_is_the_most_probable_of_what_is_valid(seed: int) -> None:
    model, sentences = model_of(seed), random_sentences(5, 2, 7)
    for words, actions in zip(sentences, model.outputs(give(model, sentences), model.scheme), strict=True):
        plain = [action._replace(score=1.0) for action in actions]
        product = sum(torch.log(torch.tensor(action.score)) for action in actions)
        torch.testing.assert_close(
            literal_log_probability(model, words, plain), torch.as_tensor(product).double(), rtol=1e-5, atol=1e-5
        )
        state = ParserState(len(words))
        for action in plain:
            kinds = state.valid_kinds()
            assert action.kind in kinds
            state.apply(action)
        assert not state.valid_kinds()
        least = 1 / len(model.actions)
        assert all(action.score >= least for action in actions)


def test_a_sentence_is_decided_alone_as_beside_others() -> None:
    model, sentences = model_of(1), random_sentences(5, 9, 3)
    together = model.outputs(give(model, sentences), model.scheme)
    for words, actions in zip(sentences, together, strict=True):
        alone = model.outputs(give(model, [words]), model.scheme)[0]
        assert [action[:2] for action in alone] == [action[:2] for action in actions]
        assert [action.score for action in alone] == pytest.approx([action.score for action in actions])


def test_a_batch_without_any_word_has_nothing_to_do() -> None:
    model = model_of()
    assert model.outputs(give(model, [torch.zeros(0, WIDTH, dtype=torch.double)]), model.scheme) == [[]]


def test_a_walk_asks_for_the_rows_of_what_it_merges() -> None:
    walk = Walk(ParserState(2), start=3)
    assert walk.visible_rows() == [0, 0, 0, 4]
    assert walk.follow(Action(ActionKind.SHIFT), 0) is None
    assert walk.follow(Action(ActionKind.SHIFT), 0) is None
    assert walk.visible_rows() == [5, 4, 0, 0]
    assert walk.follow(Action(ActionKind.REDUCE), 2) == (4, 5)
    assert all(earlier < later for earlier, later in pairwise(walk.rows))
