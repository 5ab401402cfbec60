"""Vectors for words from ELMo: letters, and what comes before and after (Peters et al., 2018).

The published code carries the state of its LSTMs from one batch to the next. Here it is zeros where a text begins, and
where a window of a long one does, so that what is found in it does not depend on what was read before.
"""

import torch
from torch import Tensor, nn

from disconer.encoders.characters import CHARACTERS
from disconer.encoders.elmo_options import Activation, ElmoOptions
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Packed, rows_at_once

_WORDS_AT_ONCE = 256
"""Words that are spelled at once: the convolutions' answers take much memory before their maximum is found."""
_MOST_WORDS = 2048
"""That the LSTMs read at once: their gates take 64 kB a word in the largest of the published."""


class ElmoEncoder(WordEncoder):
    """A language model in each direction over words that are spelled, and a learned mix of its layers."""

    def __init__(self, options: ElmoOptions) -> None:
        super().__init__()
        self.options = options
        self.width = 2 * options.projection_width
        self.characters = CharacterNetwork(options)
        self.forwards = Direction(options)
        self.backwards = Direction(options)
        self.mix = nn.Parameter(torch.zeros(options.layers + 1))
        """The layers' shares, before the softmax."""
        self.gamma = nn.Parameter(torch.ones(()))

    def forward(self, packed: Packed) -> Tensor:
        """Give the vectors of all words, one sentence after the other, without padding."""
        shares = self.mix.softmax(0)[:, None, None]
        return self.gamma * (shares * self.layers(packed)).sum(0)

    def layers(self, packed: Packed) -> Tensor:
        """Give what every layer, that of the spelled words first, says of all words."""
        if packed.spellings is None:
            raise ValueError("ELMo reads what a CharacterReader packs")
        arrays = (packed.spellings, packed.pieces, packed.is_piece.sum(1), packed.places)
        spellings, pieces, lengths, places = (torch.from_numpy(array).to(self.mix.device) for array in arrays)
        words = self.characters(spellings)
        rows = rows_at_once(packed.pieces, _MOST_WORDS)
        found = [
            self._layers_of_rows(words[some], some_lengths)
            for some, some_lengths in zip(torch.split(pieces, rows), torch.split(lengths, rows), strict=True)
        ]
        return torch.cat(found, 1).flatten(1, 2)[:, places]

    def _layers_of_rows(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Give the layers of rows of words. Padding follows the words in either direction, so it changes nothing."""
        steps = words.transpose(0, 1)
        order = _backward_order(len(steps), lengths)
        after = self.backwards(steps.take_along_dim(order, 0))
        pairs = [
            (steps, steps),
            *zip(self.forwards(steps), (one.take_along_dim(order, 0) for one in after), strict=True),
        ]
        return torch.stack([torch.cat(pair, -1) for pair in pairs]).transpose(1, 2)


def _backward_order(steps: int, lengths: Tensor) -> Tensor:
    """Give, step by step, which word of each row comes when its words, but not its padding, are turned round."""
    step = torch.arange(steps, device=lengths.device)[:, None]
    return torch.where(step < lengths, lengths - 1 - step, step)[..., None]


class CharacterNetwork(nn.Module):
    """Gives words that are spelled a vector each."""

    def __init__(self, options: ElmoOptions) -> None:
        super().__init__()
        self.embedding = nn.Embedding(CHARACTERS, options.character_width, padding_idx=0)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(options.character_width, count, width) for width, count in options.filters
        )
        self.activation = nn.ReLU() if options.activation is Activation.RELU else nn.Tanh()
        self.highways = nn.Sequential(*(Highway(options.filter_count) for _ in range(options.highways)))
        self.projection = nn.Linear(options.filter_count, options.projection_width)

    def forward(self, spellings: Tensor) -> Tensor:
        return torch.cat([self._vectors(some) for some in torch.split(spellings, _WORDS_AT_ONCE)])

    def _vectors(self, spellings: Tensor) -> Tensor:
        """Let every filter look at all places in a word, those that are padding included, and take the best."""
        characters = self.embedding(spellings).transpose(1, 2)
        best = [self.activation(convolution(characters).amax(-1)) for convolution in self.convolutions]
        vectors: Tensor = self.projection(self.highways(torch.cat(best, -1)))
        return vectors


class Highway(nn.Module):
    """Changes vectors as far as its gate is open, and lets the rest of them pass."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.transform = nn.Linear(width, width)
        self.carry = nn.Linear(width, width)
        """The gate; though it is published as the carry gate, it is what the changed vector is multiplied with."""

    def forward(self, vectors: Tensor) -> Tensor:
        gate: Tensor = self.carry(vectors).sigmoid()
        changed: Tensor = self.transform(vectors).relu()
        return gate * changed + (1 - gate) * vectors


class Direction(nn.Module):
    """LSTMs upon each other that read words in the same direction."""

    def __init__(self, options: ElmoOptions) -> None:
        super().__init__()
        self.lstms = nn.ModuleList(ProjectedLstm(options) for _ in range(options.layers))
        self.has_skips = options.has_skips

    def forward(self, steps: Tensor) -> list[Tensor]:
        """Give what every LSTM says, from words step by step, the rows of a batch side by side."""
        said: list[Tensor] = []
        for lstm in self.lstms:
            steps = steps + lstm(steps) if self.has_skips and said else lstm(steps)
            said.append(steps)
        return said


class ProjectedLstm(nn.Module):
    """An LSTM that says less than it remembers, both within limits.

    Its weights are laid out as TensorFlow has them: the gates are input, candidate, forget and output. They are
    waiting for those of a file.
    """

    def __init__(self, options: ElmoOptions) -> None:
        super().__init__()
        cell, width = options.cell_width, options.projection_width
        self.input_weight = nn.Parameter(torch.zeros(width, 4 * cell))
        self.state_weight = nn.Parameter(torch.zeros(width, 4 * cell))
        self.bias = nn.Parameter(torch.zeros(4 * cell))
        """That of the forget gate holds the 1 that TensorFlow adds to it."""
        self.projection = nn.Parameter(torch.zeros(cell, width))
        self.cell_clip = options.cell_clip
        self.projection_clip = options.projection_clip

    def forward(self, steps: Tensor) -> Tensor:
        """Give what it says, from what it reads step by step; what words have to do with gates is found at once."""
        from_words = steps @ self.input_weight + self.bias
        state = from_words.new_zeros(steps.shape[1], len(self.state_weight))
        cell = from_words.new_zeros(steps.shape[1], len(self.projection))
        said = []
        for gates in from_words:
            enter, candidate, keep, leave = torch.addmm(gates, state, self.state_weight).chunk(4, -1)
            cell = keep.sigmoid() * cell + enter.sigmoid() * candidate.tanh()
            cell = cell.clamp(-self.cell_clip, self.cell_clip)
            state = (leave.sigmoid() * cell.tanh()) @ self.projection
            state = state.clamp(-self.projection_clip, self.projection_clip)
            said.append(state)
        return torch.stack(said)
