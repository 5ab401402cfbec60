"""A model directory: everything inference needs and nothing else.

    config.json          schema version, labels, scheme, thresholds, encoder settings
    model.safetensors    the weights, for torch
    tokenizer.json       words into pieces
    MODEL_CARD.md        the data, the scores and the command that made it

An exported one has `encoder.onnx`, `heads.onnx` and `edges.safetensors` in the place of `model.safetensors`, and needs
no torch.
Loading runs no code from the directory, and a local directory never touches the network.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from disconer.checks import check_encodable
from disconer.encoders.reader import Reader
from disconer.encoders.settings import EncoderSettings
from disconer.encoders.subwords import Subwords
from disconer.exceptions import FormatError, InputError, located
from disconer.formats.files import read_text, replacing_file, swapping_folder
from disconer.models.settings import MacSettings
from disconer.runs import MODEL, RUN_CONFIG
from disconer.schemes import GridScheme
from disconer.settings import as_mapping, from_mapping

SCHEMA_VERSION = 1
"""Raised whenever an older disconer could no longer make sense of a directory."""
CONFIG, TOKENIZER, CARD = "config.json", "tokenizer.json", "MODEL_CARD.md"
WEIGHTS = "model.safetensors"
ENCODER, HEADS, EDGES = "encoder.onnx", "heads.onnx", "edges.safetensors"
"""The files of an exported model: pieces to vectors, vectors to segments and what edges are made of, and the latter."""


@dataclass(frozen=True)
class Description:
    """What a model is, but for its weights."""

    labels: tuple[str, ...]
    scheme: GridScheme
    encoder: EncoderSettings
    mac: MacSettings
    """Its `longest_segment` is the true number of words."""
    reader: Reader
    architecture: Mapping[str, Any]
    """The transformer's."""


@contextmanager
def new(path: Path, description: Description, card: str) -> Iterator[Path]:
    """Write a model directory, whole or not at all, in the place of one that is there; the block adds the weights."""
    with swapping_folder(path) as folder:
        with replacing_file(folder / CONFIG) as stream:
            json.dump(_as_json(description), stream, indent=2, ensure_ascii=False)
            stream.write("\n")
        with replacing_file(folder / TOKENIZER) as stream:
            stream.write(description.reader.subwords.tokenizer.to_str(pretty=True))
        with replacing_file(folder / CARD) as stream:
            stream.write(card)
        yield folder


def is_exported(path: Path) -> bool:
    """Tell whether a model directory is for onnxruntime and not for torch."""
    return (path / ENCODER).is_file()


def described(path: Path, *weights: str) -> Description:
    """Read what a model directory says of its model, after making sure that its files are there."""
    for name in (CONFIG, TOKENIZER, *weights):
        if not (path / name).is_file():
            raise InputError(f"this model is incomplete, {name} is missing: copy or train it again", path=path)
    with located(path / CONFIG), damaged():
        return _from_json(_parsed(path / CONFIG), path / TOKENIZER)


@contextmanager
def damaged() -> Iterator[None]:
    """Turn whatever a description that makes no sense leads to into a line."""
    try:
        yield
    except (KeyError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        raise FormatError(f"the description of the model is damaged ({error})") from None


def find(model: Path | str) -> Path:
    """Give the model directory that a run, a model directory or a name on the hub stands for."""
    path = Path(model)
    if not path.exists() and _is_hub_name(model):
        return _downloaded(str(model))
    if not path.is_dir():
        raise InputError("there is no such run or model directory", path=path)
    if any((path / name).is_file() for name in (CONFIG, WEIGHTS, ENCODER)):
        return path
    if (path / MODEL).is_dir():
        return path / MODEL
    if (path / RUN_CONFIG).is_file():
        raise InputError("this run has no model yet: finish it with --resume", path=path)
    raise InputError("this is neither a run nor a model directory: config.json is missing", path=path)


def _is_hub_name(model: Path | str) -> bool:
    """Tell whether this could be a name on the hub; what begins like a folder that is there is a misspelt path."""
    if not isinstance(model, str) or re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", model, re.ASCII) is None:
        return False
    return not Path(model).parent.exists()


def _downloaded(name: str) -> Path:
    from huggingface_hub import snapshot_download  # noqa: PLC0415 (a local model never comes near the network)

    try:
        return Path(snapshot_download(name, allow_patterns=[CONFIG, WEIGHTS, ENCODER, HEADS, EDGES, TOKENIZER, CARD]))
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(f"there is no folder {name}, and it cannot be had from the hub: {reason}") from None


def _as_json(description: Description) -> dict[str, Any]:
    scheme, subwords = description.scheme, description.reader.subwords
    fields = {name: value for name, value in asdict(scheme).items() if not name.endswith("_threshold")}
    return {
        "schema_version": SCHEMA_VERSION,
        "disconer_version": version("disconer"),
        "model": "mac",
        "labels": list(description.labels),
        "scheme": {"name": "grid", **fields},
        "thresholds": scheme.thresholds,
        "encoder": {
            **as_mapping(description.encoder),
            "window": description.reader.window,
            "architecture": dict(description.architecture),
            "pieces": {
                "before": subwords.before, "after": subwords.after,
                "unknown": subwords.unknown, "padding": subwords.padding,
            },
        },
        "mac": as_mapping(description.mac),
    }  # fmt: skip


def _labels(labels: Any) -> tuple[str, ...]:
    if not isinstance(labels, list) or not labels or len(set(map(str, labels))) < len(labels):
        raise FormatError("the labels must be a list, each once")
    for label in labels:
        check_encodable(label, "a label")
        if not label:
            raise FormatError("a label is empty")
    return tuple(labels)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        description = json.loads(read_text(path))
        schema_version = description["schema_version"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FormatError("this is not the config.json of a disconer model") from None
    if type(schema_version) is not int or schema_version > SCHEMA_VERSION:
        made_by = description.get("disconer_version", "a newer version")
        raise InputError(f"this model was made by disconer {made_by}, which is newer: upgrade disconer to use it")
    return description  # type: ignore[no-any-return]


def _from_json(description: Mapping[str, Any], tokenizer: Path) -> Description:
    encoder = dict(description["encoder"])
    architecture, pieces = encoder.pop("architecture"), encoder.pop("pieces")
    fields = {name: value for name, value in description["scheme"].items() if name != "name"}
    scheme = GridScheme(**fields).with_thresholds(**description["thresholds"])
    labels = _labels(description["labels"])
    if description["model"] != "mac" or description["scheme"]["name"] != "grid":
        raise FormatError("this disconer knows no such model or scheme: upgrade it")
    settings = from_mapping(EncoderSettings, encoder, "encoder.")
    mac = from_mapping(MacSettings, description["mac"], "mac.")
    if not mac.longest_segment:
        raise FormatError("mac.longest_segment must be at 1 or above")
    reader = Reader(Subwords.from_file(tokenizer, **pieces), settings.window)
    return Description(labels, scheme, settings, mac, reader, architecture)
