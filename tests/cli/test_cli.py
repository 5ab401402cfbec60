"""The command line as other programs and people call it, in a process of its own where that matters."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from disconer.cli import COMMANDS, main
from tests.cli.calls import GOLD, WITHOUT_HEAVY_IMPORTS, assert_one_line, run


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["completion", "bash"],
        ["stats", "{gold}"],
        ["score", "{gold}", "{gold}"],
        ["convert", "{gold}", "-"],
        ["stats", "--help"],
        ["serve", "--help"],
    ],
)  # fmt: skip
def test_no_command_imports_anything_heavy(gold: Path, arguments: list[str]) -> None:
    filled = [argument.format(gold=gold) for argument in arguments]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_HEAVY_IMPORTS, *filled], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([command, "--help"])
    assert exit_.value.code == 0
    assert f"disconer {command} " in capsys.readouterr().out.split("Examples:")[1]


def test_quiet_prints_nothing(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(gold), str(gold), "--quiet", "--json", str(tmp_path / "s.json")]) == 0
    assert main(["convert", str(gold), str(tmp_path / "out"), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


BAD_INPUT = {
    "invalid UTF-8": b'{"text": "caf\xe9"}\n',
    "not JSON": b"{]\n",
    "offsets outside": b'{"text": "abc", "entities": [{"label": "X", "spans": [[1, 9]]}]}\n',
    "reversed fragment": b'{"text": "abc", "entities": [{"label": "X", "spans": [[2, 1]]}]}\n',
    "overlapping fragments": b'{"text": "abc", "entities": [{"label": "X", "spans": [[0, 2], [1, 3]]}]}\n',
}


@pytest.mark.parametrize("kind", BAD_INPUT)
@pytest.mark.parametrize("command", ["convert", "stats", "score"])
def test_bad_input_is_one_line_with_its_place_and_status_two(tmp_path: Path, command: str, kind: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'{"text": "fine"}\n' + BAD_INPUT[kind])
    arguments = {"convert": [path, tmp_path / "out.jsonl"], "stats": [path], "score": [path, path]}[command]
    done = run(command, *arguments, *(["--json", tmp_path / "out.jsonl"] if command != "convert" else []))
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert f"{path}:2: " in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["stats"],
        ["stats", "--no-such-flag", "x"],
        ["stats", "no-such-file.jsonl"],
        ["stats", "x", "--split", "sometimes"],
        ["stats", "x", "--scheme", "magic"],
        ["convert", "x.jsonl", "y.jsonl", "--to", "xml"],
        ["convert", "no-such-file.jsonl", "y.jsonl"],
        ["score", "only-one.jsonl"],
        ["stats", "--no\nsuch", "x"],
        ["stats", ""],
        ["score", "-", "-"],
        ["stats", "x" * 300],
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert done.stdout == ""


def test_without_a_command_there_is_help() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("--help").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_is_one_line_and_status_one(gold: Path) -> None:
    for arguments in (["convert", gold, "/dev/full", "--to", "jsonl"], ["stats", gold, "--json", "/dev/full"]):
        done = run(*arguments)
        assert done.returncode == 1
        assert_one_line(done.stderr)
        assert "No space left on device" in done.stderr
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "disconer", "stats", str(gold)]
        stopped = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert stopped.returncode == 1
    assert stopped.stderr == "disconer: error: standard output: No space left on device\n"


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(GOLD.replace('"1"', "null") * 20_000, encoding="utf-8")
    command = [sys.executable, "-m", "disconer", "convert", str(path), "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_labels_cannot_move_the_cursor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "entities": [{"label": "\\u001b[31mX\\nY", "spans": [[0, 1]]}]}\n', encoding="utf-8")
    assert main(["stats", str(path)]) == 0
    assert "\\x1b[31mX\\nY" in capsys.readouterr().out
    path.write_text('{"text": "a", "brat": {"\\u001b[31mX\\nY": ["R1"]}}\n', encoding="utf-8")
    assert main(["convert", str(path), str(tmp_path / "a.inline")]) == 0
    assert "\\x1b[31mX\\nY (1)" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["stats", "{path}"], ["stats", "{path}", "--json", "-"], ["convert", "{path}", "-"]]
)
def test_output_is_utf8_whatever_the_locale_says(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "entities": [{"label": "Gerät", "spans": [[0, 1]]}]}\n', encoding="utf-8")
    done = run(*(argument.format(path=path) for argument in arguments), PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "Gerät" in done.stdout


def test_names_that_are_not_utf8_do_no_harm(gold: Path, tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/\xff.jsonl"
    Path(os.fsdecode(odd)).write_bytes(gold.read_bytes())
    command = [sys.executable.encode(), b"-m", b"disconer", b"stats", odd, b"--json", os.fsencode(tmp_path / "s.json")]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(json.loads((tmp_path / "s.json").read_text())["files"]) == 1


@pytest.mark.parametrize(("closed", "status"), [("<&-", 2), (">&-", 0), ("2>&-", 0)])
def test_closed_streams_do_no_harm(gold: Path, tmp_path: Path, closed: str, status: int) -> None:
    source = "-" if closed == "<&-" else str(gold)
    script = f'"{sys.executable}" -m disconer convert "{source}" "{tmp_path}/out.jsonl" {closed}'
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_being_told_to_stop_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "disconer", "convert", "-", str(tmp_path / "out.jsonl")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(GOLD * 50_000)
        process.stdin.flush()
        process.terminate()
        assert process.stderr.read() == "disconer: error: interrupted\n"
    assert process.returncode == 1
    assert not list(tmp_path.iterdir())


def test_a_hang_up_that_nobody_wants_to_hear_of_is_ignored(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "disconer", "convert", "-", str(tmp_path / "out.jsonl"), "--quiet"]
    ignoring = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command]  # what nohup does
    with subprocess.Popen(ignoring, stdin=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        process.stdin.write(GOLD * 50_000)
        process.stdin.flush()
        process.send_signal(signal.SIGHUP)
        process.stdin.close()
    assert process.returncode == 0
    assert (tmp_path / "out.jsonl").exists()


def test_a_command_that_is_not_called_is_not_imported() -> None:
    code = "import sys; from disconer.cli import main\ntry: main(['--help'])\nexcept SystemExit: print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "disconer.cli" in modules
    assert not {"disconer.cli.stats", "disconer.cli.score", "rich.table"} & set(modules)


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
