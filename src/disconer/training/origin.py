"""The model that a run goes on from: its shape, its weights, and the labels that should not be forgotten."""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from disconer.document import Document
from disconer.encoders.settings import EncoderSettings, strip_folders
from disconer.exceptions import InputError
from disconer.foundation.files import fingerprint_files
from disconer.foundation.settings import as_mapping, find_differences, from_mapping, merge_tables
from disconer.models.model import Model
from disconer.recognizer import Recognizer
from disconer.runtime.torch_engine import TorchEngine, load_torch_engine, read_torch_description
from disconer.schemes import GridScheme
from disconer.storage.directory import Description, find_model_directory, learned_from_invented, read_card
from disconer.storage.paths import CONFIG, ENCODER, HEADS, REST, WEIGHTS
from disconer.training.config import Config


@dataclass(frozen=True)
class Origin:
    """A model to go on from."""

    path: Path
    description: Description

    @classmethod
    def find(cls, model: str) -> "Origin":
        """Find a model that torch runs."""
        path = find_model_directory(model)
        return cls(path, read_torch_description(path))

    def load(self, settings: EncoderSettings | None = None) -> TorchEngine:
        """Read the model; of its encoder, what should not learn is frozen."""
        found = load_torch_engine(self.path)
        if settings is not None:
            found.model.encoder.freeze(settings)
        return found

    @property
    def learned_from_invented(self) -> bool:
        """Whether a program wrote all that it learned from."""
        return learned_from_invented(read_card(self.path))

    @property
    def fingerprint(self) -> str:
        """Tells this model from others: a hash of its files."""
        weights = [path for name in (WEIGHTS, ENCODER, HEADS, REST) if (path := self.path / name).is_file()]
        return fingerprint_files(weights, hashlib.sha256((self.path / CONFIG).read_bytes()))

    def adapt(self, config: Config, asked: Collection[str] = ()) -> Config:
        """A configuration with the model's kind, encoder, scheme and sizes.

        Raises `InputError` where a setting asks for something else: one that is not as usual, or was asked for by name.
        """
        continued = from_mapping(Config, merge_tables(as_mapping(config), self._settings()))
        for name in find_differences(config, continued):
            wanted, there = (attrgetter(name)(one) for one in (config, continued))
            is_same_folder = name == "encoder.name" and strip_folders(wanted) == there
            is_asked = name in asked or wanted != attrgetter(name)(Config())
            if is_asked and not is_same_folder:
                raise InputError(f"the model to go on from has {name}={there}, and cannot go on with {wanted}")
        return continued

    def _settings(self) -> dict[str, Any]:
        found = self.description
        settings: dict[str, Any] = {"model": str(found.model)}
        for name, own in (("encoder", found.encoder), (str(found.model), found.settings)):
            kept = [one.name for one in fields(own) if not one.metadata["is_chosen_anew"]]
            settings[name] = {key: value for key, value in as_mapping(own).items() if key in kept}
        if isinstance(found.scheme, GridScheme):
            settings["scheme"] = {
                name: str(getattr(found.scheme, name)) for name in ("tags", "edge_rule", "edges", "singles")
            }
        return settings

    def annotate(self, documents: Iterable[Document], labels: Collection[str], device: torch.device) -> list[Document]:
        """Add to documents what the model finds of some labels."""
        documents = list(documents)
        found = self.load()
        found.model.to(device)
        return [
            document.with_mentions((*document.mentions, *(mention for mention in predicted if mention.label in labels)))
            for document, predicted in zip(documents, Recognizer(found).pipe(documents), strict=True)
        ]


def transfer_weights(model: Model, source: Model) -> None:
    """Copy into a model what another has learned; what only the first has, such as a new label, stays as it is."""
    learned = dict(source.named_parameters())
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name not in learned:
                raise InputError("the model to go on from has other parts than this one")
            _copy_common(parameter, learned[name], _common_indices(name, model, source))


def _copy_common(parameter: Tensor, learned: Tensor, indices: list[tuple[list[int], list[int]]]) -> None:
    """Copy what stands at common indices, dimension by dimension; all of it where none are listed."""
    free = len(indices)
    if parameter.dim() != learned.dim() or parameter.shape[free:] != learned.shape[free:]:
        raise InputError("the model to go on from has parts of other sizes than this one")
    if not indices:
        parameter.copy_(learned)
        return
    here, there = (_as_grid(own) for own in zip(*indices, strict=True))
    parameter[here] = learned[there].to(parameter.device)


def _as_grid(indices: Iterable[list[int]]) -> tuple[Tensor, ...]:
    """Index everything that stands at listed indices of every dimension."""
    return torch.meshgrid(*(torch.tensor(own, dtype=torch.long) for own in indices), indexing="ij")


def _common_indices(name: str, model: Model, source: Model) -> list[tuple[list[int], list[int]]]:
    """For each dimension that depends on the data, where keys that both have stand in one and in the other."""
    found = []
    for mine, theirs in zip(model.parameter_keys.get(name, ()), source.parameter_keys.get(name, ()), strict=True):
        numbers = {key: number for number, key in enumerate(theirs)}
        common = [(number, numbers[key]) for number, key in enumerate(mine) if key in numbers]
        found.append(([here for here, _ in common], [there for _, there in common]))
    return found
