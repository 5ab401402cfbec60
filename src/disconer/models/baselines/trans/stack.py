"""The network of Dai et al. (2020): an LSTM over the words, gated items, an LSTM over the stack, and attention.

A word on the stack has a hidden vector and a cell, and so has what two items are merged into, as in a tree-LSTM. An
LSTM reads the stack from the bottom up, once for every item that is put there. The states of the top three places
attend to the sentence, each place by weights of its own. An LSTM over the actions so far, and the next word, complete
the picture.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.recurrence import read_both_ways
from disconer.models.baselines.trans.items import TOP, Merge, Push, Table
from disconer.models.baselines.trans.network import Tables, Trans
from disconer.models.settings import TransSettings
from disconer.models.tensors import pad, sentence_lengths, valid_positions
from disconer.schemes.transitions import TransitionScheme


class StackTrans(Trans):
    """An item's row is its hidden vector and its cell; a node's, those of the stack's LSTM, and what it attends to."""

    bottom = 1

    def __init__(
        self, encoder: WordEncoder, labels: Sequence[str], scheme: TransitionScheme, settings: TransSettings
    ) -> None:
        super().__init__(encoder, labels, scheme, settings.dropout)
        width = self.width = settings.width
        half = (width + 1) // 2
        self.forwards, self.backwards = (
            nn.ModuleList(
                nn.LSTM(width if layer else encoder.width, half, batch_first=True) for layer in range(settings.layers)
            )
            for _ in range(2)
        )
        self.leaf_cell, self.leaf_gate = (nn.Linear(width, width) for _ in range(2))
        self.merging = nn.Linear(2 * width, 4 * width)
        """The gates of the new cell, of the lower item's and of the upper item's, and the new cell itself."""
        self.stack = nn.LSTMCell(width, width)
        self.ground = nn.Parameter(torch.randn(2 * width) * 0.1)
        """The state of the stack's LSTM before anything lies there."""
        self.attention = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(TOP))
        self.nothing = nn.Parameter(torch.randn(width) * 0.1)
        """In the place of an item that is not there."""
        self.end = nn.Parameter(torch.randn(1, width) * 0.1)
        """In the place of the next word, when all are read."""
        self.action_vectors = nn.Embedding(len(self.actions) + 1, settings.history)
        self.history = nn.LSTM(settings.history, width, batch_first=True)
        self.hidden = nn.Linear((2 * TOP + 2) * width, half)
        self.classifier = nn.Linear(half, len(self.actions))

    def begin(self, words: Tensor, batch: Batch) -> Tables:
        vectors = self.dropout(self._read_words(words, batch))
        is_word = valid_positions(sentence_lengths(batch, vectors))
        cells = self.leaf_cell(vectors)
        leaves = torch.cat((torch.sigmoid(self.leaf_gate(vectors)) * torch.tanh(cells), cells), -1)
        items = Table(torch.cat((leaves.new_zeros(1, leaves.shape[1]), leaves)))
        filled = torch.cat((self.nothing, self.nothing.new_zeros(self.width), self.nothing.repeat(TOP)))
        ground = torch.cat((self.ground, self.ground.new_zeros(TOP * self.width)))
        nodes = Table(torch.stack((filled, ground)).to(leaves.dtype))
        return Tables(items, nodes, torch.cat((self.end.to(vectors.dtype), vectors)), pad(vectors, is_word), is_word)

    def _read_words(self, words: Tensor, batch: Batch) -> Tensor:
        """Read the words of each sentence both ways, layer by layer; never in half precision."""
        rows, reversed_rows = (torch.from_numpy(rows).to(words.device) for rows in batch.word_rows)
        vectors = words
        for number, (ahead, back) in enumerate(zip(self.forwards, self.backwards, strict=True)):
            entering = self.dropout(vectors) if number else vectors
            vectors = read_both_ways(_as_lstm(ahead), _as_lstm(back), entering, rows, reversed_rows)[:, : self.width]
        return vectors

    def merge(self, tables: Tables, merges: Sequence[Merge]) -> Tensor:
        rows = tables.items.rows
        _, lower, upper = torch.tensor(merges, device=rows.device).unbind(1)
        (low, low_cell), (high, high_cell) = (torch.chunk(rows[part], 2, -1) for part in (lower, upper))
        entering, below, above, new = torch.chunk(self.merging(torch.cat((low, high), -1)), 4, -1)
        cell = entering.sigmoid() * new.tanh() + below.sigmoid() * low_cell + above.sigmoid() * high_cell
        return torch.cat((cell.tanh(), cell), -1)

    def push(self, tables: Tables, pushes: Sequence[Push]) -> Sequence[int]:
        sentences, below, items = torch.tensor(pushes, device=tables.words.device).unbind(1)
        hidden = tables.items.rows[items, : self.width].to(self.ground.dtype)
        before = tables.nodes.rows[below].to(self.ground.dtype)
        with torch.autocast(hidden.device.type, enabled=False):
            state, cell = self.stack(hidden, (before[:, : self.width], before[:, self.width : 2 * self.width]))
        words, is_word = tables.words[sentences], tables.is_word[sentences]
        queries = torch.stack([attention(state) for attention in self.attention], 1).to(words.dtype)
        attended = self.attend(queries, words, is_word).flatten(1)
        return tables.nodes.add(torch.cat((state, cell, attended.to(state.dtype)), -1))

    def hidden_layer(self, tables: Tables, rows: Tensor, history: Tensor) -> Tensor:
        nodes, width = tables.nodes.rows, self.width
        seen = [tables.fronts[rows[:, TOP]], history.to(tables.fronts.dtype)]
        for place in range(TOP):
            own = nodes[rows[:, place]]
            seen += [own[:, :width], own[:, (2 + place) * width : (3 + place) * width]]
        together = torch.cat([part.to(seen[0].dtype) for part in seen], -1)
        hidden: Tensor = torch.relu(self.hidden(self.dropout(together)))
        return hidden

    def _encode_actions(
        self, columns: Tensor, states: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """As theirs, with dropout on the vectors of actions."""
        with torch.autocast(columns.device.type, enabled=False):
            found: tuple[Tensor, tuple[Tensor, Tensor]] = self.history(
                self.dropout(self.action_vectors(columns)), states
            )
        return found


def _as_lstm(module: nn.Module) -> nn.LSTM:
    assert isinstance(module, nn.LSTM)  # noqa: S101 (what a ModuleList forgets)
    return module
