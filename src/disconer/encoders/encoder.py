"""Vectors for words: what every encoder can do, and any Hugging Face transformer as one."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch, rows_at_once
from disconer.encoders.recurrence import BidirectionalLSTM
from disconer.encoders.settings import EncoderSettings, Layers, Pooling, Recurrence

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_MOST_SUBWORDS = {True: 2048, False: 32_768}
"""Subwords that are read at once on a processor, and on a GPU: a sentence may be as long as a book."""


class WordEncoder(nn.Module, ABC):
    """An encoder of words: one vector for every word of a batch.

    Its pretrained weights are those of its parts. A learned mix of layers is a parameter of the encoder itself, and as
    new as what reads the words once more behind it.
    """

    width: int
    """Of its vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.recurrence: BidirectionalLSTM | None = None

    def add_recurrence(self, settings: EncoderSettings) -> None:
        """Put what the settings ask for behind the encoder."""
        self.recurrence = BidirectionalLSTM(self.width) if settings.recurrence is Recurrence.LSTM else None

    def forward(self, batch: Batch) -> Tensor:
        """Encode all words: (words, width), one sentence after the other, without padding."""
        words = self.encode(batch)
        return words if self.recurrence is None else self.recurrence(words, batch)

    @abstractmethod
    def encode(self, batch: Batch) -> Tensor:
        """The same without a recurrence behind it."""

    @property
    def pretrained_parts(self) -> Iterator[nn.Module]:
        """All parts but the recurrence."""
        return (part for part in self.children() if part is not self.recurrence)

    def freeze(self, settings: EncoderSettings) -> None:
        """Leave as they are, from now on, the weights that should not learn; a mix and the recurrence always do.

        Where none of its own may, torch keeps nothing of what goes on below the mix: there is no way back through it.
        """
        frozen = self.pretrained_parts if settings.frozen else self._embeddings() if settings.frozen_embeddings else ()
        for part in frozen:
            part.requires_grad_(False)

    def _embeddings(self) -> Iterable[nn.Module]:
        """The parts that hold the vectors of subwords."""
        return ()


class TransformerEncoder(WordEncoder):
    """A transformer, and the pooling of subwords that makes the vectors of words."""

    def __init__(self, transformer: "PreTrainedModel", settings: EncoderSettings) -> None:
        super().__init__()
        self.transformer: Any = transformer
        if getattr(transformer, "pooler", None) is not None:
            self.transformer.pooler = None  # a vector for the whole text, which nobody asks for
        self.pooling = settings.pooling
        self.width: int = transformer.config.hidden_size
        layers = transformer.config.num_hidden_layers + 1
        self.mix = nn.Parameter(torch.zeros(layers)) if settings.layers is Layers.MIX else None

    def encode(self, batch: Batch) -> Tensor:
        device = self.transformer.device
        arrays = (batch.input_ids, batch.attention_mask, batch.subword_positions, batch.word_starts)
        input_ids, attention_mask, positions, word_starts = (torch.from_numpy(array).to(device) for array in arrays)
        most = batch.input_ids.size if self.training else _MOST_SUBWORDS[device.type == "cpu"]
        rows = rows_at_once(batch.input_ids, most)
        vectors = [
            self.subword_vectors(*some)
            for some in zip(torch.split(input_ids, rows), torch.split(attention_mask, rows), strict=True)
        ]
        return self.word_vectors(torch.cat(vectors).flatten(0, 1)[positions], word_starts)

    def _embeddings(self) -> Iterable[nn.Module]:
        return [self.transformer.get_input_embeddings()]

    def subword_vectors(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Run the transformer: (rows, columns, width)."""
        output = self.transformer(
            input_ids=input_ids, attention_mask=attention_mask.long(), output_hidden_states=self.mix is not None
        )
        if self.mix is None:
            last: Tensor = output.last_hidden_state
            return last
        mixed: Tensor = torch.tensordot(self.mix.softmax(0), torch.stack(output.hidden_states), dims=1)
        return mixed

    def word_vectors(self, subwords: Tensor, word_starts: Tensor) -> Tensor:
        """Pool the vectors of subwords, which are in the order of the text."""
        return subwords[word_starts] if self.pooling is Pooling.FIRST else self._pool_all(subwords, word_starts)

    def _pool_all(self, subwords: Tensor, starts: Tensor) -> Tensor:
        is_start = torch.zeros(len(subwords), dtype=torch.long, device=subwords.device)
        is_start[starts] = 1
        word = (is_start.cumsum(0) - 1)[:, None].expand_as(subwords)
        shape = len(starts), subwords.shape[1]
        if self.pooling is Pooling.MAX:
            return subwords.new_full(shape, -torch.inf).scatter_reduce(0, word, subwords, "amax")
        counts = subwords.new_zeros(len(starts)).scatter_add(0, word[:, 0], torch.ones_like(subwords[:, 0]))
        return subwords.new_zeros(shape).scatter_add(0, word, subwords) / counts[:, None]
