"""Files to call commands with."""

from pathlib import Path

import pytest

from tests.cli.calls import GOLD, PREDICTED


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
