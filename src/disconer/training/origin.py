"""The model that a run goes on from: its shape, its weights, and the labels that should not be forgotten."""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import torch

from disconer.document import Document
from disconer.encoders.names import without_folders
from disconer.exceptions import InputError
from disconer.models import directory, trained
from disconer.models.directory import Description
from disconer.models.trained import Trained
from disconer.recognizer import Recognizer
from disconer.runs import CONFIG, WEIGHTS
from disconer.schemes import GridScheme
from disconer.settings import as_mapping, differing, from_mapping, merged
from disconer.training.config import Config

_CHOSEN_ANEW = ("frozen", "dropout", "prior", "longest_segment", "components", "joining", "interpretation")
"""Settings of an encoder or a model that a run may choose, whatever the model had."""


@dataclass(frozen=True)
class Origin:
    """A model to go on from."""

    path: Path
    description: Description

    @classmethod
    def of(cls, model: str) -> "Origin":
        """Find a model that torch runs."""
        path = directory.find(model)
        if directory.is_exported(path):
            raise InputError("an exported model cannot learn: go on from the one that it was made of", path=path)
        return cls(path, directory.described(path, WEIGHTS))

    def load(self, is_frozen: bool = False) -> Trained:
        """Read the model, with an encoder that does not learn if that is wanted."""
        found = trained.load(self.path)
        if is_frozen:
            found.model.encoder.freeze()
        return found

    @property
    def fingerprint(self) -> str:
        """Tells this model from others: a hash of its files."""
        digest = hashlib.sha256((self.path / CONFIG).read_bytes())
        with (self.path / WEIGHTS).open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()

    def continued(self, config: Config, asked: Collection[str] = ()) -> Config:
        """Give a configuration the model's kind, encoder, scheme and sizes.

        Raises `InputError` where a setting asks for something else: one that is not as usual, or was asked for by name.
        """
        continued = from_mapping(Config, merged(as_mapping(config), self._settings()))
        for name in differing(config, continued):
            wanted, there = (attrgetter(name)(one) for one in (config, continued))
            is_same_folder = name == "encoder.name" and without_folders(wanted) == there
            is_wish = name in asked or wanted != attrgetter(name)(Config())
            if is_wish and not is_same_folder:
                raise InputError(f"the model to go on from has {name}={there}, and cannot go on with {wanted}")
        return continued

    def _settings(self) -> dict[str, Any]:
        found = self.description
        settings: dict[str, Any] = {"model": str(found.model)}
        for name, own in (("encoder", found.encoder), (str(found.model), found.settings)):
            settings[name] = {key: value for key, value in as_mapping(own).items() if key not in _CHOSEN_ANEW}
        if isinstance(found.scheme, GridScheme):
            settings["scheme"] = {name: str(getattr(found.scheme, name)) for name in ("tags", "edge_rule", "edges")}
        return settings

    def annotated(self, documents: Iterable[Document], labels: Collection[str], device: torch.device) -> list[Document]:
        """Add to documents what the model finds of some labels."""
        documents = list(documents)
        found = self.load()
        found.model.to(device)
        return [
            document.with_mentions((*document.mentions, *(mention for mention in answer if mention.label in labels)))
            for document, answer in zip(documents, Recognizer(found).pipe(documents), strict=True)
        ]
