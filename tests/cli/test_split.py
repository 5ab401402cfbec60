"""The command that divides annotated data."""

import json
import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import read
from disconer.cli import main
from disconer.corpora.splits import SHARES, deal_groups
from tests.cli.calls import assert_one_line
from tests.documentation.blocks import ROOT


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    """Sentences of 40 documents of 20 patients, cut as `disconer corpus` cuts them."""
    ids = [f"p{number // 2}-note{number}:{start}-{start + 9}" for number in range(40) for start in (0, 10, 20)]
    lines = [
        json.dumps({"id": one, "text": f"Pain {one}", "entities": [{"label": "A", "spans": [[0, 4]]}]}) for one in ids
    ]
    path = tmp_path / "all.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def divide(data: Path, out: Path, *options: str) -> dict[str, list[str]]:
    assert main(["split", str(data), str(out), "--quiet", *options]) == 0
    return {path.stem: [str(document.id) for document in read(path)] for path in sorted(out.iterdir())}


def groups_of(divided: dict[str, list[str]], pattern: str) -> dict[str, set[str]]:
    found = {}
    for split, ids in divided.items():
        matches = [re.match(pattern, one) for one in ids]
        found[split] = {match[0] for match in matches if match}
    return found


@pytest.mark.parametrize(
    ("options", "pattern", "sizes"),
    [
        ([], r"p\d+-note\d+", {"train": 28, "dev": 6, "test": 6}),
        (["--by", r"^p\d+"], r"p\d+", {"train": 14, "dev": 3, "test": 3}),
        (["--by", r"^p\d+", "--shares", "80,20"], r"p\d+", {"train": 16, "dev": 4}),
    ],
)
def test_what_belongs_together_stays_together(
    sentences: Path, tmp_path: Path, options: list[str], pattern: str, sizes: dict[str, int]
) -> None:
    divided = divide(sentences, tmp_path / "out", *options)
    assert sorted(one for ids in divided.values() for one in ids) == sorted(str(one.id) for one in read(sentences))
    groups = groups_of(divided, pattern)
    assert {split: len(own) for split, own in groups.items()} == sizes
    assert not any(one & other for one, other in combinations(groups.values(), 2))


def test_the_seed_decides_and_nothing_else_does(sentences: Path, tmp_path: Path) -> None:
    first = divide(sentences, tmp_path / "first", "--seed", "7")
    shuffled = tmp_path / "shuffled.jsonl"
    lines = [line.replace('"A"', '"B"') for line in sentences.read_text().splitlines()]
    shuffled.write_text("\n".join(reversed(lines)))
    again = divide(shuffled, tmp_path / "again", "--seed", "7")
    assert {split: set(ids) for split, ids in first.items()} == {split: set(ids) for split, ids in again.items()}
    assert divide(sentences, tmp_path / "other", "--seed", "8") != first


@given(st.sets(st.text(min_size=1), min_size=20), st.integers(0, 3))
def test_every_group_goes_somewhere_and_shares_are_kept(groups: set[str], seed: int) -> None:
    dealt = deal_groups(groups, SHARES, seed)
    assert dealt.keys() == groups
    for split, share in SHARES.items():
        assert abs(sum(own == split for own in dealt.values()) - len(groups) * share / 100) <= 1


def test_documents_keep_all_that_they_had_in_any_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = ROOT / "examples" / "brat"
    assert main(["split", str(source), str(tmp_path / "out"), "--to", "brat", "--json", str(tmp_path / "s.json")]) == 0
    for split in SHARES:
        for path in (tmp_path / "out" / split).glob("*.ann"):
            assert path.read_text() == (source / path.name).read_text()
    figures = json.loads((tmp_path / "s.json").read_text())["splits"]
    assert sum(own["mentions"] for own in figures.values()) == sum(map(len, read(source)))
    printed = capsys.readouterr()
    assert printed.out.split()[:3] == ["train", "dev", "test"]
    assert "wrote" in printed.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "^x"], "--by matches nothing in the id of document 1, 'p0-note0:0-9'"),
        (["--by", "("], "--by is neither document nor a regular expression"),
        (["--by", "p"], "1 group of documents are too few for these shares"),
    ],
)
def test_what_cannot_be_divided_is_a_line(
    sentences: Path, tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["split", str(sentences), str(tmp_path / "out"), *options]) == 2
    error = capsys.readouterr().err
    assert_one_line(error)
    assert message in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("shares", ["70,20", "a,b", "100,0", "25,25,25,25", "1e2,0"])
def test_shares_must_make_a_whole(
    sentences: Path, tmp_path: Path, shares: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["split", str(sentences), str(tmp_path / "out"), "--shares", shares])
    assert "two or three whole numbers that make 100" in capsys.readouterr().err


def test_a_folder_with_something_in_it_is_left_alone(
    sentences: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["split", str(sentences), str(tmp_path)]) == 2
    assert_one_line(capsys.readouterr().err)
    assert main(["split", str(sentences), "-"]) == 2
    assert "name a folder" in capsys.readouterr().err
