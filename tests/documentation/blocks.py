"""The code on a page: its blocks, and what a page says about those that cannot run."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

_FENCE = re.compile(
    r"^(?:[ ]*<!-- not run: (?P<reason>\S.*?) -->\n)?(?P<indent>[ ]*)(?P<marks>```+|~~~+)(?P<language>.*)\n"
    r"(?P<code>(?:.*\n)*?)(?P=indent)(?P=marks)[ ]*$",
    re.MULTILINE,
)
_NESTS = re.compile(r"(?:[-*+]|\d+\.) |!!!|\?\?\?|===")
"""How a line begins that indented lines belong to."""


class Block(NamedTuple):
    """Code between fences."""

    place: str
    """The page and the line of the fence."""
    language: str
    code: str
    reason: str | None
    """Why it does not run, if the page says so right before it."""


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """Read the blocks of a page, top to bottom."""
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        line = text.count("\n", 0, found.start("marks")) + 1
        language, code = found["language"].strip(), dedent(found["code"])
        yield Block(f"{name(page)}:{line}", language, code, found["reason"])


def indented_blocks(page: Path) -> Iterator[str]:
    """Find where a page has code that is only indented, which has no language."""
    text = _FENCE.sub(lambda found: "\n" * found[0].count("\n"), page.read_text(encoding="utf-8"))
    above, is_blank = "", True
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("    ") and is_blank and not _NESTS.match(above):
            yield f"{name(page)}:{number}"
        if line.strip() and not line.startswith(" "):
            above = line
        is_blank = not line.strip()
