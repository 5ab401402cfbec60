"""Completion: what shells offer when Tab is pressed is what the parsers take."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from itertools import count, takewhile
from pathlib import Path
from shlex import quote

import pytest
from argcomplete.finders import CompletionFinder

from disconer.checking import RULES
from disconer.cli import COMMANDS, build_parser, main
from disconer.cli.completion import SHELLS, ValueCompleter

CASES = {
    "disconer conv": ["convert"],
    "disconer --ver": ["--version"],
    "disconer train --mod": ["--model"],
    "disconer train --model b": ["bioe"],
    "disconer predict run/ in.txt --to bioc": ["bioc", "bioc-json"],
    "disconer predict --device c": ["cpu", "cuda"],
    "disconer corpus c": ["cadec", "chia", "craft"],
    "disconer corpus --types A,B sh": ["share13", "share14"],
    "disconer completion z": ["zsh"],
    "disconer train --set training.sc": ["training.schedule=constant", "training.schedule=linear"],
    "disconer train --set training.epo": ["training.epochs="],
    "disconer check --rules blank-edge,dup": ["blank-edge,duplicate"],
    "disconer train --config pa": ["paper"],
    "disconer train --threads ": [],
    "disconer stats --no-such": [],
}
"""What is typed, and what is offered for it."""


def write_script(shell: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    assert main(["completion", shell]) == 0
    path = folder / f"script.{shell}"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with something to complete; shells find the disconer of these tests."""
    (tmp_path / "runs" / "mac").mkdir(parents=True)
    (tmp_path / "my data").mkdir()
    (tmp_path / "my data" / "train.jsonl").touch()
    (tmp_path / "rumours.txt").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def complete(line: str) -> list[str]:
    """List what is offered for a line, as any shell is told it."""
    finder = CompletionFinder(
        build_parser(*line.split()),
        always_complete_options=False,
        append_space=False,
        default_completer=ValueCompleter(),
    )
    typed = line.removeprefix("disconer ")
    start = typed[: typed.rfind(" ") + 1]
    offers = takewhile(lambda offer: offer is not None, (finder.rl_complete(typed, number) for number in count()))
    return sorted(str(offer).removeprefix(start) for offer in offers)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_of_the_shell(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run([shell, "-n", str(write_script(shell, tmp_path, capsys))], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("line", CASES)
def test_what_fits_is_offered(line: str, folder: Path) -> None:
    assert complete(line) == CASES[line]


def test_all_that_the_parsers_take_is_offered(folder: Path) -> None:
    assert complete("disconer ") == sorted(COMMANDS)
    assert complete("disconer -") == ["--help", "--version", "-h"]
    for name in COMMANDS:
        options = parser_of_command(name)._option_string_actions
        assert complete(f"disconer {name} -") == sorted(options)
        for option, action in options.items():
            if action.choices is not None:
                assert complete(f"disconer {name} {option} ") == sorted(action.choices)
    assert {"--train", "--set", "--init"} <= set(complete("disconer train --"))
    assert complete("disconer convert --from ") == sorted(["text", *complete("disconer convert --to ")])
    assert complete("disconer check --rules ") == complete("disconer check --skip ") == sorted(RULES)
    assert {"training.epochs=", "mac.pairs=cln"} <= set(complete("disconer train --set "))


def parser_of_command(name: str) -> ArgumentParser:
    parser = build_parser(name)
    commands = next(action for action in parser._actions if action.dest == "command").choices
    return commands[name]  # type: ignore[index, no-any-return]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("disconer train --set scheme.tags=o", ["scheme.tags=one"]),
        ("disconer predict r", ["runs/"]),
        ("disconer predict runs/mac r", ["rumours.txt", "runs/"]),
        ("disconer predict --threshold 0.5 runs/mac -o out.jsonl r", ["rumours.txt", "runs/"]),
        ("disconer predict --no-such runs/mac r", ["rumours.txt", "runs/"]),
        ("disconer predict runs/mac in.txt r", []),
        ("disconer stats a b c r", ["rumours.txt", "runs/"]),
        ("disconer serve old=r", ["old=runs/"]),
        ("disconer compare Mac=r", ["Mac=rumours.txt", "Mac=runs/"]),
        ("disconer train --encoder m", ["minilm", r"my\ data/"]),
        ("disconer train --encoder elmo:r", ["elmo:runs/"]),
        ("disconer train --config rum", ["rumours.txt"]),
        ("disconer train --dev r", ["rumours.txt", "runs/"]),
        ("disconer train --epochs ", []),
        ("disconer corpus r", []),
        ("disconer corpus cadec r", ["rumours.txt", "runs/"]),
        ("disconer corpus cadec runs r", ["rumours.txt", "runs/"]),
    ],
)
def test_files_are_offered_where_files_are_expected(line: str, offered: list[str], folder: Path) -> None:
    assert complete(line) == offered


def test_fish_offers_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = {
        **CASES,
        "disconer predict r": ["runs/"],
        "disconer predict runs/mac r": ["rumours.txt", "runs/"],
        "disconer compare Mac=runs/": ["Mac=runs/mac/"],
        "disconer train --config rum": ["rumours.txt"],
        "cat rumours.txt | disconer predict run": ["runs/"],
        "disconer stats ~/ru": ["~/rumours.txt", "~/runs/"],
        "disconer stats --json=rum": ["--json=rumours.txt"],
    }
    code = [f"source {quote(str(write_script('fish', folder, capsys)))}", "set -l lines " + " ".join(map(quote, lines))]
    code += ["for line in $lines", "printf '%s\\t' (complete -C $line | string replace -r '\\t.*' '')", "echo", "end"]
    command = ["fish", "--no-config", "-c", "\n".join(code)]
    environment = os.environ | {"XDG_CONFIG_HOME": str(folder / "home")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found = [sorted(filter(None, line.split("\t"))) for line in done.stdout.split("\n")[:-1]]
    assert dict(zip(lines, found, strict=True)) == lines


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_tab_in_a_real_shell(shell: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = quote(str(write_script(shell, folder, capsys)))
    start = {
        "bash": (["bash", "--norc", "--noprofile", "-i"], f"bind 'set enable-bracketed-paste off'; source {path}"),
        "zsh": (
            ["zsh", "-f", "-i"],
            f"unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D; source {path}",
        ),
    }
    with Terminal(*start[shell], folder) as terminal:
        assert terminal.completed("disconer conv", "convert ")
        assert terminal.completed("disconer train --model=b", "--model=bioe ")
        assert terminal.completed("disconer train --set training.epo", "training.epochs=")
        assert terminal.completed("disconer train --set scheme.tags=o", "scheme.tags=one ")
        assert terminal.completed("disconer predict run", "runs/")
        assert terminal.completed("disconer predict runs/mac my\\ data/tr", "my\\ data/train.jsonl ")
        assert terminal.completed("disconer compare Mac=run", "Mac=runs/")
        assert terminal.completed("disconer train --encoder elmo:run", "elmo:runs/")
        assert terminal.completed("disconer stats --json=rum", "--json=rumours.txt ")
        assert terminal.completed("disconer predict ~/run", "~/runs/")
        assert terminal.completed("disconer predict $PWD/run", "$PWD/runs/")
        assert terminal.completed("cat rumours.txt | disconer predict run", "runs/")


class Terminal:
    """A shell that somebody types into."""

    def __init__(self, command: list[str], setup: str, folder: Path) -> None:
        self.screen, theirs = pty.openpty()
        environment = os.environ | {"TERM": "xterm", "HOME": str(folder), "COLUMNS": "200"}
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment, start_new_session=True
        )
        os.close(theirs)
        assert self._shows(f"{setup}; PS1=; echo rea''dy\r", "ready")

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.screen)

    def completed(self, line: str, end: str) -> bool:
        """Type a line and Tab, see whether it ends so, and delete it."""
        found = self._shows(f"{line}\t", end)
        os.write(self.screen, b"\x15")
        return found

    def _shows(self, typed: str, expected: str, seconds: float = 60) -> bool:
        os.write(self.screen, typed.encode())
        shown, until = b"", time.monotonic() + seconds
        while time.monotonic() < until:
            if select.select([self.screen], [], [], 0.05)[0]:
                shown += os.read(self.screen, 65536)
            if expected in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x07|.\x08", "", shown.decode(errors="ignore")):
                return True
        return False
