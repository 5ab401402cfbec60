"""Bars and lines of progress: what fits which terminal."""

import io
import re
import sys

import pytest

from disconer.foundation.progress import (
    CountStatus,
    LineDisplay,
    NoDisplay,
    Status,
    TerminalDisplay,
    choose_display,
    track,
)
from disconer.training.progress import EpochStatus


class Recorder(NoDisplay):
    """Counts how often it was cleared."""

    cleared = 0

    def clear(self) -> None:
        self.cleared += 1


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


def draw(status: Status, columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What a terminal of so many columns shows."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    display = TerminalDisplay()
    display.show(status)
    display.clear()
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().err)


@pytest.mark.parametrize(("columns", "shown"), [(30, ""), (80, "2/900"), (120, "loss 1.00, 9,999 sentences/s, ")])
def test_a_bar_leaves_out_what_there_is_no_room_for(
    columns: int, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The best score so far goes before the counter, and a line is never longer than the terminal."""
    status = EpochStatus("seed 0, epoch 3 of 8, best dev F1 82.3", batches=900, later=4)
    for sentences in (2, 1):
        status.advance(sentences, loss=1.0)
    drawn = draw(status, columns, monkeypatch, capsys)
    assert ("━" in drawn) == bool(shown)
    assert "seed 0, epoch 3 of 8" in drawn
    assert shown.partition(",")[0] in drawn
    assert max(map(len, drawn.splitlines())) <= columns


def test_counted_things_have_a_bar_where_it_is_known_how_many_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    display = Recorder()
    whole, endless = CountStatus("reading", "document", total=3), CountStatus("reading", "document")
    assert list(track("abc", whole, display)) == list(track("abc", endless, display)) == ["a", "b", "c"]
    assert display.cleared == 2
    assert re.fullmatch(r"reading 3/3 documents, [\d,.]+/s", str(whole))
    assert re.fullmatch(r"reading 3 documents, [\d,.]+/s", str(endless))
    assert (whole.share, endless.share) == (1.0, 0.0)
    assert "━" in draw(whole, 80, monkeypatch, capsys)
    assert "━" not in draw(endless, 80, monkeypatch, capsys)


def test_what_moves_is_taken_away_when_the_work_fails() -> None:
    display = Recorder()
    with pytest.raises(ZeroDivisionError):
        list(track((1 // number for number in (1, 0)), CountStatus("reading", "document"), display))
    assert display.cleared == 1
