"""W2NER: its grid against the paper's equations, transcribed cell by cell, and what it makes of long sentences."""

from itertools import product

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from disconer.models.baselines import w2ner
from disconer.models.baselines.w2ner import Tile, W2ner, distance_classes, divide_grids
from disconer.models.settings import W2nerSettings
from disconer.passage import WordMention
from disconer.schemes import WordPairScheme
from disconer.schemes.word_pairs import WordRelations
from tests.models.given import WIDTH, GivenVectors, give, random_sentences

LABELS = ("ADR", "Drug")
MENTIONS = [
    [WordMention("ADR", ((0, 1), (4, 4))), WordMention("ADR", ((3, 4),)), WordMention("Drug", ((5, 5),))],
    [],
    [WordMention("ADR", ((0, 2),)), WordMention("Drug", ((0, 0),)), WordMention("Drug", ((2, 2), (8, 8)))],
]
LENGTHS = (6, 1, 11)


def model_of(seed: int = 0) -> W2ner:
    """Make a small model in which nothing is zero."""
    torch.manual_seed(seed)
    sizes = W2nerSettings(
        width=7, distance=3, region=2, channels=4, hidden=5, biaffine=6, dropout=0, pair_dropout=0, predictor_dropout=0
    )
    model = W2ner(GivenVectors(), LABELS, WordPairScheme(), sizes).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.6)
    return model.eval()


def read_once_more(model: W2ner, words: Tensor) -> Tensor:
    """H = BiLSTM(x), with torch's own bidirectional LSTM."""
    lstm = nn.LSTM(WIDTH, model.forwards.hidden_size, bidirectional=True).double()
    parameters = {name: getattr(model.forwards, name) for name, _ in model.forwards.named_parameters()}
    parameters |= {f"{name}_reverse": getattr(model.backwards, name) for name, _ in model.backwards.named_parameters()}
    states, _ = torch.func.functional_call(lstm, parameters, (words,))
    found: Tensor = states[:, : model.width]
    return found


def normalised_pair(model: W2ner, condition: Tensor, word: Tensor) -> Tensor:
    """V_ij = γ_i ⊙ (h_j - μ) / σ + λ_i."""
    gain = model.normalisation.gain(condition)
    bias = model.normalisation.bias(condition)
    deviation = (((word - word.mean()) ** 2).mean() + 1e-6).sqrt()
    pair: Tensor = gain * (word - word.mean()) / deviation + bias
    return pair


def distance(steps: int) -> int:
    """Number a distance by its power of two, and its sign."""
    return 9 if steps == 0 else 9 + (1 if steps > 0 else -1) * min(abs(steps).bit_length(), 9)


def literal_logits(model: W2ner, words: Tensor) -> Tensor:
    """y_ij = y'_ij + y''_ij, before the softmax: (word, word, class)."""
    h, n = read_once_more(model, words), len(words)
    reduce = torch.cat((model.reduce_pairs.weight, model.reduce_distances.weight, model.reduce_regions.weight), 1)
    grid: dict[tuple[int, int], Tensor] = {}
    for i, j in product(range(n), repeat=2):
        vector = (
            normalised_pair(model, h[i], h[j]),
            model.distances.weight[distance(j - i)],
            model.regions.weight[int(j > i)],
        )
        grid[i, j] = functional.gelu(reduce @ torch.cat(vector) + model.reduce_pairs.bias)
    logits = torch.zeros(n, n, len(LABELS) + 2, dtype=torch.double)
    for i, j in product(range(n), repeat=2):
        seen = []
        for dilation, convolution in enumerate(model.convolutions, start=1):
            assert isinstance(convolution, nn.Conv2d)
            assert convolution.bias is not None
            total = convolution.bias
            for down, right in product((-1, 0, 1), repeat=2):
                if (place := (i + down * dilation, j + right * dilation)) in grid:
                    total = total + convolution.weight[:, :, down + 1, right + 1] @ grid[place]
            seen.append(functional.gelu(total))
        convolved = model.convolved_classifier(functional.gelu(model.convolved(torch.cat(seen))))
        s, o = functional.gelu(model.heads(h[i])), functional.gelu(model.tails(h[j]))
        biaffine = torch.stack([s @ matrix @ o for matrix in model.bilinear])
        both = torch.cat((model.head_classifier.weight, model.tail_classifier.weight), 1) @ torch.cat((s, o))
        logits[i, j] = convolved + biaffine + both + model.head_classifier.bias
    return logits


def literal_loss(model: W2ner, words: Tensor, mentions: list[WordMention]) -> Tensor:
    """-1/N² Σ_ij ŷ_ij log y_ij."""
    truth = model.scheme.encode(mentions)
    logits = literal_logits(model, words)
    total = torch.zeros((), dtype=torch.double)
    for i, j in product(range(len(words)), repeat=2):
        column = 1 if (i, j) in truth.following else 0
        if (i, j) in truth.tails:
            column = 2 + LABELS.index(truth.tails[i, j].label)
        total = total - torch.log_softmax(logits[i, j], -1)[column]
    return total / len(words) ** 2


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("tile", [2**18, 25, 1])
def test_the_loss_and_its_gradients_are_the_papers(seed: int, tile: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(w2ner, "_MOST_CELLS_LEARNED", tile)
    model, sentences = model_of(seed), random_sentences(*LENGTHS)
    targets = [model.targets(mentions, length) for mentions, length in zip(MENTIONS, LENGTHS, strict=True)]
    loss = model.loss(give(model, sentences), targets)
    loss.backward()  # type: ignore[no-untyped-call]
    found = {name: parameter.grad for name, parameter in model.named_parameters() if not name.startswith("encoder.")}
    model.zero_grad()
    literal = sum((literal_loss(model, *one) for one in zip(sentences, MENTIONS, strict=True)), torch.tensor(0.0))
    literal = literal / len(sentences)
    assert loss.item() == pytest.approx(literal.item(), rel=1e-9)
    literal.backward()  # type: ignore[no-untyped-call]
    for name, parameter in model.named_parameters():
        if not name.startswith("encoder."):
            torch.testing.assert_close(found[name], parameter.grad, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("tile", [2**15, 44, 30, 1])
def test_relations_are_the_most_probable_class_of_each_pair(tile: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(w2ner, "_MOST_CELLS_FOUND", tile)
    model, sentences = model_of(1), random_sentences(*LENGTHS)
    found = model.outputs(give(model, sentences), model.scheme)
    assert sum(len(relations.following) + len(relations.tails) for relations in found) > 10
    for relations, words in zip(found, sentences, strict=True):
        assert max(map(max, [*relations.following, *relations.tails])) < len(words)
        probabilities = literal_logits(model, words).softmax(-1)
        for i, j in product(range(len(words)), repeat=2):
            score, column = (part.item() for part in probabilities[i, j].max(-1))
            is_following, is_tail = (i, j) in relations.following, (i, j) in relations.tails
            assert (is_following, is_tail) == (column == 1 and i < j, column > 1 and i >= j)
            if is_following:
                assert relations.following[i, j] == pytest.approx(score, abs=1e-9)
            elif is_tail:
                assert relations.tails[i, j].label == LABELS[int(column) - 2]
                assert relations.tails[i, j].score == pytest.approx(score, abs=1e-9)


def test_of_too_many_relations_the_most_probable_are_kept_and_one_more_so_that_the_cut_is_told() -> None:
    model, sentences = model_of(1), random_sentences(30)
    (every,) = model.outputs(give(model, sentences), model.scheme)
    few_scheme = WordPairScheme(most_relations=5)
    (few,) = model.outputs(give(model, sentences), few_scheme)
    assert len(every.following) > 6
    assert few.following == dict(sorted(every.following.items(), key=lambda item: -item[1])[:6])
    assert not few_scheme.decode(few).complete


def test_a_sentence_without_words_has_no_relations() -> None:
    model = model_of()
    empty, one = model.outputs(give(model, random_sentences(0, 1)), model.scheme)
    assert empty == WordRelations()
    assert set(one.tails) <= {(0, 0)}
    assert model.loss(give(model, random_sentences(0)), [model.targets([], 0)]).item() == 0


@pytest.mark.parametrize(("prior", "nothing"), [(0.01, 0.97), (0.5, 0.25)])
def test_before_anything_is_learned_relations_are_as_rare_as_they_should_be(prior: float, nothing: float) -> None:
    torch.manual_seed(0)
    sizes = W2nerSettings(width=8, biaffine=8, hidden=8, channels=8, prior=prior)
    model = W2ner(GivenVectors(), LABELS, WordPairScheme(), sizes).double().eval()
    prepared = model(random_sentences(9)[0], give(model, random_sentences(9)))
    every = Tile(slice(0, 1), slice(0, 9), slice(0, 9))
    assert model.logits(prepared, every).softmax(-1)[..., 0].mean().item() == pytest.approx(nothing, abs=0.08)


def test_distances_are_told_apart_by_their_power_of_two() -> None:
    steps = range(-700, 701)
    assert distance_classes(torch.tensor(list(steps))).tolist() == list(map(distance, steps))


@pytest.mark.parametrize(("sentences", "length", "most"), [(3, 4, 100), (3, 4, 20), (2, 50, 600), (1, 9, 1), (2, 0, 5)])
@pytest.mark.parametrize("window", [1, 7, 512])
def test_tiles_cover_every_pair_that_is_near_enough_once(sentences: int, length: int, most: int, window: int) -> None:
    seen = torch.zeros(sentences, length, length, dtype=torch.long)
    for tile in divide_grids(sentences, length, most, window):
        part = seen[tile.sentences, tile.rows, tile.columns]
        assert part.numel() <= most
        part += tile.is_near(window, part.device)
    numbers = torch.arange(length)
    assert torch.equal(seen, ((numbers - numbers[:, None]).abs() < window).long().expand_as(seen))


@pytest.mark.parametrize("tile", [2**18, 30])
def test_words_that_are_too_far_apart_have_no_relation(tile: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_MOST_CELLS_LEARNED", "_MOST_CELLS_FOUND"):
        monkeypatch.setattr(w2ner, name, tile)
    model, sentences = model_of(1), random_sentences(3, 17)
    whole = model.outputs(give(model, sentences), model.scheme)
    model.window = 4
    near = model.outputs(give(model, sentences), model.scheme)
    for every, few in zip(whole, near, strict=True):
        assert few.following == pytest.approx(
            {pair: score for pair, score in every.following.items() if pair[1] - pair[0] < 4}
        )
        assert few.tails.keys() == {pair for pair in every.tails if pair[0] - pair[1] < 4}
    mentions = [[], [WordMention("ADR", ((2, 3), (5, 5))), WordMention("Drug", ((0, 0), (16, 16)))]]
    targets = [model.targets(own, len(words)) for own, words in zip(mentions, sentences, strict=True)]
    expected = []
    for own, words in zip(targets, sentences, strict=True):
        surprise = -literal_logits(model, words).log_softmax(-1)
        columns = torch.zeros(len(words), len(words), dtype=torch.long)
        columns[own[:, 0], own[:, 1]] = torch.from_numpy(own[:, 2])
        numbers = torch.arange(len(words))
        is_near = (numbers - numbers[:, None]).abs() < 4
        expected.append(surprise.gather(2, columns[..., None])[..., 0][is_near].mean())
    loss = model.loss(give(model, sentences), targets)
    assert loss.item() == pytest.approx(torch.stack(expected).mean().item(), rel=1e-9)
