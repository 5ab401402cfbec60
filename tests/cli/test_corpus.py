import json
import subprocess
import sys
from pathlib import Path

import pytest

from disconer.cli import main
from disconer.corpora import NAMES
from tests.cli.calls import WITHOUT_HEAVY_IMPORTS
from tests.corpora.downloads import zip_of

FILES = {
    name: content
    for number in range(20)
    for name, content in (
        (f"cadec/text/Z.{number}.txt", "Severe joint and hip pain. No\nrash."),
        (f"cadec/original/Z.{number}.ann", "T1\tADR 0 12;21 25\tSevere joint pain\nT2\tADR 17 35\tx\n"),
    )
}


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    return zip_of(tmp_path / "CADEC.v2.zip", FILES)


def test_writes_the_splits_and_says_what_became_of_everything(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", "cadec", str(raw), str(tmp_path / "out"), "--json", str(tmp_path / "figures.json")]) == 0
    printed, told = capsys.readouterr()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["dev.jsonl", "test.jsonl", "train.jsonl"]
    assert "against Wang et al. 2021" in printed
    assert "mentions, all" in printed
    assert "skipped: cross-sentence (20)" in told
    assert "cross-sentence: document" not in told
    assert "these figures differ from Wang et al. 2021: sentences (all), mentions (all), discontinuous (all)" in told
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["corpus"] == "cadec"
    assert figures["splits"]["train"]["mentions"] == 14
    assert figures["skipped"] == {"cross-sentence": 20}
    assert {"split": "all", "figure": "mentions", "published": 6318, "found": 20} in figures["published"]


def test_verbose_lists_every_single_one(raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "cadec", str(raw), str(tmp_path / "out"), "--quiet", "--verbose"]) == 0
    printed, told = capsys.readouterr()
    assert printed == ""
    assert told.count("skipped: cross-sentence: document Z.") == 20
    assert "skipped: cross-sentence: document Z.7 ADR 17-35" in told


def test_documents_may_stay_whole(raw: Path, tmp_path: Path) -> None:
    assert main(["corpus", "cadec", str(raw), str(tmp_path / "out"), "--quiet", "--documents"]) == 0
    lines = (tmp_path / "out" / "train.jsonl").read_text().splitlines()
    assert len(lines) == 14
    assert all(len(json.loads(line)["entities"]) == 2 for line in lines)


def test_nothing_heavy_is_imported(raw: Path, tmp_path: Path) -> None:
    for arguments in (["--list"], ["cadec", str(raw), str(tmp_path / "out")]):
        command = [sys.executable, "-c", WITHOUT_HEAVY_IMPORTS, "corpus", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_list_names_every_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "--list"]) == 0
    printed = capsys.readouterr().out
    assert [line.partition(":")[0] for line in printed.splitlines() if not line.startswith(" ") and line] == list(NAMES)
    assert printed.count("licence") >= len(NAMES)


def test_nothing_is_written_when_the_figures_cannot_be(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", "cadec", str(raw), str(tmp_path / "out"), "--json", str(tmp_path / "no" / "f.json")]) == 2
    assert "no such folder to write into" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["CADEC.v2.zip"]


def test_what_cannot_be_read_is_not_blamed_on_the_output(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw.write_bytes(raw.read_bytes()[:2000])
    assert main(["corpus", "cadec", str(raw), str(tmp_path / "out")]) == 2
    assert "CADEC.v2.zip: this archive is broken" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["corpus", "cadec", "raw", "out", "--types", ","], "--types names no label"),
        (["corpus", "cadec", "raw", "out", "--language", "EN"], "cadec has but one language"),
        (["corpus"], "name a corpus, its download and an output folder, or ask for --list"),
        (["corpus", "cadec", "raw"], "name a corpus, its download and an output folder"),
        (["corpus", "cadec", "no.zip", "out"], "no.zip: there is no such file or folder"),
        (["corpus", "cadec", "no.zip", "-"], "cannot be written to standard output"),
    ],
)
def test_wrong_calls_are_one_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())
