"""How labels, mentions and scores look, and the style sheet of everything that `html` draws.

A label has a hue, and a stroke of its own once the hues have run out.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import product
from typing import NamedTuple
from zlib import crc32

from disconer.document import Mention


class Hue(NamedTuple):
    """A colour as a page shows it on a light and on a dark background, and as a terminal does."""

    light: str
    dark: str
    terminal: int


HUES = (
    Hue("#213a84", "#93bbff", 34),
    Hue("#880000", "#d2844b", 31),
    Hue("#03622a", "#35a97d", 32),
    Hue("#d11e77", "#c083ae", 35),
    Hue("#926d15", "#a8b10f", 33),
    Hue("#1179b0", "#5ce7f2", 36),
    Hue("#2e43e6", "#9c86fd", 94),
    Hue("#4a3c46", "#f0ccbf", 37),
)
"""Apart for colour-blind readers as far as colours can be, and dark (or light) enough to set small type in."""

STROKES = ("solid", "double", "dashed")
"""How the line under a fragment is drawn."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a label is drawn: the index of its hue and the index of its stroke."""

    hue: int
    stroke: int


class Looks:
    """The look of every label.

    The hue that a label prefers is a matter of its name alone, so that it mostly has the same one everywhere; where
    another label has it already, the next one is taken. Labels that should look the same in several drawings are given
    beforehand, in the same order.

    >>> looks = Looks(["ADR", "Drug", "Severity"])
    >>> len({looks["ADR"], looks["Drug"], looks["Severity"]})
    3
    """

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self._looks: dict[str, Look] = {}
        self._uses: Counter[Look] = Counter()
        for label in labels:
            self[label]

    def __getitem__(self, label: str) -> Look:
        if label not in self._looks:
            self._looks[label] = self._choose(label)
            self._uses[self._looks[label]] += 1
        return self._looks[label]

    def _choose(self, label: str) -> Look:
        """Take the least used look: of the plainest strokes first, then of the hues from the preferred one on."""
        preferred = crc32(label.encode())
        looks = (
            Look((preferred + step) % len(HUES), stroke) for stroke in range(len(STROKES)) for step in range(len(HUES))
        )
        return min(looks, key=lambda look: self._uses[look])


def gapped_text(mention: Mention) -> str:
    """Show a mention's text with its gaps as dots."""
    return " … ".join(mention.layout.text[start:end] for start, end in mention.fragments)


def score_text(mention: Mention) -> str:
    """Show a mention's score, which it may not have."""
    return "" if mention.score is None else f"{mention.score:.2f}"


LANES = 32
"""How many lanes are drawn; what would lie still deeper is only listed."""


@cache
def style_sheet() -> str:
    """Put together `style.css` and the rules for every lane, hue and stroke."""
    fixed = files("disconer.drawing").joinpath("style.css").read_text(encoding="utf-8")
    lanes = (f".dn-lane-{lane} {{ --dn-lane: {lane}; --dn-lanes: {lane + 1} }}" for lane in range(LANES))
    hues = (f".dn-hue-{n} {{ --dn-hue: light-dark({hue.light}, {hue.dark}) }}" for n, hue in enumerate(HUES))
    strokes = (f".dn-stroke-{n} {{ --dn-stroke: {stroke} }}" for n, stroke in enumerate(STROKES))
    return "\n".join((fixed, *lanes, *hues, *strokes, ""))


@cache
def page_style_sheet() -> str:
    """The style sheet of a page whose legend switches labels off: a rule for every look, so that it needs no script."""
    rules = []
    for hue, stroke in product(range(len(HUES)), range(len(STROKES))):
        page = f".dn-page:has(.dn-show-{hue}-{stroke}:not(:checked))"
        look = f".dn-hue-{hue}.dn-stroke-{stroke}"
        rules += [
            f"{page} {look}:is(.dn-part, .dn-gap) {{ background: none; border-bottom-style: none }}",
            f"{page} {look}.dn-tag::after {{ visibility: hidden }}",
            f"{page} .dn-list {look} {{ display: none }}",
        ]
    return "\n".join((style_sheet(), *rules, ""))


@cache
def script() -> str:
    """The script that names mentions again on each line that they go on over; a page does without it as well."""
    return files("disconer.drawing").joinpath("lines.js").read_text(encoding="utf-8")


def content_security_policy(style: str, script: str = "") -> str:
    """Allow a page nothing but this very style sheet and script, so that no text can become either."""
    scripts = f"script-src {_digest(script)}; " if script else ""
    return f"default-src 'none'; style-src {_digest(style)}; {scripts}base-uri 'none'; form-action 'none'"


def _digest(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
