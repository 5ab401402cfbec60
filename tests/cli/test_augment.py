"""The command that shows what training makes of a corpus' own mentions."""

import subprocess
import sys
from pathlib import Path

import pytest

from disconer import read, write
from disconer.cli import main
from disconer.corpora.sample import sample
from disconer.training.coordinations import Coordinator
from tests.cli.calls import WITHOUT_HEAVY_IMPORTS, failure


@pytest.fixture
def train(tmp_path: Path) -> Path:
    write(sample()["train"][:200], tmp_path / "train.jsonl")
    return tmp_path / "train.jsonl"


def test_augment_writes_what_an_epoch_of_training_makes(
    train: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["augment", str(train), "--seed", "3", "--epoch", "2", "-o", str(tmp_path / "made.jsonl")]) == 0
    coordinator = Coordinator(sentence for document in read(train) for sentence in document.sentences)
    expected = coordinator.draw_for_epoch(3.0, 3, 2)
    assert list(read(tmp_path / "made.jsonl")) == expected
    said = f"{len(expected):,} coordinations made; {coordinator.gapped:,} sentences have a discontinuous mention\n"
    assert capsys.readouterr() == ("", said)


def test_augment_draws_and_imports_nothing_heavy(train: Path) -> None:
    command = [
        sys.executable,
        "-c",
        WITHOUT_HEAVY_IMPORTS,
        "augment",
        str(train),
        "--share",
        "0.5",
        "--draw",
        "--quiet",
    ]
    printed = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "┄" in printed.stdout
    assert printed.stderr == ""


@pytest.mark.parametrize("share", ["-1", "many", "nan", "inf"])
def test_a_share_is_a_number(share: str, train: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is not a number from 0 on" in failure(capsys, "augment", train, f"--share={share}")
