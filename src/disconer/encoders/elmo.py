"""Vectors for words from ELMo: letters, and what comes before and after (Peters et al., 2018).

The published code carries the state of its LSTMs from one batch to the next. Here it is zeros where a text begins, and
where a window of a long one does, so that what is found in it does not depend on what was read before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch, rows_at_once
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.tokenizer import CHARACTERS, CHARACTERS_A_WORD, ELMO_TYPE
from disconer.exceptions import InputError, quote
from disconer.foundation.checks import as_choice

_WIDEST = 65_536
"""No vector is wider: the widest of the published have 4,096 numbers."""
_MOST_LAYERS = 64
"""The published have two."""
_WORDS_AT_ONCE = 256
"""Words that are spelled at once: the convolutions' outputs take much memory before their maximum is found."""
_MOST_WORDS = 2048
"""That the LSTMs read at once: their gates take 64 kB a word in the largest of the published."""


class Activation(StrEnum):
    """What the convolutions' maxima go through."""

    RELU = "relu"
    TANH = "tanh"


@dataclass(frozen=True)
class ElmoOptions:
    """The sizes of an ELMo and what else its weights do not show, as its published `options.json` has them."""

    character_width: int
    filters: tuple[tuple[int, int], ...]
    """The convolutions over a word's characters: how many characters each sees at once, and how many filters it has."""
    activation: Activation
    highways: int
    cell_width: int
    """Of what an LSTM remembers from word to word."""
    projection_width: int
    """Of an LSTM's outputs, and of the words' vectors that the first ones read."""
    layers: int
    """LSTMs in each direction."""
    has_skips: bool
    """Whether the LSTMs after the first add their inputs to their outputs."""
    cell_clip: float
    projection_clip: float

    @classmethod
    def from_json(cls, options: Mapping[str, Any]) -> "ElmoOptions":
        """Read what was published, or an architecture; raises `InputError` for what no ELMo can have."""
        if _read_whole(options, "char_cnn.max_characters_per_token", 1, CHARACTERS_A_WORD) != CHARACTERS_A_WORD:
            raise InputError(f"char_cnn.max_characters_per_token must be {CHARACTERS_A_WORD}")
        _read_whole(options, "char_cnn.n_characters", CHARACTERS - 1, CHARACTERS)  # some leave out the padding word's
        has_skips = _read_value(options, "lstm.use_skip_connections")
        if type(has_skips) is not bool:
            raise InputError(f"lstm.use_skip_connections must be true or false, not {quote(has_skips)}")
        return cls(
            _read_whole(options, "char_cnn.embedding.dim", 1, _WIDEST),
            _read_filters(_read_value(options, "char_cnn.filters")),
            as_choice(Activation, _read_value(options, "char_cnn.activation"), "char_cnn.activation"),
            _read_whole(options, "char_cnn.n_highway", 0, _MOST_LAYERS),
            _read_whole(options, "lstm.dim", 1, _WIDEST),
            _read_whole(options, "lstm.projection_dim", 1, _WIDEST),
            _read_whole(options, "lstm.n_layers", 1, _MOST_LAYERS),
            has_skips,
            _read_limit(options, "lstm.cell_clip"),
            _read_limit(options, "lstm.proj_clip"),
        )

    @property
    def filter_count(self) -> int:
        """How wide a word's vector is before it is projected."""
        return sum(count for _, count in self.filters)

    @property
    def architecture(self) -> dict[str, Any]:
        """These options as they are published, and whose they are: the inverse of `from_json`."""
        return {
            "model_type": ELMO_TYPE,
            "lstm": {
                "use_skip_connections": self.has_skips,
                "projection_dim": self.projection_width,
                "cell_clip": self.cell_clip,
                "proj_clip": self.projection_clip,
                "dim": self.cell_width,
                "n_layers": self.layers,
            },
            "char_cnn": {
                "activation": str(self.activation),
                "filters": [list(one) for one in self.filters],
                "n_highway": self.highways,
                "embedding": {"dim": self.character_width},
                "n_characters": CHARACTERS,
                "max_characters_per_token": CHARACTERS_A_WORD,
            },
        }


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

    def encode(self, batch: Batch) -> Tensor:
        shares = self.mix.softmax(0)[:, None, None]
        return self.gamma * (shares * self.layers(batch)).sum(0)

    def layers(self, batch: Batch) -> Tensor:
        """Encode all words by every layer, that of the spelled words first: (layers, words, width)."""
        if batch.character_ids is None:
            raise ValueError("ELMo reads what a CharacterTokenizer collates")
        arrays = (batch.character_ids, batch.input_ids, batch.attention_mask.sum(1), batch.subword_positions)
        characters, input_ids, lengths, positions = (torch.from_numpy(array).to(self.mix.device) for array in arrays)
        words = self.characters(characters)
        rows = rows_at_once(batch.input_ids, _MOST_WORDS)
        found = [
            self._layers_of_rows(words[some], some_lengths)
            for some, some_lengths in zip(torch.split(input_ids, rows), torch.split(lengths, rows), strict=True)
        ]
        return torch.cat(found, 1).flatten(1, 2)[:, positions]

    def _layers_of_rows(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Encode rows of words. Padding follows the words in either direction, so it changes nothing."""
        steps = words.transpose(0, 1)
        order = _backward_order(len(steps), lengths)
        after = self.backwards(steps.take_along_dim(order, 0))
        pairs = [
            (steps, steps),
            *zip(self.forwards(steps), (one.take_along_dim(order, 0) for one in after), strict=True),
        ]
        return torch.stack([torch.cat(pair, -1) for pair in pairs]).transpose(1, 2)


def _backward_order(steps: int, lengths: Tensor) -> Tensor:
    """Which word of each row comes at every step when its words, but not its padding, are turned round."""
    step = torch.arange(steps, device=lengths.device)[:, None]
    return torch.where(step < lengths, lengths - 1 - step, step)[..., None]


class CharacterNetwork(nn.Module):
    """Convolutions over the characters of words: a vector for each word."""

    def __init__(self, options: ElmoOptions) -> None:
        super().__init__()
        self.embedding = nn.Embedding(CHARACTERS, options.character_width, padding_idx=0)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(options.character_width, count, width) for width, count in options.filters
        )
        self.activation = nn.ReLU() if options.activation is Activation.RELU else nn.Tanh()
        self.highways = nn.Sequential(*(Highway(options.filter_count) for _ in range(options.highways)))
        self.projection = nn.Linear(options.filter_count, options.projection_width)

    def forward(self, character_ids: Tensor) -> Tensor:
        return torch.cat([self._vectors(some) for some in torch.split(character_ids, _WORDS_AT_ONCE)])

    def _vectors(self, character_ids: Tensor) -> Tensor:
        """Let every filter look at all characters of a word, padding included, and take the maximum."""
        characters = self.embedding(character_ids).transpose(1, 2)
        best = [self.activation(convolution(characters).amax(-1)) for convolution in self.convolutions]
        vectors: Tensor = self.projection(self.highways(torch.cat(best, -1)))
        return vectors


class Highway(nn.Module):
    """A highway layer: changes vectors as far as its gate is open, and lets the rest of them pass."""

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
    """Stacked LSTMs that read words in the same direction."""

    def __init__(self, options: ElmoOptions) -> None:
        super().__init__()
        self.lstms = nn.ModuleList(ProjectedLstm(options) for _ in range(options.layers))
        self.has_skips = options.has_skips

    def forward(self, steps: Tensor) -> list[Tensor]:
        """The output of every LSTM, from words (steps, rows, width)."""
        outputs: list[Tensor] = []
        for lstm in self.lstms:
            steps = steps + lstm(steps) if self.has_skips and outputs else lstm(steps)
            outputs.append(steps)
        return outputs


class ProjectedLstm(nn.Module):
    """An LSTM whose output is projected to a smaller width, both output and cell clipped.

    Its weights are laid out as TensorFlow has them: the gates are input, candidate, forget and output. They are zero
    until those of a file are filled in.
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
        """The output at every step; the words' share of the gates is computed for all steps at once."""
        from_words = steps @ self.input_weight + self.bias
        state = from_words.new_zeros(steps.shape[1], len(self.state_weight))
        cell = from_words.new_zeros(steps.shape[1], len(self.projection))
        outputs = []
        for gates in from_words:
            enter, candidate, keep, leave = torch.addmm(gates, state, self.state_weight).chunk(4, -1)
            cell = keep.sigmoid() * cell + enter.sigmoid() * candidate.tanh()
            cell = cell.clamp(-self.cell_clip, self.cell_clip)
            state = (leave.sigmoid() * cell.tanh()) @ self.projection
            state = state.clamp(-self.projection_clip, self.projection_clip)
            outputs.append(state)
        return torch.stack(outputs)


def _read_value(options: Any, name: str) -> Any:
    found = options
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            raise InputError(f"the option {name} is missing")
        found = found[part]
    return found


def _read_whole(options: Mapping[str, Any], name: str, least: int, most: int) -> int:
    return _check_whole(_read_value(options, name), name, least, most)


def _check_whole(value: Any, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise InputError(f"{name} must be a whole number between {least} and {most}, not {quote(value)}")
    return value


def _read_limit(options: Mapping[str, Any], name: str) -> float:
    value = _read_value(options, name)
    if type(value) not in (int, float) or not 0 < value <= _WIDEST:
        raise InputError(f"{name} must be a number above 0, not {quote(value)}")
    return float(value)


def _read_filters(filters: Any) -> tuple[tuple[int, int], ...]:
    name = "char_cnn.filters"
    if not isinstance(filters, list) or not all(isinstance(one, list) and len(one) == 2 for one in filters):
        raise InputError(f"{name} must be a list of pairs, not {quote(filters)}")
    _check_whole(len(filters), f"the number of {name}", 1, CHARACTERS_A_WORD)
    found = [
        (_check_whole(width, name, 1, CHARACTERS_A_WORD), _check_whole(count, name, 1, _WIDEST))
        for width, count in filters
    ]
    _check_whole(sum(count for _, count in found), f"the sum of {name}", 1, _WIDEST)
    return tuple(found)
