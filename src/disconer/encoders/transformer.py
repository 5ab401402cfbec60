"""Vectors for words from any Hugging Face transformer."""

from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from disconer.encoders.packing import Packed
from disconer.encoders.settings import EncoderSettings, Layers, Pooling


class Encoder(nn.Module):
    """A transformer that gives one vector for every word of a batch."""

    def __init__(self, transformer: PreTrainedModel, settings: EncoderSettings) -> None:
        super().__init__()
        self.transformer: Any = transformer
        if getattr(transformer, "pooler", None) is not None:
            self.transformer.pooler = None  # type: ignore[assignment]  # a vector for the whole text, which nobody asks for
        self.pooling = settings.pooling
        self.width: int = transformer.config.hidden_size
        layers = transformer.config.num_hidden_layers + 1
        self.mix = nn.Parameter(torch.zeros(layers)) if settings.layers is Layers.MIX else None

    def forward(self, packed: Packed) -> Tensor:
        """Give the vectors of all words, one sentence after the other, without padding."""
        device = self.transformer.device
        pieces = self._pieces(torch.from_numpy(packed.pieces).to(device), torch.from_numpy(packed.is_piece).to(device))
        taken = pieces.flatten(0, 1)[torch.from_numpy(packed.places).to(device)]
        starts = torch.from_numpy(packed.word_starts).to(device)
        return taken[starts] if self.pooling is Pooling.FIRST else self._pooled(taken, starts)

    def _pieces(self, pieces: Tensor, is_piece: Tensor) -> Tensor:
        """Give the vectors of pieces, in the shape of the rows that were read."""
        output = self.transformer(
            input_ids=pieces, attention_mask=is_piece.long(), output_hidden_states=self.mix is not None
        )
        if self.mix is None:
            last: Tensor = output.last_hidden_state
            return last
        mixed: Tensor = torch.tensordot(self.mix.softmax(0), torch.stack(output.hidden_states), dims=1)
        return mixed

    def _pooled(self, pieces: Tensor, starts: Tensor) -> Tensor:
        is_start = torch.zeros(len(pieces), dtype=torch.long, device=pieces.device)
        is_start[starts] = 1
        word = (is_start.cumsum(0) - 1)[:, None].expand_as(pieces)
        words = pieces.new_zeros(len(starts), pieces.shape[1])
        reduction = "amax" if self.pooling is Pooling.MAX else "mean"
        return words.scatter_reduce(0, word, pieces, reduction, include_self=False)
