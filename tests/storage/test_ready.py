"""Ready models: found by name, checked before they are trusted, and said to be missing where they are."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import disconer
from disconer.cli import main
from disconer.exceptions import FormatError, InputError
from disconer.storage import ready
from disconer.storage.directory import find_model_directory
from disconer.storage.paths import CONFIG
from disconer.storage.ready import DESCRIPTION, NAMES, read_examples
from tests.cli.calls import WITHOUT_HEAVY_IMPORTS

SCORES = {scope: {"precision": 0.5, "recall": 0.5, "f1": 0.5} for scope in ("all", "disc_sentences", "disc_mentions")}


@pytest.fixture
def installed(exported_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution with a model called `test-model`, as pip leaves one behind; gives the model's folder."""
    folder = tmp_path / "site" / "disconer_test_model" / "model"
    shutil.copytree(exported_folder, folder)
    (folder.parent / "__init__.py").write_text("raise RuntimeError('nobody imports this')\n")
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    said = {
        "title": "test texts", "data": "invented", "licence": "CC0-1.0", "examples": ["Joint and back pain."],
        "scores": SCORES, "sha256": hashes,
    }  # fmt: skip
    (folder / DESCRIPTION).write_text(json.dumps(said))
    metadata = tmp_path / "site" / "disconer_test_model-3.1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: disconer-test-model\nVersion: 3.1\n")
    (metadata / "entry_points.txt").write_text("[disconer_models]\ntest-model = disconer_test_model\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    ready._check_files.cache_clear()
    return folder


def test_it_is_found_by_its_name_wherever_a_model_is_asked_for(
    installed: Path, model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Severe joint, shoulder and upper body pain."
    assert find_model_directory("test-model") == installed
    expected = [mention.key for mention in disconer.load(model_folder)(text)]
    assert [mention.key for mention in disconer.load("test-model")(text)] == expected
    assert main(["predict", "test-model", "--text", text, "-o", str(tmp_path / "out.jsonl"), "--quiet"]) == 0
    assert [mention.key for document in disconer.read(tmp_path / "out.jsonl") for mention in document] == expected
    assert read_examples(installed) == ("Joint and back pain.",)
    assert read_examples(model_folder) == ()


def test_what_lies_in_the_folder_comes_first(
    installed: Path, model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(model_folder, "test-model")
    assert find_model_directory("test-model") == Path("test-model")
    Path("adr").mkdir()
    with pytest.raises(InputError, match=r"config\.json is missing.*hides the ready model of that name"):
        find_model_directory("adr")


@pytest.mark.parametrize("file", ["encoder.onnx", "heads.onnx", CONFIG, "rest.safetensors"])
def test_a_file_that_was_changed_or_is_missing_is_refused(installed: Path, file: str) -> None:
    content = (installed / file).read_bytes()
    (installed / file).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(FormatError, match="damaged: install it again"):
        find_model_directory("test-model")
    (installed / file).unlink()
    with pytest.raises(FormatError, match="damaged: install it again"):
        find_model_directory("test-model")


@pytest.mark.parametrize("said", ["", "[]", '{"sha256": 3}', '{"sha256": {}}'])
def test_a_description_that_makes_no_sense_is_refused_and_told_beside_the_others(
    installed: Path, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (installed / DESCRIPTION).write_text(said)
    with pytest.raises(FormatError, match="damaged: install it again"):
        find_model_directory("test-model")
    assert main(["models", "--json", str(installed / "models.json")]) == 0
    printed = capsys.readouterr()
    assert "test-model" not in printed.out
    assert re.search("^test-model: .*damaged: install it again$", printed.err, re.MULTILINE)
    listed = json.loads((installed / "models.json").read_text())
    assert listed["damaged"] == ["test-model"]
    assert "test-model" not in [*listed["not_installed"], *(model["name"] for model in listed["models"])]


def test_the_list_says_what_there_is(installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--json", str(tmp_path / "models.json")]) == 0
    listed = capsys.readouterr().out
    assert "test-model: test texts\n  labels    ADR" in listed
    assert "version 3.1" in listed
    assert str(installed) in listed
    (found,) = (
        one for one in json.loads((tmp_path / "models.json").read_text())["models"] if one["name"] == "test-model"
    )
    assert found["scores"] == SCORES
    assert found["labels"] == list(disconer.load(installed).labels)
    assert found["bytes"] == sum(file.stat().st_size for file in installed.iterdir() if file.name != DESCRIPTION)
    assert main(["models", "test-model"]) == 0
    assert capsys.readouterr().out.startswith("# A test")


def test_to_list_them_imports_nothing_heavy(installed: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_HEAVY_IMPORTS, "models"]
    environment = {**os.environ, "PYTHONPATH": str(installed.parents[1])}
    listed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    assert "test-model: test texts" in listed


def test_what_is_not_installed_says_how(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(ready, "entry_points", lambda **_: [])
    for name in NAMES:
        with pytest.raises(InputError, match=rf"not installed: .*pip install --no-deps \./models/{name}$"):
            find_model_directory(name)
    with pytest.raises(InputError, match="there is no such run or model directory"):
        find_model_directory("nothing")
    assert main(["models"]) == 0
    listed = capsys.readouterr().out
    assert all(f"{name}: not installed" in listed for name in NAMES)
