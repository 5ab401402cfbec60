"""A small ELMo with random weights in the files of the published ones, and what it says, computed step by step.

Nothing here is shared with the encoder: characters are spelled, filters moved and LSTMs stepped one number after the
other, in double precision.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Weights = dict[str, NDArray[np.float32]]

OPTIONS: dict[str, Any] = {
    "lstm": {
        "use_skip_connections": True, "projection_dim": 5, "cell_clip": 0.6, "proj_clip": 0.4, "dim": 7, "n_layers": 2,
    },
    "char_cnn": {
        "activation": "relu",
        "filters": [[1, 3], [2, 4], [5, 2]],
        "n_highway": 2,
        "embedding": {"dim": 4},
        "n_characters": 262,
        "max_characters_per_token": 50,
    },
}  # fmt: skip
"""Limits that are narrow enough to matter, and sizes that are all different."""


def with_option(name: str, value: Any, options: Mapping[str, Any] = OPTIONS) -> dict[str, Any]:
    """Copy the options with another value for one of them, such as `lstm.dim`."""
    first, _, rest = name.partition(".")
    return {**options, first: with_option(rest, value, options[first]) if rest else value}


def without_option(name: str, options: Mapping[str, Any] = OPTIONS) -> dict[str, Any]:
    """Copy the options without one of them."""
    first, _, rest = name.partition(".")
    others = {key: value for key, value in options.items() if key != first}
    return {**others, first: without_option(rest, options[first])} if rest else others


def random_weights(options: Mapping[str, Any]) -> Weights:
    """Draw weights for these options, as large as it takes for gates and limits to matter."""
    lstm, characters = options["lstm"], options["char_cnn"]
    cell, width, dim = lstm["dim"], lstm["projection_dim"], characters["embedding"]["dim"]
    filters = sum(count for _, count in characters["filters"])
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (261, dim)}
    for number, (length, count) in enumerate(characters["filters"]):
        shapes |= {f"CNN/W_cnn_{number}": (1, length, dim, count), f"CNN/b_cnn_{number}": (count,)}
    for number in range(characters["n_highway"]):
        for part in ("transform", "carry"):
            shapes |= {f"CNN_high_{number}/W_{part}": (filters, filters), f"CNN_high_{number}/b_{part}": (filters,)}
    shapes |= {"CNN_proj/W_proj": (filters, width), "CNN_proj/b_proj": (width,)}
    for direction in range(2):
        for layer in range(lstm["n_layers"]):
            place = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            shapes |= {
                f"{place}/W_0": (2 * width, 4 * cell),
                f"{place}/B": (4 * cell,),
                f"{place}/W_P_0": (cell, width),
            }
    random = np.random.default_rng(7)
    return {name: random.normal(scale=0.7, size=shape).astype(np.float32) for name, shape in shapes.items()}


def write(folder: Path, options: Mapping[str, Any], weights: Mapping[str, NDArray[Any]]) -> None:
    """Write the two files, under names like the published."""
    (folder / "elmo_2x7_5_options.json").write_text(json.dumps(options))
    with h5py.File(folder / "elmo_2x7_5_weights.hdf5", "w") as file:
        for name, weight in weights.items():
            file.create_dataset(name, data=weight)


@dataclass
class LiteralElmo:
    """What the files mean, word by word."""

    options: Mapping[str, Any]
    weights: Weights
    bites: dict[str, int] = field(default_factory=lambda: {"cell": 0, "projection": 0})
    """How many numbers the limits changed."""

    def layers(self, words: list[str]) -> list[Numbers]:
        """Compute every layer's vectors of a sentence's words, boundaries left out."""
        spelled = [[258, 256, 259], *([258, *word.encode()[:48], 259] for word in words), [258, 257, 259]]
        tokens = [self.token([*letters, *[260] * (50 - len(letters))]) for letters in spelled]
        forwards, backwards = self.direction(tokens, 0), self.direction(tokens[::-1], 1)
        pairs = [(tokens, tokens), *((one, other[::-1]) for one, other in zip(forwards, backwards, strict=True))]
        return [np.array([np.concatenate(pair) for pair in zip(*both, strict=True)])[1:-1] for both in pairs]

    def vectors(self, words: list[str], mix: list[float], gamma: float) -> Numbers:
        """Mix the layers, by weights that are not yet normalised."""
        shares = [np.exp(one) / sum(np.exp(mix)) for one in mix]
        return gamma * sum(share * layer for share, layer in zip(shares, self.layers(words), strict=True))  # type: ignore[no-any-return]

    def weight(self, name: str) -> Numbers:
        return self.weights[name].astype(np.float64)

    def token(self, characters: list[int]) -> Numbers:
        """Compute a word's vector from its fifty characters."""
        # The ids are raised by one, and the file has no row for 0: its first row is that of the byte 0.
        letters = [self.weight("char_embed")[character] for character in characters]
        found: list[float] = []
        for number, (length, count) in enumerate(self.options["char_cnn"]["filters"]):
            weight, bias = self.weight(f"CNN/W_cnn_{number}"), self.weight(f"CNN/b_cnn_{number}")
            for one in range(count):
                answers = []
                for start in range(50 - length + 1):
                    answer = bias[one]
                    for offset in range(length):
                        for dim, value in enumerate(letters[start + offset]):
                            answer += value * weight[0, offset, dim, one]
                    answers.append(answer)
                best = max(answers)
                found.append(max(best, 0.0) if self.options["char_cnn"]["activation"] == "relu" else np.tanh(best))
        vector = np.array(found)
        for number in range(self.options["char_cnn"]["n_highway"]):
            place = f"CNN_high_{number}"
            gate = sigmoid(vector @ self.weight(f"{place}/W_carry") + self.weight(f"{place}/b_carry"))
            changed = np.maximum(vector @ self.weight(f"{place}/W_transform") + self.weight(f"{place}/b_transform"), 0)
            vector = gate * changed + (1 - gate) * vector
        return vector @ self.weight("CNN_proj/W_proj") + self.weight("CNN_proj/b_proj")

    def direction(self, tokens: list[Numbers], number: int) -> list[list[Numbers]]:
        """Compute what every LSTM of a direction says, in the order in which it reads."""
        said, read = [], tokens
        for layer in range(self.options["lstm"]["n_layers"]):
            answers = self.lstm(read, f"RNN_{number}/RNN/MultiRNNCell/Cell{layer}/LSTMCell")
            if layer > 0 and self.options["lstm"]["use_skip_connections"]:
                answers = [answer + word for answer, word in zip(answers, read, strict=True)]
            said.append(answers)
            read = answers
        return said

    def lstm(self, words: list[Numbers], place: str) -> list[Numbers]:
        weight, bias, projection = (self.weight(f"{place}/{name}") for name in ("W_0", "B", "W_P_0"))
        size = self.options["lstm"]["dim"]
        cell, state, said = np.zeros(size), np.zeros(self.options["lstm"]["projection_dim"]), []
        for word in words:
            gates = np.concatenate([word, state]) @ weight + bias
            i, j, f, o = (gates[start : start + size] for start in range(0, 4 * size, size))
            cell = self.clipped(sigmoid(f + 1.0) * cell + sigmoid(i) * np.tanh(j), "cell")
            state = self.clipped((sigmoid(o) * np.tanh(cell)) @ projection, "projection")
            said.append(state)
        return said

    def clipped(self, values: Numbers, which: str) -> Numbers:
        limit = self.options["lstm"]["cell_clip" if which == "cell" else "proj_clip"]
        self.bites[which] += int((np.abs(values) > limit).sum())
        return np.clip(values, -limit, limit)


def sigmoid(values: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-values))
