"""Tables and drawings: in any terminal, in files and in pipes."""

import re
from pathlib import Path

import pytest

from disconer.cli import tables
from disconer.cli.tables import print_table
from tests.cli.calls import GOLD, in_terminal, run


def test_colours_are_left_out_where_nobody_wants_them(gold: Path) -> None:
    assert "\x1b[1m" in in_terminal(80, "stats", gold)
    assert "\x1b" not in run("stats", gold).stdout


def test_figures_stay_whole_in_a_narrow_terminal(gold: Path) -> None:
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in in_terminal(50, "score", gold, gold).splitlines()]
    assert max(map(len, lines)) <= 50
    assert any(line.split()[-3:] == ["100.0", "100.0", "100.0"] for line in lines)
    assert any(line.split()[-3:] == ["gold", "predicted", "correct"] for line in lines)
    assert any(line.split()[-3:] == ["1", "1", "1"] for line in lines)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    gold.write_text(GOLD, encoding="utf-8")
    predicted.write_text(GOLD.replace("[0, 9]", "[0, 3]"), encoding="utf-8")
    return gold, predicted


def test_colours_are_for_terminals_that_want_them(files: tuple[Path, Path]) -> None:
    call = ("score", *files, "--errors")
    coloured = in_terminal(80, *call)
    assert re.search(r"\x1b\[\d+m╰", coloured)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert "missed ADR" in plain  # which colours only repeat
    assert in_terminal(80, *call, TERM="dumb") == plain
    assert in_terminal(80, *call, NO_COLOR="1", FORCE_COLOR="1") == plain
    forced = run(*call, FORCE_COLOR="1", TERM="xterm").stdout
    piped = run(*call, FORCE_COLOR="").stdout
    assert "\x1b[" in forced
    assert re.sub(r"\x1b\[[0-9;]*m", "", forced) == piped


COLUMNS = ("P", "R", "F1", "gold", "predicted", "corpora/of/others/test.jsonl")


SECTIONS = {
    "discontinuous, by interval length": [["a_label_that_is_one_long_word", *["100.0"] * 3, "1,234", "12,345", "1"]],
    "scope": [["sentences with a discontinuous mention", *["9.9"] * 3, "2", "3", "123,456"], ["頭痛", *"123456"]],
}


@pytest.mark.parametrize("columns", [*range(30, 121, 7), None])
def test_tables_show_everything_in_any_terminal(
    columns: int | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tables, "get_terminal_width", lambda: columns)
    print_table(COLUMNS, SECTIONS)
    lines = capsys.readouterr().out.splitlines()
    words = [word for line in lines for word in line.split()]
    for figure in ("100.0", "9.9", "1,234", "12,345", "123,456", *"123456"):
        assert figure in words
    assert {"P", "R", "F1", "gold", "predicted"} <= set(words)
    assert "…" not in "".join(words)
    assert columns is None or max(map(len, lines)) <= columns
    assert {"corpora/of/", "others/", "test.jsonl"} <= set(words) or "corpora/of/others/test.jsonl" in words
    assert (sum("─" in line for line in lines) == 1) == (columns is None or columns > 70)


def test_what_is_piped_does_not_depend_on_the_terminal(files: tuple[Path, Path]) -> None:
    narrow, wide = (in_terminal(columns, "score", *files, through="cat") for columns in (40, 120))
    assert narrow == wide == run("score", *files).stdout
