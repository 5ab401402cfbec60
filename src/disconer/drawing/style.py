"""The style of everything that `html` draws, without a script and without a style attribute."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from disconer.drawing.looks import HUES, STROKES

LANES = 32
"""How many lanes are drawn; what would lie still deeper is only listed."""


@cache
def style_sheet() -> str:
    """Give the style sheet: `style.css` and the rules for every lane, hue and stroke."""
    fixed = files("disconer.drawing").joinpath("style.css").read_text(encoding="utf-8")
    lanes = (f".dn-lane-{lane} {{ --dn-lane: {lane}; --dn-lanes: {lane + 1} }}" for lane in range(LANES))
    hues = (f".dn-hue-{n} {{ --dn-hue: light-dark({hue.light}, {hue.dark}) }}" for n, hue in enumerate(HUES))
    strokes = (f".dn-stroke-{n} {{ --dn-stroke: {stroke} }}" for n, stroke in enumerate(STROKES))
    return "\n".join((fixed, *lanes, *hues, *strokes, ""))


def content_security_policy(style: str, script: str = "") -> str:
    """Give the policy of a page: nothing but this very style sheet and script, so that no text can become either."""
    scripts = f"script-src {_digest(script)}; " if script else ""
    return f"default-src 'none'; style-src {_digest(style)}; {scripts}base-uri 'none'; form-action 'none'"


def _digest(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
