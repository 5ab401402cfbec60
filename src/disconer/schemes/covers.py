"""As few paths as it takes to visit every node of a small graph without circles."""

from collections.abc import Sequence

from disconer.schemes.masks import bits

_NODES_A_PATH = 10
"""Nodes that a path may have on the average, before the budget of paths is used up."""


def fewest_paths(successors: Sequence[Sequence[int]], budget: int) -> tuple[list[list[int]], bool]:
    """Cover a graph with paths from sources to sinks that may share nodes; tell whether no fewer would do.

    Successors of a node must have higher numbers than the node. By Dilworth's theorem in Fulkerson's form, the fewest
    paths are those that a largest matching of nodes to nodes behind them makes. The budget, in steps of the search for
    it and never in seconds, bounds what is spent on getting below the paths that were found first, and how much of a
    graph that is far too large is covered at all.

    >>> fewest_paths([[2], [2], [3, 4], [], []], budget=100)
    ([[0, 2, 4], [1, 2, 3]], True)
    """
    if len(successors) > budget:
        return _cover_roughly(successors, _NODES_A_PATH * budget), False
    behind = _reachable(successors)
    following, complete = _largest_matching(behind, budget)
    matched = set(following.values())
    predecessor = _find_predecessors(successors)
    paths = []
    for first in range(len(successors)):
        if first not in matched:
            chain = [first]
            while chain[-1] in following:
                chain.append(following[chain[-1]])
            paths.append(_fill_chain(chain, successors, behind, predecessor))
    return paths, complete


def _cover_roughly(successors: Sequence[Sequence[int]], most_nodes: int) -> list[list[int]]:
    """Cover a graph, as far as the limit on nodes of paths goes, without looking for few paths."""
    predecessor = _find_predecessors(successors)
    is_covered = [False] * len(successors)
    paths: list[list[int]] = []
    for first in range(len(successors)):
        if not is_covered[first] and most_nodes > 0:
            path = _path_from_source(first, predecessor)
            while own := successors[path[-1]]:
                path.append(next((node for node in own if not is_covered[node]), own[0]))
            for node in path:
                is_covered[node] = True
            most_nodes -= len(path)
            paths.append(path)
    return paths


def _reachable(successors: Sequence[Sequence[int]]) -> list[int]:
    """The nodes behind each node, as a bit mask."""
    behind = [0] * len(successors)
    for node in reversed(range(len(successors))):
        for successor in successors[node]:
            behind[node] |= behind[successor] | 1 << successor
    return behind


def _largest_matching(behind: Sequence[int], budget: int) -> tuple[dict[int, int], bool]:
    """Match as many nodes as possible to one behind them, each to one only, by augmenting paths."""
    following: dict[int, int] = {}
    preceding: dict[int, int] = {}
    taken = steps = 0
    for root in range(len(behind)):
        came_from: dict[int, int] = {}
        pending, unseen = [root], (1 << len(behind)) - 1
        while pending:
            node = pending.pop()
            steps += 1
            if steps > budget:  # from here on, only what is free is taken
                unseen &= ~taken
            goals = behind[node] & unseen
            free = goals & ~taken
            if free:
                goal = (free & -free).bit_length() - 1
                came_from[goal] = node
                _augment(goal, came_from, following, preceding)
                taken |= 1 << goal
                break
            unseen &= ~goals
            for goal in bits(goals):
                came_from[goal] = node
                pending.append(preceding[goal])
    return following, steps <= budget


def _augment(goal: int, came_from: dict[int, int], following: dict[int, int], preceding: dict[int, int]) -> None:
    while True:
        node = came_from[goal]
        previous = following.get(node)
        following[node], preceding[goal] = goal, node
        if previous is None:
            return
        goal = previous


def _find_predecessors(successors: Sequence[Sequence[int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for node, own in enumerate(successors):
        for successor in own:
            found.setdefault(successor, node)
    return found


def _path_from_source(node: int, predecessor: dict[int, int]) -> list[int]:
    path = [node]
    while path[-1] in predecessor:
        path.append(predecessor[path[-1]])
    return path[::-1]


def _fill_chain(
    chain: Sequence[int], successors: Sequence[Sequence[int]], behind: Sequence[int], predecessor: dict[int, int]
) -> list[int]:
    """Fill the gaps of a chain, before it and behind it too."""
    path = _path_from_source(chain[0], predecessor)
    for goal in chain[1:]:
        while path[-1] != goal:
            path.append(next(node for node in successors[path[-1]] if node == goal or behind[node] >> goal & 1))
    while successors[path[-1]]:
        path.append(successors[path[-1]][0])
    return path
