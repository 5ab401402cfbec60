"""The reference of the Python interface: what to describe; mkdocstrings reads the code and describes it."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import disconer
from tools.site.docstrings import as_markdown
from tools.site.tables import code

MODULES: dict[str, tuple[str, ...]] = {
    "disconer": (),
    "disconer.recognizer": ("Recognizer",),
    "disconer.exceptions": (
        "CannotHoldError",
        "FormatError",
        "MismatchError",
        "MissingExtraError",
        "OffsetError",
        "WriteError",
    ),
    "disconer.formats": ("FORMATS", "Format", "Losses"),
    "disconer.integrations.datasets": ("from_dataset", "to_dataset", "annotate"),
    "disconer.drawing.terminal": ("draw",),
    "disconer.drawing.html": ("figure", "standalone_figure", "page"),
    "disconer.drawing.errors": ("Errors",),
    "disconer.formats.conversion": ("Conversion",),
    "disconer.training.run": ("Run",),
    "disconer.scoring": (),
    "disconer.scoring.significance": ("wilcoxon", "Interval", "PairedBootstrap"),
    "disconer.checking": (),
    "disconer.tokenize": (),
    "disconer.passage": ("WordMention",),
    "disconer.schemes": (),
}
"""The modules that users may rely on, the most used ones first, and of some which names."""

FIRST = ("load", "train", "evaluate", "score")
"""What the reference opens with."""


def markdown() -> str:
    """Ask for a description of every public name, once: where it comes up first."""
    return "\n".join(_modules())


def _modules() -> Iterator[str]:
    described = {"__version__"}
    for module, names in MODULES.items():
        yield f"## {code(module)} {{ #module-{module} }}\n\n{as_markdown(_docstring(module))}\n"
        for name in names or _public(module):
            if name not in described:
                described.add(name)
                yield f"::: {_path(module, name)}\n"


def _public(module: str) -> list[str]:
    """List what a module offers: what most people begin with, other functions, then classes, after them exceptions."""
    loaded = import_module(module)
    places = {name: place for place, name in enumerate(FIRST)}
    return sorted(loaded.__all__, key=lambda name: (places.get(name, len(FIRST)), _rank(getattr(loaded, name)), name))


def _rank(thing: object) -> int:
    return 1 + issubclass(thing, Exception) if isinstance(thing, type) else 0


def _path(module: str, name: str) -> str:
    """Tell where a name is; one that a module inside of this one has too would be taken for that."""
    source = _source(module)
    modules = {path.stem for path in source.parent.glob("*.py")} if source.name == "__init__.py" else set()
    return f"{module}.{name}.{name}" if name in modules else f"{module}.{name}"


def _docstring(module: str) -> str:
    """Read what a module says of itself without importing it, as some bring in torch."""
    return ast.get_docstring(ast.parse(_source(module).read_text(encoding="utf-8"))) or ""


def _source(module: str) -> Path:
    path = Path(disconer.__file__).parents[1].joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
