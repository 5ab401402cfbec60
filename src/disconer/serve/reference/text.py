"""What an OpenAPI document says, as HTML: escaped, whatever it is; only `code` in backticks means something."""

import json
import re
from collections.abc import Iterable
from typing import Any

from disconer.drawing.marked_text import escaped

_CODE = re.compile(r"`([^`]+)`")
_BLANK_LINES = re.compile(r"\n\s*\n")


def prose(text: str) -> str:
    """Write text in paragraphs, which blank lines divide."""
    return "".join(f"<p>{inline(one)}</p>\n" for one in _BLANK_LINES.split(text) if one.strip())


def inline(text: str) -> str:
    """Write text that stands in a line.

    >>> inline("above 0 & up to `1`")
    'above 0 &amp; up to <code>1</code>'
    """
    return _CODE.sub(r"<code>\1</code>", escaped(text.strip()))


def code(text: str) -> str:
    """Show text as code."""
    return f"<code>{escaped(text)}</code>"


def code_value(value: Any) -> str:
    """Show a value as JSON."""
    return code(json.dumps(value, ensure_ascii=False))


def anchors(names: Iterable[str], prefix: str) -> dict[str, str]:
    """Give every name an anchor of its own that is safe in HTML and in a URL.

    >>> anchors(["/v1/extract", "/v1-extract", "Ä"], "get")
    {'/v1/extract': 'get-v1-extract', '/v1-extract': 'get-v1-extract-2', 'Ä': 'get'}
    """
    found: dict[str, str] = {}
    for name in names:
        plain = "-".join((prefix, *re.findall(r"[A-Za-z0-9_.]+", name)))
        number = 1
        while (anchor := plain if number == 1 else f"{plain}-{number}") in found.values():
            number += 1
        found[name] = anchor
    return found
