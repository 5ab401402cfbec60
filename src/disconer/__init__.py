"""Named entity recognition where a mention may have gaps."""

import typing as _typing
from importlib import import_module as _import_module
from importlib.util import find_spec as _find_spec

if _typing.TYPE_CHECKING:
    from disconer.api import convert, evaluate, find_errors, load, score, train
    from disconer.document import Document, Fragment, Mention, Sentence
    from disconer.exceptions import DisconerError, InputError, RunError
    from disconer.formats import read, write
    from disconer.recognizer import Recognizer
    from disconer.scoring import Scores
    from disconer.tokenize import Split

    __version__: str

__all__ = [
    "DisconerError",
    "Document",
    "Fragment",
    "InputError",
    "Mention",
    "Recognizer",
    "RunError",
    "Scores",
    "Sentence",
    "Split",
    "__version__",
    "convert",
    "evaluate",
    "find_errors",
    "load",
    "read",
    "score",
    "train",
    "write",
]

_PLACES = {
    "api": ("convert", "evaluate", "find_errors", "load", "score", "train"),
    "document": ("Document", "Fragment", "Mention", "Sentence"),
    "exceptions": ("DisconerError", "InputError", "RunError"),
    "formats": ("read", "write"),
    "recognizer": ("Recognizer",),
    "scoring": ("Scores",),
    "tokenize": ("Split",),
}
"""Where the public names are: each is imported when it is first used, so that `import disconer` costs nothing."""


if not _typing.TYPE_CHECKING:  # or any name would do for a type checker

    def __getattr__(name: str) -> _typing.Any:
        if name == "__version__":
            return _import_module("importlib.metadata").version("disconer")
        place = next((module for module, names in _PLACES.items() if name in names), None)
        if place is None:
            return _import_submodule(name)
        if place == "recognizer":
            with _import_module("disconer.foundation.extras").require_extra("torch"):
                _import_module("disconer.recognizer")
        value = globals()[name] = getattr(_import_module(f"disconer.{place}"), name)
        return value


def _import_submodule(name: str) -> _typing.Any:
    if not name.startswith("_") and name.isidentifier() and _find_spec(f"disconer.{name}") is not None:
        return _import_module(f"disconer.{name}")
    raise AttributeError(f"module 'disconer' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
