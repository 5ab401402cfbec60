"""What a format could not hold, counted while it is written."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from disconer.document import Document
from disconer.exceptions import CannotHoldError, quote
from disconer.foundation.wording import count_of
from disconer.tokenize import Layout, Split

_MOST_LINES = 40
"""More kinds of losses than anybody reads."""


@dataclass
class Losses:
    """Counts of what a target format could not hold.

    Mentions that are left out are worse than anything else: they need the user's consent.
    """

    noted: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    """Mentions only, by the reason why."""

    def note(self, what: str, count: int = 1) -> None:
        if count:
            self.noted[what] += count

    def leave_out(self, why: str, count: int = 1) -> None:
        if count:
            self.left_out[why] += count

    def note_keys(self, keys: Iterable[str], owner: str = "") -> None:
        """Count a value of each of these keys, of a document or of one of its `mentions' `."""
        for key in sorted(keys):
            self.note(f"values of the {owner}key {quote(key)}")

    def note_extras(self, document: Document, held: frozenset[str] = frozenset()) -> None:
        """Count the scores and unknown keys of a document and its mentions, but for the keys that are held."""
        self.note("scores", sum(mention.score is not None for mention in document))
        for mention in document:
            self.note_keys(mention.extras.keys() - held, "mentions' ")
        for key in sorted(document.extras.keys() - held):
            kinds = document.extras[key] if key == "brat" else None
            if isinstance(kinds, Mapping) and all(isinstance(lines, list) for lines in kinds.values()):
                for kind, lines in kinds.items():
                    self.note(f"brat {quote(kind)[1:-1]}", len(lines))
            else:
                self.note_keys([key])

    def note_id(self, document: Document) -> None:
        """Count an id that is a number, where the format makes it a text."""
        self.note("ids that are numbers, written as text", isinstance(document.id, int))

    def note_layout(self, layout: Layout, format_name: str) -> None:
        """Count a text of which the format, always split when read, has other words or sentences."""
        self.note(f"texts whose words or sentences {format_name} would find elsewhere", _is_seen_otherwise(layout))

    def check_consent(self, lossy: bool) -> None:
        """Raise when mentions were left out and nobody agreed to that."""
        if self.left_out and not lossy:
            reasons = "; ".join(f"{count:,} {why}" for why, count in self.left_out.items())
            raise CannotHoldError(
                f"mentions would be left out ({reasons}): add --lossy to accept that (in Python, lossy=True)"
            )

    def lines(self) -> list[str]:
        """Say what was lost, a line each, the worst first."""
        left_out = [f"mentions {why} ({count:,})" for why, count in self.left_out.most_common()]
        ordered = self.noted.most_common()
        noted = [f"{what} ({count:,})" for what, count in ordered[:_MOST_LINES]]
        rest = len(ordered) - len(noted)
        return left_out + noted + ([f"and {count_of(rest, 'other thing')}, each less often"] if rest else [])


def _is_seen_otherwise(layout: Layout) -> bool:
    if layout.is_split and not layout.is_given:
        return False
    found = Layout(layout.text, split=Split.ALWAYS)
    if layout.given_words is None:
        return found.sentences != layout.sentences
    return (found.words, found.sentences) != (layout.words, layout.sentences)
