"""The hyperedges that the mention hypergraph chooses from, and which column of a classifier scores which."""

from dataclasses import dataclass
from math import log
from typing import NamedTuple

import torch
from torch import Tensor

from disconer.schemes.hypergraph import Links, Node

INSIDE_EDGES = tuple(Links(children) for children in range(1, 8))
"""The hyperedges of B: every set of children but the empty one."""
GAP_EDGES = tuple(Links(children) for children in range(1, 4))
"""The hyperedges of O."""
CHILDREN = {INSIDE_EDGES: (Links.INSIDE, Links.GAP, Links.END), GAP_EDGES: (Links.INSIDE, Links.GAP)}
"""What can be a child in a hyperedge of which kind."""
_PRIOR = {1: 0.3, 2: 0.03, 3: 0.01}
"""How probable a hyperedge with so many children is before anything is learned."""


class Scores(NamedTuple):
    """The scores of hyperedges, padded."""

    starts: Tensor
    """Of beginning a mention: (sentences, words, labels). Not to begin one scores 0."""
    inside: Tensor
    """Of B: (sentences, words, labels, components, hyperedges)."""
    gaps: Tensor
    """Of O: (sentences, words, labels, components - 1, hyperedges)."""


@dataclass(frozen=True)
class Shape:
    """Which column of the classifier scores which hyperedge."""

    labels: int
    components: int

    @property
    def columns(self) -> int:
        return self.labels * self._a_label

    @property
    def _a_label(self) -> int:
        return 1 + self.components * len(INSIDE_EDGES) + (self.components - 1) * len(GAP_EDGES)

    @property
    def meanings(self) -> list[tuple[Node | None, Links | None]]:
        """What the columns of a label score: the beginning of a mention, and each hyperedge of each node."""
        inside = [(Node(0, component, False), edge) for component in range(self.components) for edge in INSIDE_EDGES]
        gaps = [(Node(0, component, True), edge) for component in range(self.components - 1) for edge in GAP_EDGES]
        return [(None, None), *inside, *gaps]

    def start(self, label: int) -> int:
        """Give the column of beginning a mention."""
        return label * self._a_label

    def edge(self, label: int, node: Node, children: Links) -> int:
        """Give the column of a node's hyperedge."""
        behind = self.start(label) + 1
        if not node.is_gap:
            return behind + node.component * len(INSIDE_EDGES) + INSIDE_EDGES.index(children)
        behind += self.components * len(INSIDE_EDGES)
        return behind + node.component * len(GAP_EDGES) + GAP_EDGES.index(children)

    def split(self, flat: Tensor) -> Scores:
        """Sort the columns by what they score."""
        by_label = flat.view(*flat.shape[:-1], self.labels, self._a_label)
        sizes = [1, self.components * len(INSIDE_EDGES), (self.components - 1) * len(GAP_EDGES)]
        starts, inside, gaps = torch.split(by_label, sizes, -1)
        shape = inside.shape[:-1]
        inside = inside.reshape(*shape, self.components, len(INSIDE_EDGES))
        return Scores(starts[..., 0], inside, gaps.reshape(*shape, self.components - 1, len(GAP_EDGES)))

    def joined(self, scores: Scores) -> Tensor:
        """Give the columns as they were: the inverse of `split`."""
        parts = scores.starts[..., None], scores.inside.flatten(-2), scores.gaps.flatten(-2)
        return torch.cat(parts, -1).flatten(-2)

    def priors(self, start: float) -> Tensor:
        """Give the scores of hyperedges before anything is learned: mentions are rare, shared nodes rarer."""
        inside = torch.tensor([log(_PRIOR[edge.bit_count()]) for edge in INSIDE_EDGES])
        gaps = torch.tensor([log(_PRIOR[edge.bit_count()]) for edge in GAP_EDGES])
        a_label = (torch.tensor([log(start)]), inside.repeat(self.components), gaps.repeat(self.components - 1))
        return torch.cat(a_label).repeat(self.labels)
