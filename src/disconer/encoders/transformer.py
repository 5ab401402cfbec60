"""Vectors for words from any Hugging Face transformer."""

from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Packed, rows_at_once
from disconer.encoders.settings import EncoderSettings, Layers, Pooling

_MOST_PIECES = {True: 2048, False: 32_768}
"""Pieces that are read at once on a processor, and on a GPU: a sentence may be as long as a book."""


class Encoder(WordEncoder):
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
        arrays = (packed.pieces, packed.is_piece, packed.places, packed.word_starts)
        pieces, is_piece, places, word_starts = (torch.from_numpy(array).to(device) for array in arrays)
        most = packed.pieces.size if self.training else _MOST_PIECES[device.type == "cpu"]
        rows = rows_at_once(packed.pieces, most)
        vectors = [
            self.piece_vectors(*some)
            for some in zip(torch.split(pieces, rows), torch.split(is_piece, rows), strict=True)
        ]
        return self.word_vectors(torch.cat(vectors).flatten(0, 1)[places], word_starts)

    def piece_vectors(self, pieces: Tensor, is_piece: Tensor) -> Tensor:
        """Give the vectors of pieces, in the shape of the rows that were read."""
        output = self.transformer(
            input_ids=pieces, attention_mask=is_piece.long(), output_hidden_states=self.mix is not None
        )
        if self.mix is None:
            last: Tensor = output.last_hidden_state
            return last
        mixed: Tensor = torch.tensordot(self.mix.softmax(0), torch.stack(output.hidden_states), dims=1)
        return mixed

    def word_vectors(self, pieces: Tensor, word_starts: Tensor) -> Tensor:
        """Give the vectors of words, from those of their pieces in the order of the text."""
        return pieces[word_starts] if self.pooling is Pooling.FIRST else self._pooled(pieces, word_starts)

    def _pooled(self, pieces: Tensor, starts: Tensor) -> Tensor:
        is_start = torch.zeros(len(pieces), dtype=torch.long, device=pieces.device)
        is_start[starts] = 1
        word = (is_start.cumsum(0) - 1)[:, None].expand_as(pieces)
        shape = len(starts), pieces.shape[1]
        if self.pooling is Pooling.MAX:
            return pieces.new_full(shape, -torch.inf).scatter_reduce(0, word, pieces, "amax")
        counts = pieces.new_zeros(len(starts)).scatter_add(0, word[:, 0], torch.ones_like(pieces[:, 0]))
        return pieces.new_zeros(shape).scatter_add(0, word, pieces) / counts[:, None]
