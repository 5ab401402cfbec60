from itertools import combinations, pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from disconer.schemes.covers import fewest_paths


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    """Draw a graph without circles, whose edges lead to higher numbers."""
    size = draw(st.integers(1, 7))
    edges = draw(st.sets(st.sampled_from([*combinations(range(size), 2)]))) if size > 1 else set()
    return [sorted(goal for source, goal in edges if source == node) for node in range(size)]


def largest_antichain(successors: list[list[int]]) -> int:
    """Count the most nodes of which none is behind another, by trying all sets: Dilworth's bound."""
    graph = nx.DiGraph([(node, goal) for node, own in enumerate(successors) for goal in own])
    graph.add_nodes_from(range(len(successors)))
    behind = {node: nx.descendants(graph, node) for node in graph}
    for size in range(len(successors), 0, -1):
        for chosen in combinations(range(len(successors)), size):
            if not any(other in behind[one] for one in chosen for other in chosen):
                return size
    return 0


@given(graphs())
def test_paths_cover_everything_and_none_fewer_could(successors: list[list[int]]) -> None:
    paths, complete = fewest_paths(successors, budget=10_000)
    assert complete
    assert {node for path in paths for node in path} == set(range(len(successors)))
    assert len(paths) == largest_antichain(successors)


@given(graphs(), st.integers(1, 30))
def test_paths_are_whole_even_when_the_budget_runs_out(successors: list[list[int]], budget: int) -> None:
    has_predecessor = {goal for own in successors for goal in own}
    paths, _ = fewest_paths(successors, budget)
    assert {node for path in paths for node in path} == set(range(len(successors)))
    for path in paths:
        assert path[0] not in has_predecessor
        assert not successors[path[-1]]
        assert all(later in successors[earlier] for earlier, later in pairwise(path))


def test_a_graph_of_thousands_of_nodes_does_not_hang() -> None:
    size = 2_000
    _, complete = fewest_paths([list(range(node + 1, min(node + 40, size))) for node in range(size)], budget=3_000)
    assert complete
    long = [[node + 1, node + 2] for node in range(50_000)] + [[], []]
    paths, complete = fewest_paths(long, budget=10_000)
    assert {node for path in paths for node in path} == set(range(50_002))
    assert not complete
    wide: list[list[int]] = [[*range(300, 600)] for _ in range(300)] + [[] for _ in range(300)]
    paths, _ = fewest_paths(wide, budget=100)
    assert len(paths) >= 300
