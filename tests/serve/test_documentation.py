"""What docs/serving.md shows works: its commands and its Python, against a server that listens."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from disconer.recognizer import Recognizer
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from tests.serve.servers import listening

PAGE = (Path(__file__).parents[2] / "docs" / "serving.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^```\n(curl .*?)^```", PAGE, re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8000/"


@pytest.fixture(scope="module")
def address(recognizer: Recognizer) -> Iterator[str]:
    with listening(create_app(Catalogue({"talkative": recognizer}))) as url:
        yield url


@pytest.mark.parametrize("code", PYTHON)
def test_python_works(code: str, address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ADDRESS in code
    exec(code.replace(ADDRESS, address), {})
    assert "shoulder" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_work(command: str, address: str) -> None:
    assert ADDRESS in command
    done = subprocess.run(
        ["bash", "-c", command.replace(ADDRESS, address)], capture_output=True, text=True, check=True
    )  # fmt: skip
    assert '"entities"' in done.stdout


def test_there_is_something_to_test() -> None:
    assert len(PYTHON) == 2
    assert len(COMMANDS) == 1
