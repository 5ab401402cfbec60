"""All maximal cliques of a small graph, within a budget, for segment_graph.py; grid.py is Mac's decoder."""

from collections.abc import Sequence

from disconer.schemes.masks import bits


def maximal_cliques(neighbours: Sequence[int], budget: int) -> tuple[list[int], bool]:
    """Find the maximal cliques of a graph, and tell whether the search was complete.

    `neighbours[i]` is a bit mask of the nodes that node `i` is joined to; a clique is a bit mask of its nodes. Cliques
    of node 0 come first, then those of node 1 without node 0, and so on: a caller that puts its best nodes first gets
    the best cliques before the budget, counted in steps of the search and never in seconds, runs out.

    Bron and Kerbosch's algorithm with Tomita's pivot. (The paper's Algorithm 2 misprints the recursive call: it takes
    R ∪ {v}, not R ∪ N(v).) A stack stands in for the recursion, so that large cliques cannot exhaust Python's.

    >>> maximal_cliques([0b110, 0b101, 0b011, 0b000], budget=100)
    ([7, 8], True)
    """
    neighbours = [mask & ~(1 << node) for node, mask in enumerate(neighbours)]  # an edge to itself says nothing
    cliques: list[int] = []
    # Each entry: the clique so far, the nodes that may still join it, and those that could but were dealt with before.
    stack = [
        (1 << node, neighbours[node] & -(1 << node), neighbours[node] & ((1 << node) - 1))
        for node in reversed(range(len(neighbours)))
    ]
    steps = 0
    while stack:
        if steps >= budget:
            return cliques, False
        steps += 1
        clique, candidates, excluded = stack.pop()
        if not candidates:
            if not excluded:
                cliques.append(clique)
            continue
        branches = []
        for node in bits(candidates & ~_neighbours_of_pivot(neighbours, candidates, excluded)):
            mask = neighbours[node]
            branches.append((clique | 1 << node, candidates & mask, excluded & mask))
            candidates ^= 1 << node
            excluded |= 1 << node
        stack.extend(reversed(branches))
    return cliques, True


def _neighbours_of_pivot(neighbours: Sequence[int], candidates: int, excluded: int) -> int:
    """The neighbours of the pivot: the node that is joined to the most candidates, or one that none can beat."""
    best = 0
    for node in bits(excluded):
        best = max(best, neighbours[node] & candidates, key=int.bit_count)
        if best == candidates:
            return best
    most_possible = candidates.bit_count() - 1  # a candidate is not joined to itself
    for node in bits(candidates):
        if best.bit_count() >= most_possible:
            return best
        best = max(best, neighbours[node] & candidates, key=int.bit_count)
    return best
