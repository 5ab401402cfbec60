"""The sizes of an ELMo, as the `options.json` beside its weights says them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from disconer.checks import as_choice
from disconer.encoders.characters import CHARACTERS, LENGTH
from disconer.exceptions import InputError, shown

_MODEL_TYPE = "elmo"
"""In the place of a transformer's `model_type`; there is no transformer of this type."""
_WIDEST = 65_536
"""No vector is wider: the widest of the published have 4,096 numbers."""
_MOST_LAYERS = 64
"""The published have two."""


class Activation(StrEnum):
    """What the convolutions' maxima go through."""

    RELU = "relu"
    TANH = "tanh"


@dataclass(frozen=True)
class ElmoOptions:
    """The sizes of an ELMo and what else its weights do not show."""

    character_width: int
    filters: tuple[tuple[int, int], ...]
    """The convolutions over a word's characters: how many characters each sees at once, and how many filters it has."""
    activation: Activation
    highways: int
    cell_width: int
    """Of what an LSTM remembers from word to word."""
    projection_width: int
    """Of what an LSTM says of a word, and of the words' vectors that the first ones read."""
    layers: int
    """LSTMs in each direction, one upon the other."""
    has_skips: bool
    """Whether the LSTMs after the first add what they read to what they say."""
    cell_clip: float
    projection_clip: float

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "ElmoOptions":
        """Read what was published, or an architecture; raises `InputError` for what no ELMo can have."""
        if _whole(options, "char_cnn.max_characters_per_token", 1, LENGTH) != LENGTH:
            raise InputError(f"char_cnn.max_characters_per_token must be {LENGTH}")
        _whole(options, "char_cnn.n_characters", CHARACTERS - 1, CHARACTERS)  # some do not count the padding word's
        has_skips = _value(options, "lstm.use_skip_connections")
        if type(has_skips) is not bool:
            raise InputError(f"lstm.use_skip_connections must be true or false, not {shown(has_skips)}")
        return cls(
            _whole(options, "char_cnn.embedding.dim", 1, _WIDEST),
            _filters(_value(options, "char_cnn.filters")),
            as_choice(Activation, _value(options, "char_cnn.activation"), "char_cnn.activation"),
            _whole(options, "char_cnn.n_highway", 0, _MOST_LAYERS),
            _whole(options, "lstm.dim", 1, _WIDEST),
            _whole(options, "lstm.projection_dim", 1, _WIDEST),
            _whole(options, "lstm.n_layers", 1, _MOST_LAYERS),
            has_skips,
            _limit(options, "lstm.cell_clip"),
            _limit(options, "lstm.proj_clip"),
        )

    @property
    def filter_count(self) -> int:
        """How wide a word's vector is before it is projected."""
        return sum(count for _, count in self.filters)

    @property
    def architecture(self) -> dict[str, Any]:
        """These options as they are published, and whose they are: the inverse of `of`."""
        return {
            "model_type": _MODEL_TYPE,
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
                "max_characters_per_token": LENGTH,
            },
        }


def is_elmo(architecture: Mapping[str, Any]) -> bool:
    """Tell whether an architecture is an ELMo's, which goes with a `CharacterReader` and without a tokenizer."""
    return architecture.get("model_type") == _MODEL_TYPE


def _value(options: Any, name: str) -> Any:
    found = options
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            raise InputError(f"the option {name} is missing")
        found = found[part]
    return found


def _whole(options: Mapping[str, Any], name: str, least: int, most: int) -> int:
    return _checked(_value(options, name), name, least, most)


def _checked(value: Any, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise InputError(f"{name} must be a whole number between {least} and {most}, not {shown(value)}")
    return value


def _limit(options: Mapping[str, Any], name: str) -> float:
    value = _value(options, name)
    if type(value) not in (int, float) or not 0 < value <= _WIDEST:
        raise InputError(f"{name} must be a number above 0, not {shown(value)}")
    return float(value)


def _filters(filters: Any) -> tuple[tuple[int, int], ...]:
    name = "char_cnn.filters"
    if not isinstance(filters, list) or not all(isinstance(one, list) and len(one) == 2 for one in filters):
        raise InputError(f"{name} must be a list of pairs, not {shown(filters)}")
    _checked(len(filters), f"the number of {name}", 1, LENGTH)
    found = [(_checked(width, name, 1, LENGTH), _checked(count, name, 1, _WIDEST)) for width, count in filters]
    _checked(sum(count for _, count in found), f"the sum of {name}", 1, _WIDEST)
    return tuple(found)
