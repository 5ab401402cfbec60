"""What a person sees of long work: a live bar on a terminal or in a notebook, plain lines in a log, or nothing."""

import os
import sys
import time
from html import escape
from typing import Any, Protocol, TextIO

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from disconer.foundation.characters import printable


class Status(Protocol):
    """How far some work is; its text is a line for a log."""

    @property
    def share(self) -> float:
        """From 0 to 1."""

    def render(self, width: int) -> RenderableType:
        """What a terminal of that many columns shows."""


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
        self.console = Console(stderr=True)
        self.live: Live | None = None

    def note(self, line: str, is_error: bool = False) -> None:
        self.console.print(Text(printable(line), style="red" if is_error else ""))

    def log(self, line: str) -> None: ...

    def show(self, status: Status) -> None:
        rendered = status.render(self.console.width)
        if self.live is None:
            self.live = Live(rendered, console=self.console, refresh_per_second=4, transient=True)
            self.live.start()
        else:
            self.live.update(rendered)

    def clear(self) -> None:
        if self.live is not None:
            self.live.stop()
            self.live = None


class NotebookDisplay:
    """A bar in the output of a notebook's cell, drawn by the browser, below the lines."""

    _EVERY_SECONDS = 0.25

    def __init__(self) -> None:
        self.handle: Any = None
        self.shown = 0.0

    def note(self, line: str, is_error: bool = False) -> None:
        print(printable(line), file=sys.stderr if is_error else sys.stdout, flush=True)

    def log(self, line: str) -> None: ...

    def show(self, status: Status) -> None:
        from IPython.display import HTML, display  # noqa: PLC0415 (only there is it installed for sure)

        if time.monotonic() - self.shown < self._EVERY_SECONDS:
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


def is_capable(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can move its cursor and change its colours."""
    return stream.isatty() and os.environ.get("TERM", "").casefold() not in ("dumb", "unknown")


def _is_notebook() -> bool:
    # Colab has a class of its own below this one.
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return any(one.__name__ == "ZMQInteractiveShell" for one in type(shell).__mro__)
