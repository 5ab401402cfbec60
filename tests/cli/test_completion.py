"""Completion: what shells offer when Tab is pressed is what the parsers take."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

import pytest

from disconer.cli import COMMANDS, main
from disconer.cli.completion import SHELLS
from disconer.cli.completion.grammar import Place, grammar

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


def script(shell: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    assert main(["completion", shell]) == 0
    path = folder / f"script.{shell}"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with something to complete."""
    (tmp_path / "runs" / "mac").mkdir(parents=True)
    (tmp_path / "my data").mkdir()
    (tmp_path / "my data" / "train.jsonl").touch()
    (tmp_path / "rumours.txt").touch()
    return tmp_path


def offered_by_bash(path: Path, lines: Sequence[str]) -> list[list[str]]:
    """Call the function that bash calls, with the words as bash splits them; tell which paths it wants of readline."""
    calls = ['compopt() { COMPREPLY+=("$*"); }', f"source {quote(str(path))}"]
    for line in lines:
        words = [part for word in line.split(" ") for part in re.split("([=:])", word) if part or not word]
        calls += [f"COMP_WORDS=({' '.join(map(quote, words))}) COMP_CWORD={len(words) - 1}", "_disconer"]
        calls += ["printf '%s\\t' \"${COMPREPLY[@]}\"", "echo"]
    command = ["bash", "--norc", "-c", "\n".join(calls)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [[word for word in line.split("\t") if word] for line in printed.split("\n")[:-1]]


def words_of(offered: Sequence[str]) -> list[str]:
    return sorted(word for word in offered if not word.startswith(("-o ", "+o ")))


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_of_the_shell(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run([shell, "-n", str(script(shell, tmp_path, capsys))], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_bash_offers_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = offered_by_bash(script("bash", tmp_path, capsys), list(CASES))
    assert dict(zip(CASES, map(words_of, found), strict=True)) == CASES


def test_bash_offers_all_that_the_parsers_take(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = {"disconer ": sorted([*COMMANDS, "--help", "--version"])}
    for command in grammar():
        names = [name for option in command.options for name in option.names if name.startswith("--")]
        expected[f"disconer {command.name} --"] = sorted(names)
        for option in command.options:
            if option.words:
                expected[f"disconer {command.name} {option.names[-1]} "] = sorted(option.words)
    found = offered_by_bash(script("bash", tmp_path, capsys), list(expected))
    assert dict(zip(expected, map(words_of, found), strict=True)) == expected
    assert {"--train", "--set", "--init"} <= set(expected["disconer train --"])
    assert expected["disconer convert --from "] == sorted(["text", *expected["disconer convert --to "]])


@pytest.mark.parametrize(
    ("line", "words", "place"),
    [
        ("disconer train --model=b", ["bioe"], Place.NONE),
        ("disconer train --set scheme.tags=o", ["one"], Place.NONE),
        ("disconer predict r", [], Place.FOLDERS),
        ("disconer predict runs/mac r", [], Place.FILES),
        ("disconer predict --threshold 0.5 runs/mac -o out.jsonl r", [], Place.FILES),
        ("disconer predict runs/mac in.txt r", [], Place.NONE),
        ("disconer stats a b c r", [], Place.FILES),
        ("disconer serve old=r", [], Place.FOLDERS),
        ("disconer compare Mac=r", [], Place.FILES),
        ("disconer train --encoder m", ["minilm"], Place.FOLDERS),
        ("disconer train --encoder elmo:r", [], Place.FOLDERS),
        ("disconer stats --json=r", [], Place.FILES),
        ("disconer train --epochs ", [], Place.NONE),
    ],
)
def test_bash_offers_files_where_files_are_expected(
    line: str, words: list[str], place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (offered,) = offered_by_bash(script("bash", tmp_path, capsys), [line])
    assert words_of(offered) == words
    assert ("+o default" not in offered) == (place is Place.FILES)
    assert ("-o dirnames" in offered) == (place is Place.FOLDERS)


def test_fish_offers_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = {
        **CASES,
        "disconer predict r": ["runs/"],
        "disconer predict runs/mac r": ["rumours.txt", "runs/"],
        "disconer compare Mac=runs/": ["Mac=runs/mac/"],
        "disconer train --config rum": ["rumours.txt"],
    }
    code = [f"source {quote(str(script('fish', folder, capsys)))}", "set -l lines " + " ".join(map(quote, lines))]
    code += ["for line in $lines", "printf '%s\\t' (complete -C $line | string replace -r '\\t.*' '')", "echo", "end"]
    command = ["fish", "--no-config", "-c", "\n".join(code)]
    environment = os.environ | {"HOME": str(folder / "home"), "XDG_CONFIG_HOME": str(folder / "home")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, env=environment)
    found = [sorted(filter(None, line.split("\t"))) for line in done.stdout.split("\n")[:-1]]
    assert dict(zip(lines, found, strict=True)) == lines


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_tab_in_a_real_shell(shell: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = quote(str(script(shell, folder, capsys)))
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

    def _shows(self, typed: str, expected: str, seconds: float = 20) -> bool:
        os.write(self.screen, typed.encode())
        shown, until = b"", time.monotonic() + seconds
        while time.monotonic() < until:
            if select.select([self.screen], [], [], 0.05)[0]:
                shown += os.read(self.screen, 65536)
            if expected in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x07|.\x08", "", shown.decode(errors="ignore")):
                return True
        return False
