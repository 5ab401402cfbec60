"""The documentation tells the truth: its Python runs, and its commands print what it says they print."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def having(mark: str) -> list[Path]:
    return [page for page in PAGES if mark in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", having(">>> "), ids=name)
def test_python_gives_what_the_page_shows(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    results = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("page", having("```console"), ids=name)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for block in CONSOLE.findall(page.read_text(encoding="utf-8")):
        for command, shown in COMMAND.findall(block):
            printed = run(command, tmp_path)
            assert re.fullmatch(pattern(shown), squeezed(printed)), f"{command} printed\n{printed}"


def run(command: str, folder: Path) -> str:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = os.environ | {"PATH": path}
    done = subprocess.run(
        shlex.split(command), cwd=folder, env=environment, text=True, check=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    return done.stdout


def squeezed(text: str) -> str:
    """Fold white space, as the width of a column does not matter."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


def pattern(shown: str) -> str:
    """Make what a page shows an expression, `...` standing for lines that it leaves out."""
    return "\n".join(r"(?:.|\n)*" if line == "..." else re.escape(line) for line in squeezed(shown).splitlines())


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target
