"""What to install when a package is missing."""

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from disconer.exceptions import MissingExtraError
from disconer.foundation.extras import EXTRAS, check_installed, how_to_install, require_extra
from tests.cli.calls import GOLD, WITHOUT

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [
        ("fastapi", ["serve", "run"], "serve"),
        ("fastapi_swagger", ["serve", "run"], "serve"),
        ("numpy", ["compare", "{gold}", "-o", "r.html", "--data", "{gold}"], "report"),
        ("spacy", ["convert", "{gold}", "{gold}.spacy"], "spacy"),
        ("pyarrow", ["convert", "{gold}", "{gold}.parquet"], "parquet"),
        ("datasets", ["convert", "{gold}", "out", "--to", "datasets"], "datasets"),
        ("torch", ["export", "run", "out"], "export"),
    ],
)
def test_a_missing_extra_is_a_line_that_says_what_to_install(
    package: str, arguments: list[str], extra: str, tmp_path: Path
) -> None:
    (tmp_path / "gold.jsonl").write_text(GOLD, encoding="utf-8")
    filled = [argument.format(gold=tmp_path / "gold.jsonl") for argument in arguments]
    command = [sys.executable, "-c", WITHOUT, package, *filled]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr == f"disconer: error: this needs {package}: pip install 'disconer[{extra}]'\n"
    assert (done.returncode, done.stdout) == (1, "")
    assert [path.name for path in tmp_path.iterdir()] == ["gold.jsonl"]


def test_extras_are_those_that_can_be_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]

    def packages(extra: str) -> set[str]:
        found = {re.split(r"[\[<>=]", text)[0].replace("-", "_") for text in optional[extra]} - {"disconer"}
        others = [name for text in optional[extra] for name in re.findall(r"^disconer\[(.*)\]", text)]
        return found.union(*(packages(name) for names in others for name in names.split(",")))

    for extra, brought in EXTRAS.items():
        assert packages(extra) <= set(brought)


def test_in_a_checkout_the_versions_are_those_that_it_was_tried_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert how_to_install("export") == "pip install -c constraints.txt '.[export]'"
    monkeypatch.chdir(tmp_path)
    assert how_to_install("export") == "pip install 'disconer[export]'"


def test_a_package_of_another_version_is_told_apart_from_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = r"needs another version of numpy: pip install --upgrade numpy 'disconer\[report\]'"
    with pytest.raises(MissingExtraError, match=other), require_extra("report"):
        from numpy import no_such_thing  # type: ignore[attr-defined]  # noqa: F401, PLC0415
    deep = r"this needs deep: pip install 'disconer\[torch\]'"
    with pytest.raises(MissingExtraError, match=deep), require_extra("torch"):
        raise ModuleNotFoundError("some words") from ModuleNotFoundError(name="deep")
    with pytest.raises(ModuleNotFoundError, match=r"disconer\.no_such_thing"), require_extra("torch"):
        import_module("disconer.no_such_thing")


def test_what_is_missing_is_known_without_importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_installed("report")
    monkeypatch.setitem(EXTRAS, "report", ("numpy", "no_such_package"))
    with pytest.raises(MissingExtraError, match=r"this needs no_such_package: pip install 'disconer\[report\]'"):
        check_installed("report")
