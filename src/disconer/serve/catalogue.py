"""The models of a server, by name."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from disconer.api import load
from disconer.exceptions import InputError, quote
from disconer.recognizer import Recognizer
from disconer.storage.directory import find_model_directory, fingerprint, learned_from_invented, read_card
from disconer.storage.paths import default_name, split_name
from disconer.storage.ready import read_examples

_LONGEST_NAME = 64
_WARM_UP = "Severe joint, shoulder and upper body pain. Nothing else was seen."


class Catalogue(Mapping[str, Recognizer]):
    """Recognizers by name; the first is the default."""

    def __init__(
        self,
        recognizers: Mapping[str, Recognizer],
        versions: Mapping[str, str] | None = None,
        examples: Mapping[str, Sequence[str]] | None = None,
        invented: Collection[str] = (),
    ) -> None:
        if not recognizers:
            raise InputError("a server needs at least one model")
        self._recognizers = dict(recognizers)
        self._versions = dict(versions or {})
        self._examples = dict(examples or {})
        self._invented = frozenset(invented)

    def __getitem__(self, name: str) -> Recognizer:
        return self._recognizers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._recognizers)

    def __len__(self) -> int:
        return len(self._recognizers)

    @property
    def default(self) -> str:
        return next(iter(self))

    @property
    def labels(self) -> tuple[str, ...]:
        """What any of them finds; drawings side by side give a label the same colour."""
        return tuple(dict.fromkeys(label for recognizer in self.values() for label in recognizer.labels))

    def version(self, name: str) -> str:
        """Tell which model this is to somebody who keeps what it finds: another one of its name is another version."""
        return f"{name}-{self._versions[name]}" if name in self._versions else name

    def examples(self, name: str) -> list[str]:
        """Texts to try a model on, if it brought any."""
        return list(self._examples.get(name, ()))

    def learned_from_invented(self, name: str) -> bool:
        """Tell whether a program wrote all that a model learned from."""
        return name in self._invented

    @classmethod
    def load(cls, models: list[str], device: str, threads: int | None) -> "Catalogue":
        """Load models that are given as `NAME=MODEL` or `MODEL`, and let each read something to get going."""
        named = [_name_model(model) for model in models]
        for name, _ in named:
            if sum(name == other for other, _ in named) > 1:
                raise InputError(f"two models are called {quote(name)}: give one another name, as NAME=MODEL")
        recognizers = {name: load(model, device, threads) for name, model in named}
        folders = {name: find_model_directory(model) for name, model in named}
        versions = {name: fingerprint(folder) for name, folder in folders.items()}
        examples = {name: read_examples(folder) for name, folder in folders.items()}
        invented = [name for name, folder in folders.items() if learned_from_invented(read_card(folder))]
        catalogue = cls(recognizers, versions, examples, invented)
        for recognizer in catalogue.values():
            recognizer(_WARM_UP)
        return catalogue


def _name_model(text: str) -> tuple[str, str]:
    """Read `NAME=MODEL`, or a model alone, which is called after its folder or its run.

    >>> _name_model("adr=runs/mac"), _name_model("runs/mac"), _name_model("runs/mac/model")
    (('adr', 'runs/mac'), ('mac', 'runs/mac'), ('mac', 'runs/mac/model'))
    """
    name, model = split_name(text)
    name = name or default_name(Path(model))
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise InputError(f"a model cannot be called {quote(name)}: give it a name, as NAME=MODEL")
    return name, model
