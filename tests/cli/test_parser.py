"""Help and the errors of calls: examples that work, lines that fit, and what somebody may have meant."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from disconer import InputError, read
from disconer.cli import COMMANDS, GROUPS, build_parser, main
from disconer.cli.parser import HelpLines
from disconer.corpora import find_corpus
from disconer.foundation.nearest import did_you_mean_path
from tests.cli.calls import GOLD, failure

EXAMPLE = re.compile(r"^  (?:.*\| )?(disconer .*?)(?: {2,}.*| > .*)?$", re.MULTILINE)


def help_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_example_is_a_call_that_works(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = import_module(f"disconer.cli.{command}").__doc__ if command else build_parser().epilog
    examples = EXAMPLE.findall(str(text).partition("Examples:")[2])
    assert len(examples) > 1 or command in ("sample", "suggest")
    calls = [shlex.split(example)[1:] for example in examples]
    assert not command or command in {build_parser(*call).parse_args(call).command for call in calls}
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
        find_corpus("cadek")
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


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "in.txt", "--draw", "--threads", "2"],
        ["run", "--draw", "in.txt", "--threads", "2"],
        ["run", "--draw", "--threads", "2", "in.txt"],
        ["--draw", "run", "--threads", "2", "in.txt"],
        ["--draw", "--threads", "2", "run", "in.txt"],
        ["--threads", "2", "run", "in.txt", "--draw"],
    ],
)
def test_options_may_stand_anywhere(arguments: list[str]) -> None:
    call = ["predict", *arguments]
    parsed = build_parser(*call).parse_args(call)
    assert (parsed.model, str(parsed.input), parsed.draw, parsed.threads) == ("run", "in.txt", True, 2)
    corpus = ["corpus", "chia", "--types", "Drug", "raw", "--quiet", "out"]
    parsed = build_parser(*corpus).parse_args(corpus)
    assert (parsed.name, str(parsed.raw), str(parsed.output), parsed.types) == ("chia", "raw", "out", "Drug")
    text = ["predict", "run", "--text", "Pain.", "-o", "out"]
    assert build_parser(*text).parse_args(text).input is None
