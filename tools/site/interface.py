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
    "disconer.exceptions": (),
    "disconer.formats": (),
    "disconer.tokenize": (),
    "disconer.scoring": (),
    "disconer.scoring.significance": ("wilcoxon", "Interval", "PairedBootstrap"),
    "disconer.schemes": (),
    "disconer.checking": (),
    "disconer.drawing.html": ("figure", "standalone_figure", "page"),
    "disconer.drawing.terminal": ("draw",),
    "disconer.training.run": ("Run",),
}
"""The modules that users may rely on, and of those that have no `__all__` which names."""


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
                yield f"::: {module}.{name}\n"


def _public(module: str) -> list[str]:
    """Give what a module offers: functions, then classes, and after them exceptions."""
    loaded = import_module(module)
    return sorted(loaded.__all__, key=lambda name: (_rank(getattr(loaded, name)), name))


def _rank(thing: object) -> int:
    return 1 + issubclass(thing, Exception) if isinstance(thing, type) else 0


def _docstring(module: str) -> str:
    """Read what a module says of itself without importing it, as some bring in torch."""
    path = Path(disconer.__file__).parents[1].joinpath(*module.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
