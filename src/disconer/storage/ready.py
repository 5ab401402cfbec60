"""Ready models: trained by us on public text, each in a distribution of its own, and found by name."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from disconer.exceptions import FormatError, InputError
from disconer.foundation.files import read_text
from disconer.scoring import SCOPES
from disconer.storage.paths import CONFIG, FILES

GROUP = "disconer_models"
"""Entry points by which distributions say which models they bring: a name, and a package with a folder `model`."""
NAMES = ("adr", "trials", "craft")
"""Of the models that are made here, installed or not."""
DESCRIPTION = "ready.json"
"""What a ready model has beside the files of a model directory."""


@dataclass(frozen=True)
class ReadyModel:
    """A model that somebody installed."""

    name: str
    folder: Path
    title: str
    """What texts it is for."""
    data: str
    licence: str
    """Of the data; the model's own is its package's."""
    version: str
    labels: tuple[str, ...]
    scores: dict[str, dict[str, float]]
    """Precision, recall and F1 on dev, by scope."""
    examples: tuple[str, ...]
    """Texts to try it on."""

    @classmethod
    def read(cls, folder: Path, name: str = "", version: str = "") -> "ReadyModel":
        """Read what a ready model says of itself; its name and its version are the distribution's to say."""
        try:
            said = json.loads(read_text(folder / DESCRIPTION))
            labels = json.loads(read_text(folder / CONFIG))["labels"]
            scores = {scope: said["scores"][scope] for scope in SCOPES}
            return cls(
                name, folder, said["title"], said["data"], said["licence"], version, tuple(labels),
                scores, tuple(said["examples"]),
            )  # fmt: skip
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, InputError):
                raise
            raise FormatError("this ready model is damaged: install it again", path=folder) from None

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum((self.folder / name).stat().st_size for name in FILES if (self.folder / name).is_file())

    def as_json(self) -> dict[str, Any]:
        """Say what there is to say, with the keys of `disconer models --json`."""
        return {
            "name": self.name,
            "domain": self.title,
            "labels": list(self.labels),
            "data": self.data,
            "licence": self.licence,
            "version": self.version,
            "scores": self.scores,
            "bytes": self.size,
            "path": str(self.folder),
        }


def list_ready_models(on_damage: Callable[[str, str], None]) -> Iterator[ReadyModel]:
    """List the ready models that are installed, by name; of several with one name, that which would be found.

    One that is damaged, which may be anybody's, is left out; `on_damage` gets its name and what is wrong.
    """
    names = sorted({entry.name for entry in entry_points(group=GROUP)})
    for name in names:
        for entry, folder in _find_entries(name):
            try:
                yield ReadyModel.read(folder, name, entry.dist.version if entry.dist else "")
            except InputError as error:
                on_damage(name, str(error))
            break


def find_ready_model(name: str) -> Path | None:
    """Find the model directory of a ready model whose files are what they were when it was made.

    None where nothing of this name is installed, nor could be.
    """
    for _, folder in _find_entries(name):
        _check_files(folder)
        return folder
    if name in NAMES:
        raise InputError(f"the ready model {name} is not installed: {install_command(name)}")
    return None


def install_command(name: str) -> str:
    """Say what installs a ready model, in a checkout of this project."""
    return f"in disconer's source, pip install --no-deps ./models/{name}"


def read_examples(folder: Path) -> tuple[str, ...]:
    """Texts to try a model on, of one that is ready; of others, nothing is known."""
    return ReadyModel.read(folder).examples if (folder / DESCRIPTION).is_file() else ()


def _find_entries(name: str) -> Iterator[tuple[EntryPoint, Path]]:
    """The folders of models of a name, without importing anything of their packages, which may not be below others."""
    for entry in entry_points(group=GROUP, name=name):
        spec = find_spec(entry.module) if "." not in entry.module else None
        for place in (spec.submodule_search_locations if spec is not None else None) or ():
            if (folder := Path(place) / "model").is_dir():
                yield entry, folder


@cache
def _check_files(folder: Path) -> None:
    """Make sure, once a process, that no file was changed or cut off."""
    try:
        expected = json.loads(read_text(folder / DESCRIPTION))["sha256"]
        found = {name: _hash(folder / name) for name in expected}
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        found, expected = {}, None
    if found != expected or not found:
        raise FormatError("this ready model is damaged: install it again", path=folder)


def _hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
