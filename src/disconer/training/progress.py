"""How far an epoch is, for whoever watches."""

import time
from typing import TYPE_CHECKING

from disconer.foundation.progress import Pace, bar_line

if TYPE_CHECKING:
    from rich.console import RenderableType


class EpochStatus:
    """An epoch's batches so far, its mean loss, its speed, and the time that the seed's training still takes."""

    def __init__(self, title: str, batches: int, later: float) -> None:
        self.title = title
        self.batches = batches
        self.later = later
        """What comes after this epoch's batches, in batches that would take as long."""
        self.sentences = 0
        self.loss = 0.0
        self.started = time.monotonic()
        self.pace = Pace()

    def advance(self, sentences: int, loss: float) -> None:
        """Count a batch; the loss is the mean so far."""
        self.pace.advance()
        self.sentences += sentences
        self.loss = loss

    @property
    def share(self) -> float:
        return self.pace.done / self.batches

    def __str__(self) -> str:
        return f"{self.title}: {self.share:.0%}, {self._figures()}"

    def render(self, width: int) -> "RenderableType":
        """A line with a bar, as far as there is room for both."""
        count, left = f"{self.pace.done}/{self.batches}", self._left()
        short = ", ".join(self.title.split(", ")[:2])  # without the best score so far
        lines = (f"{self.title} {count} {self._figures()}", f"{self.title} {count} {left}", f"{short} {count} {left}")
        return bar_line([line.rstrip() for line in lines], self.share, width)

    def _figures(self) -> str:
        rate = self.sentences / max(time.monotonic() - self.started, 1e-9)
        return ", ".join(filter(None, (f"loss {self.loss:.2f}", f"{rate:.0f} sentences/s", self._left())))

    def _left(self) -> str:
        return self.pace.describe_left(self.batches - self.pace.done + self.later)
