"""The nearest of the names there are, for whoever misspelt one: of labels, formats, settings, commands and files."""

from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from os import scandir
from pathlib import Path

_MOST_NAMES = 1000
"""So many are compared: a folder may hold millions."""
_LONGEST_NAME = 255
"""So much of a name is: comparing takes time with its square."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Find the name that somebody may have meant, whatever the case of its letters.

    >>> nearest("bart", ["jsonl", "brat"]), nearest("adr", ["ADR", "Drug"]), nearest("zzz", ["jsonl", "brat"])
    ('brat', 'ADR', None)
    """
    folded = {other[:_LONGEST_NAME].casefold(): other for other in islice(names, _MOST_NAMES)}
    found = get_close_matches(name[:_LONGEST_NAME].casefold(), folded, n=1)
    return folded[found[0]] if found else None


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """End a message about a name that is not among those there are with the nearest, if any is near.

    >>> did_you_mean("bart", ["jsonl", "brat"])
    ": did you mean 'brat'?"
    """
    return _question(nearest(name, names))


def did_you_mean_one_of(name: str, names: Collection[str]) -> str:
    """End such a message with the nearest, or else with all of them.

    >>> did_you_mean_one_of("zzz", ["jsonl", "brat"])
    ': use one of jsonl, brat'
    """
    return did_you_mean(name, names) or f": use one of {', '.join(names)}"


def did_you_mean_path(path: Path | str, only_folders: bool = False) -> str:
    """End a message about a path that is not there; only the names of one folder, its last that is, are looked at."""
    path = Path(path)
    try:
        return _question(_nearest_path(path, only_folders))
    except (OSError, ValueError):  # a folder that may not be looked into, a name that no file can have
        return ""


def _nearest_path(path: Path, only_folders: bool) -> Path | None:
    """Correct the first part of a path that is not there, and keep the rest if it is there then."""
    missing = next((part for part in reversed((path, *path.parents)) if not part.exists()), None)
    if missing is None:
        return None
    others = (
        name for name in _names(missing.parent, only_folders) if name != missing.name
    )  # a link to nowhere is there
    found = nearest(missing.name, others)
    if found is None:
        return None
    corrected = missing.with_name(found)
    whole = corrected / path.relative_to(missing)
    return whole if whole.exists() else corrected


def _names(folder: Path, only_folders: bool) -> Iterator[str]:
    """List what a folder holds, but for what is hidden."""
    with scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(".") and (not only_folders or entry.is_dir()):
                yield entry.name


def _question(found: Path | str | None) -> str:
    return "" if found is None else f": did you mean {str(found)!r}?"
