"""Tables and code in Markdown."""

import re
from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    r"""Keep a bar from ending a cell; in code it does not, and a backslash would be shown.

    >>> _cell("`a|b` or a|b")
    '`a|b` or a\\|b'
    """
    return re.sub(r"`[^`]*`|\|", lambda found: found[0].removeprefix("|") or r"\|", text.replace("\n", " "))


def code(text: object) -> str:
    """Show text as code."""
    return f"`{text}`"


def fence(language: str, text: str) -> str:
    """Write a block of code."""
    return f"```{language}\n{text.strip()}\n```\n"
