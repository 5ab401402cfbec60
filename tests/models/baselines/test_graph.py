"""The hypergraph against trying all derivations, in double precision."""

from collections.abc import Iterator
from itertools import product
from math import exp, log

import pytest
import torch
from torch import nn

from disconer.models.baselines.graph import GAP_EDGES, INSIDE_EDGES, HypergraphModel, count_visits
from disconer.models.settings import GraphSettings
from disconer.passage import WordMention
from disconer.schemes import HypergraphScheme, Interpretation
from disconer.schemes.hypergraph import Graph, Links, Node
from tests.models.given import GivenVectors, give, random_sentences

LABELS = ("ADR", "Drug")
Choice = tuple[Node, Links]


def model_of(components: int = 2, labels: tuple[str, ...] = LABELS) -> HypergraphModel:
    """Make a small model in which nothing is zero."""
    torch.manual_seed(components)
    sizes = GraphSettings(width=5, components=components, dropout=0.0)
    model = HypergraphModel(GivenVectors(), labels, HypergraphScheme(components), sizes).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.8)
    return model


def derivations(node: Node, length: int, components: int) -> Iterator[list[Choice]]:
    """List every derivation below a node: each visit chooses on its own."""
    for edge in GAP_EDGES if node.is_gap else INSIDE_EDGES:
        children = [node.child(link) for link in Links if link in edge]
        inner = [child for child in children if child is not None]
        if any(child.word >= length or child.component >= components for child in inner):
            continue
        if any(child.is_gap and child.component == components - 1 for child in inner):
            continue  # a gap behind the last component
        for below in product(*(list(derivations(child, length, components)) for child in inner)):
            yield [(node, edge), *(choice for part in below for choice in part)]


def brute_force(model: HypergraphModel, scores: torch.Tensor) -> tuple[float, float]:
    """Compute the logarithm of the summed weights, and of the greatest weight, of a sentence's derivations."""
    columns, summed, best = model.columns, 0.0, 0.0
    for label, word in product(range(columns.labels), range(len(scores))):
        weights = [
            float(scores[word, columns.start(label)])
            + sum(float(scores[node.word, columns.edge(label, node, edge)]) for node, edge in derivation)
            for derivation in derivations(Node(word, 0, is_gap=False), len(scores), columns.components)
        ]
        summed += log(1 + sum(map(exp, weights)))
        best += max(0.0, *weights)
    return summed, best


@pytest.mark.parametrize(("components", "length"), [(1, 4), (2, 3), (2, 4), (3, 5)])
def test_sums_and_maxima_are_those_of_all_derivations(components: int, length: int) -> None:
    labels = LABELS if length < 5 else LABELS[:1]
    model = model_of(components, labels)
    sentences = random_sentences(length, 1, length - 1)
    batch = give(model, sentences)
    scores, is_word = model(model.encoder(batch), batch)
    partition = model.log_partition(scores, is_word)
    best = model.chart(scores, is_word, lambda values: values.amax(-1)).starts
    flat = model.columns.join(scores).detach()
    for number, words in enumerate(sentences):
        summed, greatest = brute_force(model, flat[number, : len(words)])
        torch.testing.assert_close(partition[number].item(), summed)
        found = best[number, : len(words)].clamp(min=0).sum().item()
        torch.testing.assert_close(found, greatest)


@pytest.mark.parametrize(
    "mentions",
    [
        [],
        [WordMention("ADR", ((0, 1),))],
        [WordMention("ADR", ((0, 0), (2, 2))), WordMention("Drug", ((1, 1),))],
        # Two ways lead to the last word, which is therefore visited twice.
        [
            WordMention("ADR", ((0, 0), (2, 2))),
            WordMention("ADR", ((0, 1), (3, 3))),
            WordMention("ADR", ((0, 0), (3, 3))),
        ],
    ],
)
def test_the_loss_is_the_probability_of_the_true_derivation(mentions: list[WordMention]) -> None:
    model, sentences = model_of(), random_sentences(4, 2)
    batch = give(model, sentences)
    scores, _ = model(model.encoder(batch), batch)
    flat = model.columns.join(scores).detach()
    loss = model.loss(batch, [model.targets(mentions, 4), model.targets([], 2)])
    true = 0.0
    for label, graph in model.scheme.encode(mentions).items():
        number = LABELS.index(label)
        for root in graph.roots():
            true += flat[0, root.word, model.columns.start(number)].item()
            true += sum(
                flat[0, node.word, model.columns.edge(number, node, edge)].item() for node, edge in walk(graph, root)
            )
    totals = [brute_force(model, flat[number, : len(words)])[0] for number, words in enumerate(sentences)]
    torch.testing.assert_close(loss.item(), (sum(totals) - true) / 2)


def walk(graph: Graph, node: Node) -> Iterator[Choice]:
    """Follow the derivation of a graph, a shared node once for every way that leads there."""
    edge = Links(0)
    for link in graph.links[node]:
        edge |= link
        child = node.child(link)
        if child is not None:
            yield from walk(graph, child)
    yield node, edge


def test_a_node_is_visited_once_for_every_way_that_leads_there() -> None:
    mentions = [WordMention("A", ((0, 0), (3, 3))), WordMention("A", ((0, 1), (3, 3)))]
    counts = count_visits(HypergraphScheme().encode(mentions)["A"])
    assert counts[Node(3, 1, is_gap=False)] == counts[Node(2, 0, is_gap=True)] == 2
    assert counts[Node(0, 0, is_gap=False)] == counts[Node(1, 0, is_gap=True)] == 1


def test_what_is_read_off_is_the_best_derivation_with_its_probabilities() -> None:
    model, sentences = model_of(components=2, labels=("ADR",)), random_sentences(3)
    batch = give(model, sentences)
    scores, _ = model(model.encoder(batch), batch)
    flat = model.columns.join(scores)[0].detach()
    graph = model.outputs(batch, model.scheme)[0]["ADR"]
    for word in range(3):
        weighted = {
            tuple(derivation): exp(
                flat[word, model.columns.start(0)].item()
                + sum(flat[node.word, model.columns.edge(0, node, edge)].item() for node, edge in derivation)
            )
            for derivation in derivations(Node(word, 0, is_gap=False), 3, 2)
        }
        best = max(weighted, key=weighted.__getitem__)
        assert (word in graph.starts) == (weighted[best] > 1)
        if word in graph.starts:
            total = sum(weighted.values())
            assert graph.starts[word] == pytest.approx(total / (1 + total))
            assert {node for node, _ in best} <= set(graph.links)
            node, edge = best[0]
            assert set(graph.links[node]) == {link for link in Links if link in edge}
            for link, probability in graph.links[node].items():
                having = sum(weight for derivation, weight in weighted.items() if link in derivation[0][1])
                assert probability == pytest.approx(having / total)


def test_a_long_sentence_stays_a_number_in_half_precision() -> None:
    """Products in half precision would lose a sum that grows over all words."""
    torch.manual_seed(0)
    sizes = GraphSettings(width=5, components=3, dropout=0.0)
    model = HypergraphModel(GivenVectors(), LABELS, HypergraphScheme(3), sizes)
    batch = give(model, [torch.randn(150, 6)])
    exact = model.loss(batch, [model.targets([], 150)])
    with torch.autocast("cpu", torch.bfloat16):
        half = model.loss(batch, [model.targets([], 150)])
    assert half.item() == pytest.approx(exact.item(), rel=0.05)


def test_dev_decides_how_a_graph_is_read() -> None:
    assert set(model_of().search_space[0]["interpretation"]) == set(Interpretation)
