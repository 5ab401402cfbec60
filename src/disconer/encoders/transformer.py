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
        arrays = (packed.pieces, packed.is_piece, packed.places, packed.word_starts)
        return self.words(*(torch.from_numpy(array).to(self.transformer.device) for array in arrays))

    def words(self, pieces: Tensor, is_piece: Tensor, places: Tensor, word_starts: Tensor) -> Tensor:
        """Give the same for the parts of what was packed."""
        taken = self._pieces(pieces, is_piece).flatten(0, 1)[places]
        return taken[word_starts] if self.pooling is Pooling.FIRST else self._pooled(taken, word_starts)

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
        shape = len(starts), pieces.shape[1]
        if self.pooling is Pooling.MAX:
            return pieces.new_full(shape, -torch.inf).scatter_reduce(0, word, pieces, "amax")
        counts = pieces.new_zeros(len(starts)).scatter_add(0, word[:, 0], torch.ones_like(pieces[:, 0]))
        return pieces.new_zeros(shape).scatter_add(0, word, pieces) / counts[:, None]
