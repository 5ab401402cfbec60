"""The package as users get it."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import disconer

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_public_surface_is_what_it_says() -> None:
    assert sorted(disconer.__all__) == [
        "DisconerError", "Document", "Fragment", "InputError", "Mention", "Recognizer", "RunError", "Scores",
        "Sentence", "Split", "__version__", "convert", "evaluate", "find_errors", "load", "read", "score", "train",
        "write",
    ]  # fmt: skip
    assert all(hasattr(disconer, name) for name in disconer.__all__)


def test_nothing_else_is_on_the_surface_and_importing_it_is_light() -> None:
    code = (
        "import disconer, sys; "
        "print([name for name in vars(disconer) if not name.startswith('_')], "
        "sorted(name for name in sys.modules if name.startswith('disconer')), dir(disconer) == disconer.__all__)"
    )
    assert run(sys.executable, "-c", code) == "[] ['disconer'] True\n"
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        disconer.version  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(disconer, "no.such")


def test_the_exceptions_docstring_draws_the_whole_hierarchy() -> None:
    module = import_module("disconer.exceptions")
    classes = {name for name in module.__all__ if isinstance(getattr(module, name), type)}
    assert classes == set(re.findall(r"\b\w+Error\b", module.__doc__ or ""))
    assert all(issubclass(getattr(module, name), module.DisconerError) for name in classes)


def test_all_holds_every_other_extra_but_those_of_developers() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    named = re.fullmatch(r"disconer\[(.*)\]", everything)
    assert named
    assert set(named[1].split(",")) == set(extras) - {"all", "docs", "dev", "bench"}


def test_every_requirement_is_pinned_for_installs_here() -> None:
    pinned = set(re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE))
    requirements = [
        *PROJECT["dependencies"],
        *(r for name, extra in PROJECT["optional-dependencies"].items() if name != "all" for r in extra),
    ]
    names = {re.split(r"[<>=!~\[ ]", requirement)[0] for requirement in requirements} - {"disconer"}
    assert names <= pinned
    assert "torch" in pinned


def run(*command: object, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, cwd=cwd, env=env)
    return done.stdout


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a clean environment into which only the built wheel was installed."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (wheel,) = folder.glob("*.whl")
    run(sys.executable, "-m", "venv", folder / "environment")
    commands = folder / "environment" / "bin"
    run(commands / "python", "-m", "pip", "install", "--quiet", "-c", "constraints.txt", wheel)
    return commands


def test_the_wheel_works_in_a_clean_environment(installed: Path, tmp_path: Path) -> None:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    jsonl = tmp_path / "corpus.jsonl"
    run(installed / "disconer", "convert", ROOT / "examples" / "brat", jsonl, cwd=tmp_path, env=clean)
    results = run(installed / "disconer", "stats", jsonl, "--json", "-", cwd=tmp_path, env=clean)
    assert json.loads(results)["files"][str(jsonl)]["discontinuous"] > 0


def test_the_wheel_says_that_it_is_typed(installed: Path) -> None:
    code = "import disconer, pathlib; print((pathlib.Path(disconer.__file__).parent / 'py.typed').exists())"
    assert run(installed / "python", "-c", code) == "True\n"
