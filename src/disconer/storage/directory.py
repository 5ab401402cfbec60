"""A model directory: everything inference needs and nothing else.

    config.json          schema version, labels, scheme, thresholds, encoder settings
    model.safetensors    the weights, for torch
    tokenizer.json       words into subwords
    MODEL_CARD.md        the data, the scores and the command that made it

An exported one has `encoder.onnx`, `heads.onnx` and `edges.safetensors` in the place of `model.safetensors`, and needs
no torch.
Loading runs no code from the directory, and a local directory never touches the network.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from disconer.encoders.settings import EncoderSettings, strip_folders
from disconer.encoders.tokenizer import CharacterTokenizer, SpecialIds, SubwordTokenizer, Tokenizer, is_elmo
from disconer.exceptions import FormatError, InputError, locate_errors
from disconer.foundation.checks import as_choice, check_encodable
from disconer.foundation.files import fingerprint_files, read_text, replace_file, swap_folder
from disconer.foundation.nearest import did_you_mean_path
from disconer.foundation.settings import Settings, as_mapping, earlier_values, from_mapping
from disconer.models.registry import ModelName
from disconer.models.settings import ModelSettings, SegmentModelSettings
from disconer.schemes import Scheme
from disconer.storage.hub import Access, download_model, is_hub_name
from disconer.storage.paths import CARD, CONFIG, ENCODER, FILES, MODEL, RUN_CONFIG, TOKENIZER, WEIGHTS
from disconer.storage.ready import NAMES, find_ready_model

_OF_TRAINING = ("frozen", "frozen_embeddings")
"""Settings of an encoder that say nothing of what it computes."""
INVENTED_TAG = "invented-text"
"""Stands among the tags of the card of a model that learned from sentences which a program wrote."""
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
    """With all that was left open resolved."""
    tokenizer: Tokenizer
    architecture: Mapping[str, Any]
    """The encoder's."""


@dataclass(frozen=True)
class DirectorySnapshot:
    """The files that a model was loaded from, to be copied later: what runs it may not be able to write itself."""

    path: Path
    stamps: Mapping[str, tuple[int, int]]
    """Each file's size and when it was written, to tell whether it is still the same."""

    @classmethod
    def take(cls, path: Path) -> "DirectorySnapshot":
        absolute = path.absolute()
        statuses = {name: (absolute / name).stat() for name in FILES if (absolute / name).is_file()}
        return cls(absolute, {name: (status.st_size, status.st_mtime_ns) for name, status in statuses.items()})

    def copy(self, target: Path) -> None:
        """Write a copy, whole or not at all, in the place of a model directory that is there."""
        with swap_folder(target) as folder:
            self._check()
            for name in self.stamps:
                shutil.copy2(self.path / name, folder / name)  # when it was written too: a model may be saved in place
            self._check()

    def _check(self) -> None:
        """Refuse to copy another model than the one that was loaded."""
        if DirectorySnapshot.take(self.path) != self:
            raise InputError("the model that was loaded is no longer here: load it again", path=self.path)


@contextmanager
def write_model_directory(path: Path, description: Description, card: str) -> Iterator[Path]:
    """Write a model directory, whole or not at all, in the place of one that is there; the block adds the weights."""
    with swap_folder(path) as folder:
        with replace_file(folder / CONFIG) as stream:
            json.dump(_as_json(description), stream, indent=2, ensure_ascii=False)
            stream.write("\n")
        if isinstance(description.tokenizer, SubwordTokenizer):
            with replace_file(folder / TOKENIZER) as stream:
                stream.write(description.tokenizer.tokenizer.to_str(pretty=True))
        with replace_file(folder / CARD) as stream:
            stream.write(card)
        yield folder


def is_exported(path: Path) -> bool:
    """Tell whether a model directory is for onnxruntime and not for torch."""
    return (path / ENCODER).is_file()


def read_description(path: Path, *weights: str) -> Description:
    """Read what a model directory says of its model, after making sure that its files are there."""
    _check_files(path, CONFIG, *weights)
    with locate_errors(path / CONFIG), report_damage():
        values = _parse(path / CONFIG)
        reads_letters = is_elmo(values["encoder"]["architecture"])
    if not reads_letters:
        _check_files(path, TOKENIZER)
    with locate_errors(path / CONFIG), report_damage():
        return _from_json(values, None if reads_letters else path / TOKENIZER)


def _check_files(path: Path, *names: str) -> None:
    for name in names:
        if not (path / name).is_file():
            again = "export" if is_exported(path) else "train"
            raise InputError(f"this model is incomplete, {name} is missing: copy or {again} it again", path=path)


@contextmanager
def report_damage() -> Iterator[None]:
    """Turn whatever a description that makes no sense leads to into a line."""
    try:
        yield
    except (KeyError, TypeError, AttributeError, ValueError, RuntimeError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FormatError(f"the description of the model is damaged ({reason})") from None


def find_model_directory(model: Path | str, access: Access | None = None) -> Path:
    """Find the model directory that a run, a model directory, a ready model's name or one on the hub stands for."""
    path = Path(model)
    if not path.exists() and isinstance(model, str) and (ready := find_ready_model(model)):
        return ready
    if not path.exists() and is_hub_name(model):
        return download_model(str(model), access or Access())
    if not path.is_dir():
        near = did_you_mean_path(path, only_folders=True)
        raise InputError(f"there is no such run or model directory{near}", path=path)
    if any((path / name).is_file() for name in (CONFIG, WEIGHTS, ENCODER)):
        return path
    if (path / MODEL).is_dir():
        return path / MODEL
    if (path / RUN_CONFIG).is_file():
        raise InputError("this run has no model yet: finish it with --resume (in Python, resume=True)", path=path)
    hidden = ", and hides the ready model of that name: call from elsewhere" if str(model) in NAMES else ""
    raise InputError(f"this is neither a run nor a model directory (config.json is missing){hidden}", path=path)


def fingerprint(path: Path) -> str:
    """Tell models apart by all that decides what they find."""
    files = (path / name for name in FILES if name != CARD)
    return fingerprint_files(filter(Path.is_file, files), hashlib.blake2b(digest_size=4))


def read_card(path: Path) -> str:
    """Read a model's card; an empty text when it has none."""
    return read_text(path / CARD) if (path / CARD).is_file() else ""


def learned_from_invented(card: str) -> bool:
    """Tell from a model's card whether a program wrote all that it learned from."""
    front, *_ = card.removeprefix("---\n").split("\n---\n", 1)
    return card.startswith("---\n") and f"- {INVENTED_TAG}" in map(str.strip, front.splitlines())


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
            "name": strip_folders(description.encoder.name),
            "window": description.tokenizer.window,
            "architecture": dict(description.architecture),
            **_special_ids(description.tokenizer),
        },
        str(description.model): as_mapping(description.settings),
    }  # fmt: skip


def _special_ids(tokenizer: Tokenizer) -> dict[str, Any]:
    """What a tokenizer's own file does not say; an encoder that reads letters has none."""
    return {"pieces": tokenizer.special.as_json()} if isinstance(tokenizer, SubwordTokenizer) else {}


def _check_labels(labels: Any) -> tuple[str, ...]:
    if not isinstance(labels, list) or not labels or len(set(map(str, labels))) < len(labels):
        raise FormatError("the labels must be a list, each once")
    for label in labels:
        check_encodable(label, "a label")
        if not label:
            raise FormatError("a label is empty")
    return tuple(labels)


def _parse(path: Path) -> dict[str, Any]:
    try:
        description = json.loads(read_text(path))
        schema_version = description["schema_version"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FormatError("this is not the config.json of a disconer model") from None
    if type(schema_version) is not int or schema_version > SCHEMA_VERSION:
        made_by = description.get("disconer_version", "a newer version")
        raise InputError(f"this model was made by disconer {made_by}, which is newer: upgrade disconer to use it")
    return description  # type: ignore[no-any-return]


def _from_json(description: Mapping[str, Any], tokenizer_file: Path | None) -> Description:
    """Parse a description; without a tokenizer's file, its encoder reads letters."""
    encoder = dict(description["encoder"])
    architecture, special = encoder.pop("architecture"), encoder.pop("pieces", {})
    labels = _check_labels(description["labels"])
    if description["model"] not in list(ModelName):
        raise FormatError("this disconer knows no such model: upgrade it")
    model = as_choice(ModelName, description["model"], "model")
    settings = _read_settings(EncoderSettings, encoder, "encoder.")
    own = _read_settings(model.entry.settings, description[str(model)], f"{model}.")
    if isinstance(own, SegmentModelSettings) and not own.longest_segment:
        raise FormatError(f"{model}.longest_segment must be at 1 or above")
    scheme = _read_scheme(model.entry.scheme, description["scheme"], description["thresholds"])
    tokenizer: Tokenizer
    if tokenizer_file is None:
        tokenizer = CharacterTokenizer(settings.window)
    else:
        tokenizer = SubwordTokenizer.from_file(tokenizer_file, SpecialIds.from_json(**special), settings.window)
    return Description(model, labels, scheme, settings, own, tokenizer, architecture)


def _read_settings(kind: type[Settings], values: Mapping[str, Any], place: str) -> Settings:
    return from_mapping(kind, {**earlier_values(kind), **values}, place)


def _read_scheme(kind: type[Scheme], values: Mapping[str, Any], thresholds: Mapping[str, Any]) -> Scheme:
    if values["name"] != kind.name:
        raise FormatError("this disconer knows no such scheme: upgrade it")
    scheme = kind(**{name: value for name, value in values.items() if name != "name"})
    if thresholds.keys() != scheme.thresholds.keys():
        raise FormatError("the thresholds are not those of the scheme")
    return scheme.with_thresholds(**thresholds)
