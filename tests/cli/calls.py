"""Calls of the command line, in this process or in one of its own."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from typing import IO

import pytest

from disconer.cli import main

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


def in_terminal(
    columns: int,
    *arguments: object,
    through: str = "",
    is_error: bool = False,
    output: IO[bytes] | int = subprocess.DEVNULL,
    **settings: str,
) -> str:
    """Run a command whose standard output is a terminal of that width, or goes to it through another program.

    With `is_error` standard error is that terminal instead, and standard output goes nowhere, or to a file.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    unset = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
    environment = {key: value for key, value in os.environ.items() if key not in unset} | {"TERM": "xterm"} | settings
    command = [sys.executable, "-m", "disconer", *map(str, arguments)]
    if through:
        command = ["sh", "-c", f'"$@" | {through}', "sh", *command]
    stdout, stderr = (output, theirs) if is_error else (theirs, None)
    with subprocess.Popen(command, stdin=theirs, stdout=stdout, stderr=stderr, env=environment) as process:
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
