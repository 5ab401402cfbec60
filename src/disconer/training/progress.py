"""How far an epoch is, for whoever watches."""

import time

from rich.console import RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from disconer.foundation.wording import format_duration

_SHORTEST_BAR, _LONGEST_BAR = 10, 40
"""Columns."""


class EpochStatus:
    """An epoch's batches so far, its mean loss, its speed, and the time that the seed's training still takes."""

    def __init__(self, title: str, batches: int, later: int) -> None:
        self.title = title
        self.batches = batches
        self.later = later
        """Batches of the epochs to come."""
        self.done = 0
        self.sentences = 0
        self.loss = 0.0
        self.started = time.monotonic()

    def advance(self, sentences: int, loss: float) -> None:
        """Count a batch; the loss is the mean so far."""
        self.done += 1
        self.sentences += sentences
        self.loss = loss

    @property
    def share(self) -> float:
        return self.done / self.batches

    def __str__(self) -> str:
        return f"{self.title}: {self.share:.0%}, {self._figures()}"

    def render(self, width: int) -> RenderableType:
        """A line with a bar, as far as there is room for both."""
        count, left = f"{self.done}/{self.batches}", self._left(self._seconds())
        line = f"{self.title} {count} {self._figures()}"
        if len(line) > width - _SHORTEST_BAR:
            line = f"{self.title} {count} {left}"
        room = width - len(line) - 1
        if room < _SHORTEST_BAR:
            return Text(line, no_wrap=True, overflow="ellipsis")
        bar = ProgressBar(total=self.batches, completed=self.done, width=min(room, _LONGEST_BAR))
        row = Table.grid(padding=(0, 1))
        row.add_row(Text(line), bar)
        return row

    def _figures(self) -> str:
        seconds = self._seconds()
        return f"loss {self.loss:.2f}, {self.sentences / seconds:.0f} sentences/s, {self._left(seconds)}"

    def _seconds(self) -> float:
        return max(time.monotonic() - self.started, 1e-9)

    def _left(self, seconds: float) -> str:
        return f"{format_duration((self.batches - self.done + self.later) * seconds / max(self.done, 1))} left"
