"""The files that a model was loaded from, to be copied later: what runs it may not be able to write itself."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from disconer.exceptions import InputError
from disconer.formats.files import swapping_folder
from disconer.runs import FILES

_Stamp = tuple[int, int]
"""A file's size and when it was written, to tell whether it is still the same."""


@dataclass(frozen=True)
class Original:
    """A model directory as it was when a model was loaded from it."""

    path: Path
    stamps: Mapping[str, _Stamp]

    @classmethod
    def of(cls, path: Path) -> "Original":
        """Remember a model directory."""
        absolute = path.absolute()
        return cls(absolute, {name: _stamp(absolute / name) for name in FILES if (absolute / name).is_file()})

    def copy(self, target: Path) -> None:
        """Write a copy, whole or not at all, in the place of a model directory that is there."""
        with swapping_folder(target) as folder:
            self._check()
            for name in self.stamps:
                shutil.copy2(self.path / name, folder / name)  # when it was written too: a model may be saved in place
            self._check()

    def _check(self) -> None:
        """Refuse to copy another model than the one that was loaded."""
        if Original.of(self.path) != self:
            raise InputError("the model that was loaded is no longer here: load it again", path=self.path)


def _stamp(file: Path) -> _Stamp:
    status = file.stat()
    return status.st_size, status.st_mtime_ns
