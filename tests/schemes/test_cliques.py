import random
from itertools import combinations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from disconer.schemes import maximal_cliques

PLENTY = 1_000_000


def masks(graph: nx.Graph) -> list[int]:
    return [sum(1 << neighbour for neighbour in graph[node]) for node in range(len(graph))]


def expected(graph: nx.Graph) -> list[int]:
    return sorted(sum(1 << node for node in clique) for clique in nx.find_cliques(graph))


def multipartite(parts: int, size: int) -> nx.Graph:
    return nx.complete_multipartite_graph(*[size] * parts)


def test_equals_networkx_on_thousands_of_random_graphs() -> None:
    generator = random.Random(20210801)
    for _ in range(4000):
        graph = nx.gnp_random_graph(generator.randint(0, 14), generator.random(), seed=generator.randrange(2**32))
        cliques, complete = maximal_cliques(masks(graph), PLENTY)
        assert complete
        assert sorted(cliques) == expected(graph)


@given(
    st.integers(0, 9).flatmap(
        lambda size: st.tuples(st.just(size), st.sets(st.sampled_from(list(combinations(range(10), 2)))))
    )
)
def test_equals_networkx_on_any_graph(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    size, edges = drawn
    graph = nx.empty_graph(size)
    graph.add_edges_from(edge for edge in edges if max(edge) < size)
    cliques, complete = maximal_cliques(masks(graph), PLENTY)
    assert complete
    assert sorted(cliques) == expected(graph)


def test_a_graph_without_nodes_has_no_clique_and_lone_nodes_are_cliques() -> None:
    assert maximal_cliques([], 0) == ([], True)
    assert maximal_cliques([0, 0], PLENTY) == ([0b01, 0b10], True)


def test_edges_from_a_node_to_itself_say_nothing() -> None:
    assert maximal_cliques([0b11, 0b11], PLENTY) == ([0b11], True)


def test_a_hostile_graph_is_cut_at_the_budget() -> None:
    graph = multipartite(20, 3)  # 3^20 maximal cliques, each of 20 nodes
    cliques, complete = maximal_cliques(masks(graph), budget=10_000)
    assert not complete
    assert 0 < len(cliques) <= 10_000
    for clique in cliques:
        nodes = [node for node in range(60) if clique >> node & 1]
        assert len(nodes) == 20
        assert all(graph.has_edge(*pair) for pair in combinations(nodes, 2))
    assert len(set(cliques)) == len(cliques)


def test_a_budget_that_just_suffices_is_enough() -> None:
    neighbours = masks(multipartite(4, 3))
    steps = next(budget for budget in range(1000) if maximal_cliques(neighbours, budget)[1])
    assert sorted(maximal_cliques(neighbours, steps)[0]) == expected(multipartite(4, 3))
    assert not maximal_cliques(neighbours, steps - 1)[1]


def test_no_budget_means_no_search() -> None:
    assert maximal_cliques(masks(multipartite(20, 3)), -1) == ([], False)


def test_the_first_nodes_are_dealt_with_first() -> None:
    cliques, complete = maximal_cliques(masks(multipartite(12, 3)), budget=500)
    assert not complete
    assert all(clique & 1 for clique in cliques)


def test_a_clique_of_thousands_does_not_exhaust_the_stack() -> None:
    size = 3000
    everything = (1 << size) - 1
    assert maximal_cliques([everything] * size, PLENTY) == ([everything], True)
