"""A smaller network than the paper's: a stack is its top three items, each with what it attends to."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch
from disconer.encoders.encoder import WordEncoder
from disconer.models.baselines.trans.items import TOP, Merge, Push, Table
from disconer.models.baselines.trans.network import Tables, Trans
from disconer.models.settings import TransSettings
from disconer.models.tensors import pad, sentence_lengths, valid_positions
from disconer.schemes.transitions import TransitionScheme


class PlainTrans(Trans):
    """The row of an item is its own vector, and what it attends to in its sentence."""

    def __init__(
        self, encoder: WordEncoder, labels: Sequence[str], scheme: TransitionScheme, settings: TransSettings
    ) -> None:
        super().__init__(encoder, labels, scheme, settings.dropout)
        width = settings.width
        self.words = nn.Linear(encoder.width, width)
        self.nothing = nn.Parameter(torch.zeros(1, 2 * width))
        self.merging = nn.Linear(2 * width, width)
        self.attention = nn.Linear(width, width, bias=False)
        self.action_vectors = nn.Embedding(len(self.actions) + 1, settings.history)
        self.history = nn.LSTM(settings.history, settings.history, batch_first=True)
        self.hidden = nn.Linear(2 * (TOP + 1) * width + settings.history, width)
        self.classifier = nn.Linear(width, len(self.actions))

    def begin(self, words: Tensor, batch: Batch) -> Tables:
        vectors = self.words(words)
        is_word = valid_positions(sentence_lengths(batch, vectors))
        padded = pad(vectors, is_word)
        attended = self.attend(self.attention(padded), padded, is_word)[is_word]
        rows = torch.cat((self.nothing, torch.cat((vectors, attended), -1)))
        table = Table(rows)
        return Tables(table, table, rows, padded, is_word)

    def merge(self, tables: Tables, merges: Sequence[Merge]) -> Tensor:
        rows, width = tables.items.rows, tables.words.shape[-1]
        sentences, lower, upper = torch.tensor(merges, device=rows.device).unbind(1)
        vectors = torch.tanh(self.merging(torch.cat((rows[lower, :width], rows[upper, :width]), -1)))
        words, is_word = tables.words[sentences], tables.is_word[sentences]
        attended = self.attend(self.attention(vectors[:, None]), words, is_word)[:, 0]
        return torch.cat((vectors, attended.to(vectors.dtype)), -1)

    def push(self, tables: Tables, pushes: Sequence[Push]) -> Sequence[int]:  # noqa: ARG002
        return [push.item for push in pushes]  # an item is the same wherever it lies

    def hidden_layer(self, tables: Tables, rows: Tensor, history: Tensor) -> Tensor:
        table = tables.items.rows
        seen = torch.cat((table[rows].flatten(1), history.to(table.dtype)), -1)
        hidden: Tensor = self.dropout(torch.relu(self.hidden(seen)))
        return hidden
