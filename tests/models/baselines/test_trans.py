"""Trans: what it learns from is what it will see when it decides."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn

from disconer.models.baselines.trans import Trans, build_trans
from disconer.models.baselines.trans.items import StackNodes, Table
from disconer.models.baselines.trans.network import Walk
from disconer.models.baselines.trans.plain import PlainTrans
from disconer.models.baselines.trans.stack import StackTrans
from disconer.models.settings import TransNetwork, TransSettings
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


def model_of(network: TransNetwork, seed: int = 0) -> Trans:
    """Make a small model in which nothing is zero."""
    torch.manual_seed(seed)
    sizes = TransSettings(network=network, width=5, history=4, dropout=0.0)
    model = build_trans(GivenVectors(), LABELS, TransitionScheme(), sizes).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.7)
    return model.eval()


def attended(query: Tensor, words: Sequence[Tensor]) -> Tensor:
    weights = torch.stack([query @ word for word in words]).softmax(0)
    return torch.as_tensor(sum(weight * word for weight, word in zip(weights, words, strict=True)))


class PlainReader:
    """What the plain network sees, straight from the definition."""

    def __init__(self, model: PlainTrans, words: Tensor) -> None:
        self.model, self.words = model, list(model.words(words))
        self.items: list[Tensor] = []

    def add(self, parts: tuple[int, int] | None, word: int) -> None:
        merged = None if parts is None else self.model.merging(torch.cat([self.items[part] for part in parts])).tanh()
        self.items.append(self.words[word] if merged is None else merged)

    def see(self, stack: Sequence[int], position: int, history: Tensor) -> Tensor:
        nothing = self.model.nothing[0]
        top = [self._row(self.items[number]) for number in reversed(stack[-3:])]
        top += [nothing] * (3 - len(top))
        front = self._row(self.words[position]) if position < len(self.words) else nothing
        return torch.relu(self.model.hidden(torch.cat((*top, front, history))))

    def _row(self, vector: Tensor) -> Tensor:
        return torch.cat((vector, attended(self.model.attention(vector), self.words)))


class StackReader:
    """What the paper's network sees, straight from the definition: the stack is read anew at every step."""

    def __init__(self, model: StackTrans, words: Tensor) -> None:
        self.model = model
        for ahead, back in zip(model.forwards, model.backwards, strict=True):
            width = words.shape[1]
            lstm = nn.LSTM(width, model.hidden.out_features, bidirectional=True).double()
            parameters: dict[str, Tensor] = dict(ahead.named_parameters())
            parameters |= {f"{name}_reverse": parameter for name, parameter in back.named_parameters()}
            words = torch.func.functional_call(lstm, parameters, (words,))[0][:, : model.width]
        self.words = list(words)
        self.items: list[tuple[Tensor, Tensor]] = []

    def add(self, parts: tuple[int, int] | None, word: int) -> None:
        model = self.model
        if parts is None:
            cell = model.leaf_cell(self.words[word])
            self.items.append((model.leaf_gate(self.words[word]).sigmoid() * cell.tanh(), cell))
            return
        (low, low_cell), (high, high_cell) = (self.items[part] for part in parts)
        gates = model.merging(torch.cat((low, high))).view(4, -1)
        cell = gates[0].sigmoid() * gates[3].tanh() + gates[1].sigmoid() * low_cell + gates[2].sigmoid() * high_cell
        self.items.append((cell.tanh(), cell))

    def see(self, stack: Sequence[int], position: int, history: Tensor) -> Tensor:
        model = self.model
        state, cell = torch.chunk(model.ground[None], 2, -1)
        states = []
        for number in stack:
            state, cell = model.stack(self.items[number][0][None], (state, cell))
            states.append(state[0])
        seen = []
        for place, attention in enumerate(model.attention):
            if place < len(states):
                own = states[-1 - place]
                seen += [own, attended(attention(own), self.words)]
            else:
                seen += [model.nothing, model.nothing]
        front = self.words[position] if position < len(self.words) else model.end[0]
        return torch.relu(model.hidden(torch.cat((front, history, *seen))))


def literal_log_probability(model: Trans, words: Tensor, actions: list[Action]) -> Tensor:
    """Follow actions one by one, with vectors in Python lists."""
    reader: PlainReader | StackReader
    if isinstance(model, PlainTrans):
        reader = PlainReader(model, words)
    else:
        assert isinstance(model, StackTrans)
        reader = StackReader(model, words)
    state, total = ParserState(len(words)), torch.zeros((), dtype=torch.double)
    columns = [len(model.actions)]
    for action in actions:
        history = model.history(model.action_vectors(torch.tensor(columns))[None])[0][0, -1]
        logits = model.classifier(reader.see(state.stack, state.position, history))
        kinds = state.valid_kinds()
        valid = torch.tensor([one.kind in kinds for one in model.actions])
        column = model.actions.index(action)
        total = total + logits.masked_fill(~valid, -torch.inf).log_softmax(0)[column]
        columns.append(column)
        word, known = state.position, len(state.items)
        state.apply(action)
        if len(state.items) > known:
            reader.add(state.items[-1].parts, word)
    return total


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("network", TransNetwork)
def test_the_loss_and_its_gradients_are_those_of_the_true_actions(network: TransNetwork, seed: int) -> None:
    model, sentences = model_of(network, seed), random_sentences(*LENGTHS)
    targets = [model.targets(mentions, length) for mentions, length in zip(MENTIONS, LENGTHS, strict=True)]
    loss = model.loss(give(model, sentences), targets)
    expected = [
        literal_log_probability(model, words, model.scheme.encode(mentions, len(words)))
        for words, mentions in zip(sentences, MENTIONS, strict=True)
    ]
    literal = -torch.stack(expected).sum() / 3
    torch.testing.assert_close(loss, literal)
    loss.backward()  # type: ignore[no-untyped-call]
    found = {name: parameter.grad for name, parameter in model.named_parameters() if name != "encoder.vectors"}
    assert all(gradient is not None for gradient in found.values())
    model.zero_grad()
    literal.backward()  # type: ignore[no-untyped-call]
    for name, parameter in model.named_parameters():
        if name != "encoder.vectors":
            torch.testing.assert_close(found[name], parameter.grad)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("network", TransNetwork)
def test_what_is_done_is_the_most_probable_of_what_is_valid(network: TransNetwork, seed: int) -> None:
    model, sentences = model_of(network, seed), random_sentences(5, 2, 7)
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


@pytest.mark.parametrize("network", TransNetwork)
def test_a_sentence_is_decided_alone_as_beside_others(network: TransNetwork) -> None:
    model, sentences = model_of(network, 1), random_sentences(5, 9, 3)
    together = model.outputs(give(model, sentences), model.scheme)
    for words, actions in zip(sentences, together, strict=True):
        alone = model.outputs(give(model, [words]), model.scheme)[0]
        assert [action[:2] for action in alone] == [action[:2] for action in actions]
        assert [action.score for action in alone] == pytest.approx([action.score for action in actions])


@pytest.mark.parametrize("network", TransNetwork)
def test_a_batch_without_any_word_has_nothing_to_do(network: TransNetwork) -> None:
    model = model_of(network)
    assert model.outputs(give(model, [torch.zeros(0, WIDTH, dtype=torch.double)]), model.scheme) == [[]]


def test_a_walk_asks_for_the_rows_of_what_it_merges_and_of_what_it_puts_on_the_stack() -> None:
    walk = Walk(ParserState(3), start=3)
    assert walk.visible_rows() == [0, 0, 0, 4]
    for row in (11, 12):
        assert walk.follow(Action(ActionKind.SHIFT), 0) is None
        assert walk.pending == [len(walk.items) - 1]
        walk.nodes.append(row)
    assert walk.visible_rows() == [12, 11, 0, 6]
    assert walk.follow(Action(ActionKind.RIGHT_REDUCE), 2) == (4, 5)
    assert (walk.nodes, walk.pending) == ([], [1, 2])  # the upper one lies elsewhere now


def test_what_lies_on_a_stack_is_counted_once_for_all_that_lies_below_it() -> None:
    nodes = StackNodes()
    for items in ([0], [0, 1], [0, 2], [1, 3], [1]):
        nodes.follow(items)
    assert nodes.nodes == [(-1, 0), (0, 1), (0, 2), (-1, 1), (3, 3)]
    assert nodes.stack == [3]


@pytest.mark.parametrize("learns", [True, False])
def test_a_table_keeps_what_was_written(learns: bool) -> None:
    with torch.set_grad_enabled(learns):
        table = Table(torch.zeros(1, 2))
        assert list(table.add(torch.ones(3, 2))) == [1, 2, 3]
        assert list(table.add(torch.full((1, 2), 2.0))) == [4]
    assert table.rows[:, 0].tolist() == [0, 1, 1, 1, 2]
