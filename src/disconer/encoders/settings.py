"""How text becomes vectors, as a user may choose it."""

from dataclasses import dataclass
from enum import StrEnum

from disconer.settings import setting


class Pooling(StrEnum):
    """How the vectors of a word's pieces become the vector of the word."""

    FIRST = "first"
    MEAN = "mean"
    MAX = "max"


class Layers(StrEnum):
    """Which of the transformer's layers speak."""

    LAST = "last"
    MIX = "mix"
    """A learned weighted mean of all of them, that of the embeddings included."""


@dataclass(frozen=True)
class EncoderSettings:
    """How text becomes vectors."""

    name: str = setting("minilm", "minilm, tiny, a folder, the name of a model on the Hugging Face hub, or elmo:FOLDER")
    pooling: Pooling = setting(Pooling.FIRST, "a word's vector is that of its first piece, or the mean or max of all")
    layers: Layers = setting(Layers.LAST, "take the last layer, or a learned mix of all layers")
    window: int = setting(0, "pieces read at once; 0 takes as many as the transformer allows", minimum=0)
    frozen: bool = setting(
        False, "leave the encoder's own weights as they are: only what is behind it learns; usual for ELMo"
    )
