"""Small comforts of the command line: help that fits, examples that work, names that were nearly right, colours."""

import io
import re
import shlex
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import InputError, read
from disconer.cli import COMMANDS, GROUPS, main, parser_of, tables
from disconer.cli.parser import HelpLines
from disconer.cli.tables import print_table
from disconer.corpora import corpus_named
from disconer.exceptions import MissingExtraError
from disconer.extras import EXTRAS, check_installed, installed
from disconer.nearest import did_you_mean_path, nearest
from disconer.training.progress import Bar, Lines, Silence, watcher
from tests.cli.test_cli import GOLD, assert_one_line, in_terminal, run

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(r"^  (?:.*\| )?(disconer .*?)(?: {2,}.*| > .*)?$", re.MULTILINE)
WITHOUT = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Refuse())
from disconer.cli import main
raise SystemExit(main(sys.argv[2:]))
"""
"""Runs a command where a package is not installed."""


def failure(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Give the line that a call with something wrong ends with."""
    try:
        status = main([*map(str, arguments)])
    except SystemExit as stop:
        status = int(str(stop.code))
    error = capsys.readouterr().err
    assert status == 2
    assert_one_line(error)
    return error


def help_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_example_is_a_call_that_works(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = import_module(f"disconer.cli.{command}").__doc__ if command else parser_of().epilog
    examples = EXAMPLE.findall(str(text).partition("Examples:")[2])
    assert len(examples) > 1 or command in ("sample", "suggest")
    calls = [shlex.split(example)[1:] for example in examples]
    assert not command or command in {parser_of(*call).parse_args(call).command for call in calls}
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_into_the_terminal(
    command: str, columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = help_of(capsys, *([command] if command else [])).splitlines()
    for line in lines:
        longest = max(re.findall(r"'[^']*'|\S+", line), key=len, default="")
        assert len(line) <= columns or len(longest) > columns - 8  # what cannot be broken stays whole


def test_a_command_that_is_broken_is_still_that_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    command = """curl -s http://127.0.0.1:8000/v1/extract -d '{"texts": "Joint and back pain."}' --max-time 5"""
    shown = HelpLines("x")._fill_text(f"  {command}      and so on, for quite a while", 42, "")
    assert shlex.split(shown.replace("\\\n", " "), comments=True) == shlex.split(command)
    assert [line.strip() for line in shown.splitlines()][-1].startswith("# ")
    assert len(shown.splitlines()) > 3


def test_help_lists_every_command_once_by_what_it_works_with(capsys: pytest.CaptureFixture[str]) -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)
    text = help_of(capsys)
    for name, summary in COMMANDS.items():
        assert text.count(f"\n  {name} ") == 1
        assert summary.split()[0] in text
    assert text.index("work with a model") < text.index("\n  train ") < text.index("work with data")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["trian"], "'train'"),
        (["--versoin"], "'--version'"),
        (["predict", "run", "in.txt", "--treshold", "0.5"], "'--threshold'"),
        (["compare", "a", "b", "--ouput=x"], "'--output'"),
        (["stats", "x", "--from", "bart"], "'brat'"),
        (["stats", "x", "--from", "BRAT"], "'brat'"),
        (["train", "--device", "cdua"], "'cuda'"),
        (["train", "--model", "bioes"], "'bioe'"),
        (["corpus", "cadek", "a", "b"], "'cadec'"),
        (["check", "x", "--rules", "duplicate,blank-edges"], "'blank-edge'"),
        (["train", "--set", "epochs=5"], "'training.epochs'"),
        (["train", "--set", "mac.pairs=cnl", "--show"], "'cln'"),
    ],
)
def test_what_was_nearly_right_is_named(arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f": did you mean {meant}?" in failure(capsys, *arguments)


def test_what_is_far_from_anything_gets_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert "invalid choice: 'xml': use one of jsonl, inline, brat" in failure(
        capsys, "convert", "a", "b", "--to", "xml"
    )
    assert "there is no option '--zzz' (see disconer stats --help)" in failure(capsys, "stats", "a", "--zzz")
    with pytest.raises(InputError, match="there is no corpus 'cadek': did you mean 'cadec'"):
        corpus_named("cadek")
    with pytest.raises(InputError, match="there is no format 'brad': did you mean 'brat'"):
        read("examples/brat", "brad")


def test_what_only_looks_like_an_option_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("--a b.jsonl", "--c.jsonl"):
        (tmp_path / name).write_text(GOLD, encoding="utf-8")
    assert main(["stats", "--quiet", str(tmp_path / "--a b.jsonl"), "--", str(tmp_path / "--c.jsonl")]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_path_that_was_nearly_right_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus").mkdir()
    for name in ("train.jsonl", "dev.jsonl", ".hidden.jsonl"):
        (tmp_path / "corpus" / name).touch()
    for path, meant in {
        "corpus/trian.jsonl": "corpus/train.jsonl",
        "corpsu/dev.jsonl": "corpus/dev.jsonl",
        "corpsu/none.jsonl": "corpus",
        "Corpus": "corpus",
    }.items():
        message = f"{path}: there is no such file or folder: did you mean '{meant}'?"
        assert message in failure(capsys, "stats", path)
    assert "none.toml: there is no such file\n" in failure(capsys, "study", "none.toml")
    (tmp_path / "corpora").symlink_to("nowhere")
    assert did_you_mean_path("corpora/dev.jsonl") == ": did you mean 'corpus/dev.jsonl'?"  # itself would be no help
    for path in ("corpus/hidden.jsonl", "zzz", "corpus/dev.jsonl/x/y", "x" * 300, "a\0b", "x" * 300 + "/y"):
        assert "hidden" not in did_you_mean_path(path)
    assert "did you mean" in failure(capsys, "predict", tmp_path / "corpuss", "corpus/dev.jsonl")
    assert "did you mean" not in failure(capsys, "predict", tmp_path / "corpus" / "devv", "corpus/dev.jsonl")


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=8))
def test_the_nearest_is_one_of_those_there_are(name: str, names: list[str]) -> None:
    found = nearest(name, names)
    assert found is None or found in names
    assert not name or nearest(name, [*names, name]) in [
        other for other in [*names, name] if other.casefold() == name.casefold()
    ]


def test_names_without_end_are_not_all_compared(tmp_path: Path) -> None:
    assert nearest("x" * 100_000, ("y" * 100_000 for _ in iter(int, 1))) is None


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [
        ("fastapi", ["serve", "run"], "serve"),
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


def test_a_package_of_another_version_is_told_apart_from_a_missing_one() -> None:
    other = r"needs another version of numpy: pip install --upgrade numpy 'disconer\[report\]'"
    with pytest.raises(MissingExtraError, match=other), installed("report"):
        from numpy import no_such_thing  # type: ignore[attr-defined]  # noqa: F401, PLC0415
    deep = r"this needs deep: pip install 'disconer\[torch\]'"
    with pytest.raises(MissingExtraError, match=deep), installed("torch"):
        raise ModuleNotFoundError("some words") from ModuleNotFoundError(name="deep")
    with pytest.raises(ModuleNotFoundError, match=r"disconer\.no_such_thing"), installed("torch"):
        import_module("disconer.no_such_thing")


def test_what_is_missing_is_known_without_importing(monkeypatch: pytest.MonkeyPatch) -> None:
    check_installed("report")
    monkeypatch.setitem(EXTRAS, "report", ("numpy", "no_such_package"))
    with pytest.raises(MissingExtraError, match=r"this needs no_such_package: pip install 'disconer\[report\]'"):
        check_installed("report")


def test_what_nobody_expected_asks_for_a_report_and_tells_no_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(_: object) -> None:
        raise KeyError("the patient's own words")

    monkeypatch.setattr("disconer.cli.sample.run", failing)
    with pytest.raises(KeyError):  # as tests want to see it
        main(["sample", "x"])
    monkeypatch.delenv("DISCONER_TRACEBACK")
    assert main(["sample", "x"]) == 1
    error = capsys.readouterr().err
    assert_one_line(error)
    assert re.search(r"KeyError at disconer/cli/__init__\.py:\d+", error)
    assert "disconer --version" in error
    assert "patient" not in error

    def stopped(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("disconer.cli.sample.run", stopped)
    assert main(["sample", "x"]) == 1
    assert capsys.readouterr().err == "disconer: error: interrupted\n"


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


@pytest.mark.parametrize(("term", "is_live"), [("xterm", True), ("dumb", False), ("unknown", False)])
def test_only_a_terminal_that_can_move_its_cursor_gets_a_bar(
    term: str, is_live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", term)
    assert isinstance(watcher(), Bar if is_live else Lines)
    assert isinstance(watcher(quiet=True), Silence)


@pytest.mark.parametrize(("columns", "has_bar"), [("40", False), ("80", True)])
def test_a_bar_leaves_out_what_there_is_no_room_for(
    columns: str, has_bar: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert list(Bar().epoch("seed 0, epoch 1 of 8", [[1, 2], [3]], 4)) == [[1, 2], [3]]
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().err)
    assert ("━" in shown) == has_bar
    assert re.search(r"seed 0, epoch 1 of 8 .*2/2 .*\d+ s left", shown)


COLUMNS = ("P", "R", "F1", "gold", "predicted", "corpora/of/others/test.jsonl")
SECTIONS = {
    "discontinuous, by interval length": [["a_label_that_is_one_long_word", *["100.0"] * 3, "1,234", "12,345", "1"]],
    "scope": [["sentences with a discontinuous mention", *["9.9"] * 3, "2", "3", "123,456"], ["頭痛", *"123456"]],
}


@pytest.mark.parametrize("columns", [*range(30, 121, 7), None])
def test_tables_show_everything_in_any_terminal(
    columns: int | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tables, "terminal_width", lambda: columns)
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
