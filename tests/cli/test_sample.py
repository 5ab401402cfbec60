"""The command that makes the sample corpus."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from disconer import read
from disconer.cli import main
from disconer.corpora.sample import SIZES, sample
from tests.cli.calls import WITHOUT_HEAVY_IMPORTS, assert_one_line


def test_sample_writes_three_files_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", str(tmp_path / "out"), "--seed", "3"]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["dev.jsonl", "test.jsonl", "train.jsonl"]
    expected = sample(seed=3)
    for name in SIZES:
        assert list(read(tmp_path / "out" / f"{name}.jsonl")) == expected[name]
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "train.jsonl: 1,500 sentences" in printed.err


def test_sample_fills_an_empty_folder_and_is_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", str(tmp_path), "--quiet"]) == 0
    assert len(list(tmp_path.iterdir())) == 3
    assert capsys.readouterr() == ("", "")


def test_sample_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["sample", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert_one_line(error)
    assert "not an empty folder" in error
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("output", ["-", "no/such/folder/out"])
def test_sample_needs_a_place_for_a_folder(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sample", output]) == 2
    assert_one_line(capsys.readouterr().err)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_sample_is_the_same_in_any_process_and_imports_nothing_heavy(hash_seed: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_HEAVY_IMPORTS, "sample", str(tmp_path / "out"), "--quiet"]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": hash_seed})
    assert list(read(tmp_path / "out" / "dev.jsonl")) == sample()["dev"]
