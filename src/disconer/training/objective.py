"""What training minimises: a model's loss, and that of a helper on the same encoder, which is then left behind."""

from collections.abc import Iterable, Sequence
from typing import Any

from torch import Tensor, nn

from disconer.encoders.batch import Batch
from disconer.models.model import Model
from disconer.passage import WordMention

_TINY = 1e-9


class Objective(nn.Module):
    """A model that learns, and perhaps a helper: another model, whose lessons shape the encoder that they share.

    Some models learn from every word of a mention, others from the cell or two that stand for the whole of it; the
    encoder is the better for both.
    """

    def __init__(self, model: Model, helper: Model | None = None, weight: float = 1.0) -> None:
        super().__init__()
        self.model = model
        self.helper = helper
        self.weight = weight

    def targets(self, mentions: Iterable[WordMention], words: int) -> tuple[Any, Any]:
        """Encode the mentions of a sentence as `loss` wants them."""
        mentions = list(mentions)
        return self.model.targets(mentions, words), self.helper and self.helper.targets(mentions, words)

    def loss(self, batch: Batch, targets: Sequence[tuple[Any, Any]]) -> Tensor:
        """The model's loss and the helper's, which never counts more than the model's own.

        The bound is for batches that a helper finds out of all proportion, as the hypergraph's over-count can be.
        """
        words = self.model.dropout(self.model.encoder(batch))
        own = self.model.head_loss(words, batch, [one for one, _ in targets])
        if self.helper is None:
            return own
        added = self.weight * self.helper.head_loss(words, batch, [one for _, one in targets])
        return own + added * (own / (added + _TINY)).detach().clamp(0, 1)
