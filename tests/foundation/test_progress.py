"""Bars and lines of progress: what fits which terminal."""

import io
import re
import sys

import pytest

from disconer.foundation.progress import LineDisplay, NoDisplay, TerminalDisplay, choose_display
from disconer.training.progress import EpochStatus


@pytest.mark.parametrize(("term", "is_live"), [("xterm", True), ("dumb", False), ("unknown", False)])
def test_only_a_terminal_that_can_move_its_cursor_gets_a_bar(
    term: str, is_live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", term)
    assert isinstance(choose_display(), TerminalDisplay if is_live else LineDisplay)
    assert isinstance(choose_display(quiet=True), NoDisplay)


@pytest.mark.parametrize(("columns", "has_bar"), [("40", False), ("80", True)])
def test_a_bar_leaves_out_what_there_is_no_room_for(
    columns: str, has_bar: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")
    display, status = TerminalDisplay(), EpochStatus("seed 0, epoch 1 of 8", batches=2, later=4)
    for sentences in (2, 1):
        status.advance(sentences, loss=1.0)
        display.show(status)
    display.clear()
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().err)
    assert ("━" in shown) == has_bar
    assert re.search(r"seed 0, epoch 1 of 8 .*2/2 .*\d+ s left", shown)
