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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from disconer.checks import check_encodable
from disconer.encoders.characters import CharacterReader
from disconer.encoders.elmo_options import is_elmo
from disconer.encoders.names import without_folders
from disconer.encoders.reader import Reader, TextReader
from disconer.encoders.settings import EncoderSettings
from disconer.encoders.subwords import Subwords
from disconer.exceptions import FormatError, InputError, located
from disconer.formats.files import read_text, replacing_file, swapping_folder
from disconer.models.hub import Access, downloaded, is_hub_name
from disconer.models.kinds import KINDS
from disconer.models.settings import ModelName, ModelSettings, SegmentModelSettings
from disconer.nearest import did_you_mean_path
from disconer.runs import CARD, CONFIG, ENCODER, FILES, MODEL, RUN_CONFIG, TOKENIZER, WEIGHTS
from disconer.schemes import Scheme
from disconer.settings import as_mapping, from_mapping

_OF_TRAINING = ("frozen",)
"""Settings of an encoder that say nothing of what it computes."""
SCHEMA_VERSION = 1
"""Raised whenever an older disconer could no longer make sense of a directory."""


@dataclass(frozen=True)
class Description:
    """What a model is, but for its weights."""

    model: ModelName
    labels: tuple[str, ...]
    scheme: Scheme
    encoder: EncoderSettings
    settings: ModelSettings
    """With all that was left open settled."""
    reader: TextReader
    architecture: Mapping[str, Any]
    """The encoder's."""


@contextmanager
def new(path: Path, description: Description, card: str) -> Iterator[Path]:
    """Write a model directory, whole or not at all, in the place of one that is there; the block adds the weights."""
    with swapping_folder(path) as folder:
        with replacing_file(folder / CONFIG) as stream:
            json.dump(_as_json(description), stream, indent=2, ensure_ascii=False)
            stream.write("\n")
        if isinstance(description.reader, Reader):
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
    _check_files(path, CONFIG, *weights)
    with located(path / CONFIG), damaged():
        values = _parsed(path / CONFIG)
        reads_letters = is_elmo(values["encoder"]["architecture"])
    if not reads_letters:
        _check_files(path, TOKENIZER)
    with located(path / CONFIG), damaged():
        return _from_json(values, None if reads_letters else path / TOKENIZER)


def _check_files(path: Path, *names: str) -> None:
    for name in names:
        if not (path / name).is_file():
            raise InputError(f"this model is incomplete, {name} is missing: copy or train it again", path=path)


@contextmanager
def damaged() -> Iterator[None]:
    """Turn whatever a description that makes no sense leads to into a line."""
    try:
        yield
    except (KeyError, TypeError, AttributeError, ValueError, RuntimeError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FormatError(f"the description of the model is damaged ({reason})") from None


def find(model: Path | str, access: Access | None = None) -> Path:
    """Give the model directory that a run, a model directory or a name on the hub stands for."""
    path = Path(model)
    if not path.exists() and is_hub_name(model):
        return downloaded(str(model), access or Access())
    if not path.is_dir():
        near = did_you_mean_path(path, only_folders=True)
        raise InputError(f"there is no such run or model directory{near}", path=path)
    if any((path / name).is_file() for name in (CONFIG, WEIGHTS, ENCODER)):
        return path
    if (path / MODEL).is_dir():
        return path / MODEL
    if (path / RUN_CONFIG).is_file():
        raise InputError("this run has no model yet: finish it with --resume", path=path)
    raise InputError("this is neither a run nor a model directory: config.json is missing", path=path)


def card(path: Path) -> str:
    """Give the text of a model's card; nothing when it has none."""
    return read_text(path / CARD) if (path / CARD).is_file() else ""


def check_replaceable(path: Path) -> None:
    """Refuse to put a model where there is anything but another one: it would be gone."""
    if not path.is_dir():
        if path.exists():
            raise InputError("this is a file: name a folder for the model", path=path)
    elif path.samefile("."):  # it would be another folder afterwards, and the process in none
        raise InputError("this is the folder that you are in, and would be replaced: name another", path=path)
    elif any(file.name not in FILES for file in path.iterdir()):
        raise InputError("this folder holds other things than a model: name another", path=path)


def _as_json(description: Description) -> dict[str, Any]:
    scheme = description.scheme
    fields = {name: value for name, value in asdict(scheme).items() if not name.endswith("_threshold")}
    return {
        "schema_version": SCHEMA_VERSION,
        "disconer_version": version("disconer"),
        "model": str(description.model),
        "labels": list(description.labels),
        "scheme": {"name": scheme.name, **fields},
        "thresholds": scheme.thresholds,
        "encoder": {
            **{name: value for name, value in as_mapping(description.encoder).items() if name not in _OF_TRAINING},
            "name": without_folders(description.encoder.name),
            "window": description.reader.window,
            "architecture": dict(description.architecture),
            **_pieces(description.reader),
        },
        str(description.model): as_mapping(description.settings),
    }  # fmt: skip


def _pieces(reader: TextReader) -> dict[str, Any]:
    """Give what a tokenizer's own file does not say; an encoder that reads letters has none."""
    if not isinstance(reader, Reader):
        return {}
    return {"pieces": {name: getattr(reader.subwords, name) for name in ("before", "after", "unknown", "padding")}}


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


def _from_json(description: Mapping[str, Any], tokenizer: Path | None) -> Description:
    """Understand a description; without a tokenizer, its encoder reads letters."""
    encoder = dict(description["encoder"])
    architecture, pieces = encoder.pop("architecture"), encoder.pop("pieces", {})
    labels = _labels(description["labels"])
    if description["model"] not in list(ModelName):
        raise FormatError("this disconer knows no such model: upgrade it")
    model = ModelName(description["model"])
    settings = from_mapping(EncoderSettings, encoder, "encoder.")
    own = from_mapping(KINDS[model].settings, description[str(model)], f"{model}.")
    if isinstance(own, SegmentModelSettings) and not own.longest_segment:
        raise FormatError(f"{model}.longest_segment must be at 1 or above")
    scheme = _scheme(KINDS[model].scheme, description["scheme"], description["thresholds"])
    reader: TextReader
    if tokenizer is None:
        reader = CharacterReader(settings.window)
    else:
        reader = Reader(Subwords.from_file(tokenizer, **pieces), settings.window)
    return Description(model, labels, scheme, settings, own, reader, architecture)


def _scheme(kind: type[Scheme], values: Mapping[str, Any], thresholds: Mapping[str, Any]) -> Scheme:
    if values["name"] != kind.name:
        raise FormatError("this disconer knows no such scheme: upgrade it")
    scheme = kind(**{name: value for name, value in values.items() if name != "name"})
    if thresholds.keys() != scheme.thresholds.keys():
        raise FormatError("the thresholds are not those of the scheme")
    return scheme.with_thresholds(**thresholds)
