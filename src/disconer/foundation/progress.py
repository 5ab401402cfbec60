"""What a person sees of long work: a live bar on a terminal or in a notebook, plain lines in a log, or nothing."""

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Protocol, TextIO, TypeVar

from disconer.foundation.characters import printable
from disconer.foundation.wording import count_of, format_duration

# rich is imported where something is drawn with it: most commands never do that.
if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

_SHORTEST_BAR, _LONGEST_BAR = 10, 40
"""Columns."""
_SETTLED = 3.0
"""Seconds until a pace means something."""
_EVERY = 0.2
"""Seconds between two looks at what moves."""
T = TypeVar("T")


class Status(Protocol):
    """How far some work is; its text is a line for a log."""

    @property
    def share(self) -> float:
        """From 0 to 1."""

    def render(self, width: int) -> "RenderableType":
        """What a terminal of that many columns shows."""


class Pace:
    """How fast equal pieces of work get done; the first, which takes longer than others, does not count."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.counted_from = 0
        self.done = 0

    def advance(self, pieces: int = 1) -> None:
        if not self.done:
            self.started, self.counted_from = time.monotonic(), pieces
        self.done += pieces

    def describe_left(self, remaining: float) -> str:
        """Say how long the remaining pieces take; nothing before that is known."""
        seconds = time.monotonic() - self.started
        if self.done <= self.counted_from or seconds < _SETTLED:
            return ""
        return f"{format_duration(remaining * seconds / (self.done - self.counted_from))} left"


class Announcement:
    """What is being done for a while, and cannot be measured."""

    share = 1.0

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def render(self, width: int) -> "RenderableType":
        return bar_line([self.text], None, width)


class CountStatus:
    """How many of some things are done, of how many where that is known, and how fast."""

    def __init__(self, title: str, noun: str, total: int | None = None) -> None:
        self.title = title
        self.noun = noun
        self.total = total
        self.started = time.monotonic()
        self.pace = Pace()

    @property
    def share(self) -> float:
        return min(self.pace.done / self.total, 1.0) if self.total else 0.0

    def __str__(self) -> str:
        return ", ".join(filter(None, (f"{self.title} {self._count()}", self._rate(), self._left())))

    def render(self, width: int) -> "RenderableType":
        """A line, with a bar where it is known how many there are."""
        lines = [str(self), f"{self.title} {self._count()} {self._left()}".rstrip()]
        return bar_line(lines, self.share if self.total else None, width)

    def _count(self) -> str:
        done = self.pace.done
        return count_of(done, self.noun) if self.total is None else f"{done:,}/{count_of(self.total, self.noun)}"

    def _rate(self) -> str:
        rate = self.pace.done / max(time.monotonic() - self.started, 1e-9)
        return f"{rate:,.{1 if rate < 10 else 0}f}/s"

    def _left(self) -> str:
        return "" if self.total is None else self.pace.describe_left(max(self.total - self.pace.done, 0))


def bar_line(lines: Sequence[str], share: float | None, width: int) -> "RenderableType":
    """The first of these lines that leaves room for a bar, with one; else the last, cut to what fits."""
    from rich.progress_bar import ProgressBar  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    needed = 0 if share is None else _SHORTEST_BAR + 1
    line = next((line for line in lines if len(line) + needed < width), None)
    if line is None or share is None:
        return Text(lines[-1] if line is None else line, no_wrap=True, overflow="ellipsis")
    row = Table.grid(padding=(0, 1))
    room = min(width - len(line) - 2, _LONGEST_BAR)  # the last column of a terminal stays free
    row.add_row(Text(line, no_wrap=True), ProgressBar(total=1.0, completed=share, width=room))
    return row


class Display(Protocol):
    """Where progress is shown."""

    def note(self, line: str, is_error: bool = False) -> None:
        """Show a line that stays."""

    def log(self, line: str) -> None:
        """Show a line that only matters where nothing moves."""

    def show(self, status: Status) -> None:
        """Show how far the work is; called often."""

    def clear(self) -> None:
        """Take away what moves."""


class NoDisplay:
    """Shows nothing."""

    def note(self, line: str, is_error: bool = False) -> None: ...

    def log(self, line: str) -> None: ...

    def show(self, status: Status) -> None: ...

    def clear(self) -> None: ...


class LineDisplay:
    """Plain lines on standard error, the status once in a while."""

    def __init__(self, every_seconds: float = 60.0) -> None:
        self.every_seconds = every_seconds
        self.shown = time.monotonic()

    def note(self, line: str, is_error: bool = False) -> None:  # noqa: ARG002
        print(printable(line), file=sys.stderr, flush=True)  # noqa: T201

    def log(self, line: str) -> None:
        self.note(line)

    def show(self, status: Status) -> None:
        if time.monotonic() - self.shown >= self.every_seconds:
            self.shown = time.monotonic()
            self.note(str(status))

    def clear(self) -> None: ...


class TerminalDisplay:
    """A live status below the lines."""

    def __init__(self) -> None:
        from rich.console import Console  # noqa: PLC0415

        self.console = Console(stderr=True)
        self.live: Live | None = None

    def note(self, line: str, is_error: bool = False) -> None:
        from rich.text import Text  # noqa: PLC0415

        self.console.print(Text(printable(line), style="red" if is_error else ""))

    def log(self, line: str) -> None: ...

    def show(self, status: Status) -> None:
        from rich.live import Live  # noqa: PLC0415

        rendered = status.render(self.console.width)
        if self.live is None:
            self.live = Live(
                rendered, console=self.console, refresh_per_second=4, transient=True, redirect_stdout=False
            )
            self.live.start()
        else:
            self.live.update(rendered)

    def clear(self) -> None:
        if self.live is not None:
            self.live.stop()
            self.live = None


class NotebookDisplay:
    """A bar in the output of a notebook's cell, drawn by the browser, below the lines."""

    def __init__(self) -> None:
        self.handle: Any = None
        self.shown = 0.0

    def note(self, line: str, is_error: bool = False) -> None:
        print(printable(line), file=sys.stderr if is_error else sys.stdout, flush=True)

    def log(self, line: str) -> None: ...

    def show(self, status: Status) -> None:
        from IPython.display import HTML, display  # noqa: PLC0415 (only there is it installed for sure)

        if time.monotonic() - self.shown < _EVERY:
            return
        self.shown = time.monotonic()
        bar = HTML(  # type: ignore[no-untyped-call]
            f'<progress max="1" value="{status.share:.4f}"></progress> {escape(printable(str(status)))}'
        )
        if self.handle is None:
            self.handle = display(bar, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self.handle.update(bar)

    def clear(self) -> None:
        if self.handle is not None:
            from IPython.display import HTML  # noqa: PLC0415

            self.handle.update(HTML(""))  # type: ignore[no-untyped-call]
            self.handle = None


def choose_display(quiet: bool = False) -> Display:
    """The display that suits whoever is there to look."""
    if quiet:
        return NoDisplay()
    if _is_notebook():
        return NotebookDisplay()
    return TerminalDisplay() if is_capable(sys.stderr) else LineDisplay()


def track(items: Iterable[T], status: CountStatus, display: Display) -> Iterator[T]:
    """Pass items on and show how many there were."""
    shown = time.monotonic()
    try:
        for item in items:
            yield item
            status.pace.advance()
            if time.monotonic() - shown >= _EVERY:
                shown = time.monotonic()
                display.show(status)
    finally:
        display.clear()


def is_capable(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can move its cursor and change its colours."""
    return stream.isatty() and os.environ.get("TERM", "").casefold() not in ("dumb", "unknown")


def _is_notebook() -> bool:
    # Colab has a class of its own below this one.
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return any(one.__name__ == "ZMQInteractiveShell" for one in type(shell).__mro__)
