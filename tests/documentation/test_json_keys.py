"""The page of JSON keys has exactly the keys that commands write."""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from disconer.cli import main
from disconer.formats import read, write
from tests.corpora.downloads import folder_of
from tests.documentation.blocks import ROOT

PAGE = (ROOT / "docs" / "reference" / "json-keys.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE))
COMMANDS = {
    "`score --json` and `evaluate --json`": (
        "score test.jsonl test.jsonl --errors", "evaluate run test.jsonl --errors --threads 1"
    ),
    "`stats --json`": ("stats train.jsonl",),
    "`check --json`": ("check examples/brat examples/predictions.jsonl",),
    "`split --json`": ("split train.jsonl divided",),
    "`models --json`": ("models",),
    "`corpus --json`": ("corpus cadec download corpus",),
    "`compare --json`, and a study's `report.json`": (
        "compare Mine=run Gold=few.jsonl --data few.jsonl -o report.html --threads 1",
    ),
}  # fmt: skip
BY_DATA = {
    "files", "labels", "overlap", "interval", "span", "fragments", "counts", "errors", "skipped", "changed",
    "other_types", "systems", "significance", "tables", "mean", "deviation",
}  # fmt: skip
"""What holds something under names that come from the data."""
ELSEWHERE = {"statistics", "splits", "scores", "values"}
"""What another section describes, or a table's own columns."""
DOWNLOAD = {
    "cadec/text/ZORVA.1.txt": "Severe joint and hip pain.",
    "cadec/original/ZORVA.1.ann": "T1\tADR 0 12;21 25\tSevere joint pain\nT2\tDrug somewhere\t\n",
}


def written(value: Any, is_by_data: bool = False) -> Iterator[str]:
    """Collect the names of keys that the program chose."""
    if isinstance(value, list):
        for one in value:
            yield from written(one)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from () if is_by_data else (name,)
            if name not in ELSEWHERE:
                yield from written(inner, not is_by_data and name in BY_DATA)


def check(section: str, values: list[Any]) -> None:
    """Compare a section with what was written."""
    keys = {name for value in values for name in written(value)}
    first_columns = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    promised = {name for column in first_columns for name in re.findall(r"`([^`]+)`", column)}
    assert promised - keys == set()
    assert keys - set(re.findall(r"`([^`]+)`", section)) == set()


@pytest.mark.parametrize("title", COMMANDS)
def test_keys_are_those_of_the_page(title: str, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shutil.copytree(scratch, tmp_path / "page")
    folder_of(folder / "download", DOWNLOAD)
    write(islice(read(folder / "test.jsonl"), 3), folder / "few.jsonl")
    monkeypatch.chdir(folder)
    values = []
    for command in COMMANDS[title]:
        assert main([*shlex.split(command), "--quiet", "--json", "keys.json"]) == 0
        values.append(json.loads(Path("keys.json").read_text(encoding="utf-8")))
    check(SECTIONS[title], values)


def test_metrics_are_those_of_the_page(scratch: Path) -> None:
    lines = (scratch / "run" / "seed-0" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    check(SECTIONS["`metrics.jsonl`"], list(map(json.loads, lines)))


def test_suggestions_are_those_of_the_page(scratch: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.jsonl"
    assert main(["suggest", str(scratch / "run"), str(scratch / "test.jsonl"), "-o", str(chosen), "--quiet"]) == 0
    lines = chosen.read_text(encoding="utf-8").splitlines()
    check(SECTIONS["`suggest`"], [json.loads(line)["suggestion"] for line in lines])


def test_every_section_is_checked() -> None:
    assert SECTIONS.keys() == {*COMMANDS, "`metrics.jsonl`", "`suggest`"}
