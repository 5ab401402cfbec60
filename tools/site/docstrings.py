"""Docstrings as Markdown."""

import re
from typing import Any

from griffe import Extension, Object

_DOCTEST = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)
_PAGE = re.compile(r"\bdocs/([\w/-]+\.md)\b")


def as_markdown(text: str) -> str:
    r"""Fence the doctests of a docstring, and make pages that it names links from a page of the reference.

    >>> as_markdown("Adds.\n\n>>> 1 + 1\n2\n\ndocs/how-to/adding.md explains it.")
    'Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\n[docs/how-to/adding.md](../how-to/adding.md) explains it.'
    """
    fenced = _DOCTEST.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)
    return _PAGE.sub(r"[docs/\1](../\1)", fenced)


class Docstrings(Extension):
    """Makes mkdocstrings read all docstrings so."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of what was just found, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
