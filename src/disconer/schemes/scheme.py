"""What every scheme can do, whichever labels it uses."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from disconer.document import WordMention


@dataclass(frozen=True)
class Decoding:
    """What labels say: the mentions with their scores, and whether the search for them was complete."""

    mentions: Mapping[WordMention, float]
    complete: bool = True


class Scheme(Protocol):
    """A way from mentions to labels and back, which knows how much of the truth it can express."""

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Give what a perfect model would predict for a sentence with these mentions."""
