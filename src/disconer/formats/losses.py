"""What a format could not hold, counted while it is written."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from disconer.document import Document
from disconer.exceptions import CannotHoldError


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

    def note_extras(self, document: Document, held: frozenset[str] = frozenset()) -> None:
        """Count the scores and unknown keys of a document and its mentions, but for the keys that are held."""
        self.note("scores", sum(mention.score is not None for mention in document))
        for mention in document:
            for key in mention.extras.keys() - held:
                self.note(f"values of the mentions' key {key!r}")
        for key in document.extras.keys() - held:
            kinds = document.extras[key] if key == "brat" else None
            if isinstance(kinds, Mapping) and all(isinstance(lines, list) for lines in kinds.values()):
                for kind, lines in kinds.items():
                    self.note(f"brat {kind}", len(lines))
            else:
                self.note(f"values of the key {key!r}")

    def check_consent(self, lossy: bool) -> None:
        """Raise when mentions were left out and nobody agreed to that."""
        if self.left_out and not lossy:
            reasons = "; ".join(f"{count:,} {why}" for why, count in self.left_out.items())
            raise CannotHoldError(f"mentions would be left out ({reasons}): add --lossy to accept that")

    def lines(self) -> list[str]:
        """Say what was lost, a line each, the worst first."""
        left_out = [f"mentions {why} ({count:,})" for why, count in self.left_out.most_common()]
        return left_out + [f"{what} ({count:,})" for what, count in self.noted.most_common()]
