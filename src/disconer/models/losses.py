"""Losses over grids where nearly every cell is empty."""

from torch import Tensor
from torch.nn import functional


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Sum the paper's binary cross-entropy over all cells and tags."""
    return functional.binary_cross_entropy_with_logits(logits, targets, reduction="sum")
