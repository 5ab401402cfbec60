"""As few paths as it takes to visit every node of a small graph without circles."""

from collections.abc import Sequence


def fewest_paths(successors: Sequence[Sequence[int]], budget: int) -> tuple[list[list[int]], bool]:
    """Cover a graph with paths from sources to sinks that may share nodes; tell whether no fewer would do.

    Successors of a node must have higher numbers than the node. By Dilworth's theorem in Fulkerson's form, the fewest
    paths are those that a largest matching of nodes to nodes behind them makes. The budget, in steps of the search for
    it and never in seconds, bounds what is spent on getting below the paths that were found first.

    >>> fewest_paths([[2], [2], [3, 4], [], []], budget=100)
    ([[0, 2, 3], [1, 2, 4]], True)
    """
    behind = _reachable(successors)
    following, complete = _largest_matching(behind, budget)
    matched = set(following.values())
    sources = _a_predecessor(successors)
    paths = []
    for first in range(len(successors)):
        if first not in matched:
            chain = [first]
            while chain[-1] in following:
                chain.append(following[chain[-1]])
            paths.append(_path(chain, successors, behind, sources))
    return paths, complete


def _reachable(successors: Sequence[Sequence[int]]) -> list[int]:
    """Give the nodes behind each node as a bit mask."""
    behind = [0] * len(successors)
    for node in reversed(range(len(successors))):
        for successor in successors[node]:
            behind[node] |= behind[successor] | 1 << successor
    return behind


def _largest_matching(behind: Sequence[int], budget: int) -> tuple[dict[int, int], bool]:
    """Give as many nodes as possible one behind them, each to one only, by augmenting paths."""
    following: dict[int, int] = {}
    preceding: dict[int, int] = {}
    steps = 0
    for root in range(len(behind)):
        came_from: dict[int, int] = {}
        pending, unseen = [root], (1 << len(behind)) - 1
        while pending:
            node = pending.pop()
            steps += 1
            free = behind[node] & unseen
            if steps > budget:  # from here on, only what is free is taken
                free &= ~sum(1 << taken for taken in preceding)
            while free:
                goal = (free & -free).bit_length() - 1
                free &= free - 1
                unseen &= ~(1 << goal)
                came_from[goal] = node
                if goal not in preceding:
                    _augment(goal, came_from, following, preceding)
                    pending, free = [], 0
                else:
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


def _a_predecessor(successors: Sequence[Sequence[int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for node, own in enumerate(successors):
        for successor in own:
            found.setdefault(successor, node)
    return found


def _path(
    chain: Sequence[int], successors: Sequence[Sequence[int]], behind: Sequence[int], predecessor: dict[int, int]
) -> list[int]:
    """Fill the gaps of a chain, before it and behind it too."""
    path = [chain[0]]
    while path[0] in predecessor:
        path.insert(0, predecessor[path[0]])
    for goal in chain[1:]:
        while path[-1] != goal:
            path.append(next(node for node in successors[path[-1]] if node == goal or behind[node] >> goal & 1))
    while successors[path[-1]]:
        path.append(successors[path[-1]][0])
    return path
