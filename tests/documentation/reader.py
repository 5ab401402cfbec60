"""Somebody who tries what a page says."""

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from disconer.foundation.settings import from_mapping
from disconer.study.plan import read_plan
from disconer.training.config import Config
from tests.documentation.blocks import Block

COMMAND = re.compile(r"^\$ (.+(?:\\\n.+)*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass
class Reader:
    """Somebody who tries what a page says."""

    folder: Path
    commands: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def try_out(self, block: Block) -> None:
        """Run a block, or read it, as its language wants."""
        RUN[block.language](self, block)

    def console(self, block: Block) -> None:
        for line, shown in COMMAND.findall(block.code):
            done = self.run(line, block)
            assert done.returncode == 0 or "error:" in shown, f"{block.place}: {line} failed with\n{done.stdout}"
            assert re.fullmatch(pattern(shown), squeezed(done.stdout)), f"{block.place}: {line} printed\n{done.stdout}"

    def shell(self, block: Block) -> None:
        done = self.run(block.code, block)
        assert done.returncode == 0, f"{block.place} failed with\n{done.stdout}"

    def run(self, code: str, block: Block) -> "subprocess.CompletedProcess[str]":
        path = os.pathsep.join((str(self.commands), str(Path(sys.executable).parent), os.environ["PATH"]))
        # What a page forgot to mark fails, instead of asking somebody else's computer.
        environment = os.environ | {"PATH": path, "HF_HUB_OFFLINE": "1", "PIP_NO_INDEX": "1"}
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", code], cwd=self.folder, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, encoding="utf-8", timeout=600,
        )  # fmt: skip

    def python(self, block: Block) -> None:
        """Run Python with the names that blocks above it left behind; warnings of others are none of ours."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if ">>> " in block.code:
                self.session(block)
            else:
                exec(compile(block.code, block.place, "exec"), self.names)

    def session(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.code, self.names, block.place, block.place, 0)
        said: list[str] = []
        results = doctest.DocTestRunner().run(test, out=said.append, clear_globs=False)
        self.names.update(test.globs)
        assert results.failed == 0, "".join(said)

    def toml(self, block: Block) -> None:
        if {"corpora", "systems"} <= tomllib.loads(block.code).keys():
            path = self.folder / "study-of-the-page.toml"
            path.write_text(block.code, encoding="utf-8")
            read_plan(path)
        else:
            from_mapping(Config, tomllib.loads(block.code))

    def json(self, block: Block) -> None:
        json.loads(block.code)

    def jsonl(self, block: Block) -> None:
        for line in block.code.splitlines():
            json.loads(line)


def squeezed(text: str) -> str:
    """Fold white space, as the width of a column does not matter."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


def pattern(shown: str) -> str:
    """Make what a page shows an expression, `...` standing for lines that it leaves out."""
    return "\n".join(r"(?:.|\n)*" if line == "..." else re.escape(line) for line in squeezed(shown).splitlines())


SHELL: dict[str, Callable[[Reader, Block], None]] = {
    "console": Reader.console, "bash": Reader.shell, "sh": Reader.shell
}  # fmt: skip
RUN: dict[str, Callable[[Reader, Block], None]] = {
    **SHELL, "python": Reader.python, "toml": Reader.toml, "json": Reader.json, "jsonl": Reader.jsonl
}  # fmt: skip
"""What is done with a block, by its language."""
