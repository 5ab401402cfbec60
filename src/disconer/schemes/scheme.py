"""What every scheme can do, whichever labels it uses."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self, TypeVar

from disconer.exceptions import InputError
from disconer.passage import WordMention

Key = TypeVar("Key")

_THRESHOLD = "_threshold"


@dataclass(frozen=True)
class Decoding:
    """What labels say: the mentions with their scores, and whether the search for them was complete."""

    mentions: Mapping[WordMention, float]
    complete: bool = True

    def with_min_score(self, lowest: float) -> "Decoding":
        """Leave out mentions with a lower score."""
        if lowest <= 0:
            return self
        return Decoding({mention: score for mention, score in self.mentions.items() if score >= lowest}, self.complete)


@dataclass(frozen=True)
class Scheme(ABC):
    """A way from mentions to labels and back, which knows how much of the truth it can express.

    Its fields are settings. Those that end in `_threshold` are probabilities that dev decides.
    """

    name: ClassVar[str]

    @property
    def thresholds(self) -> dict[str, float]:
        """All thresholds, by what they are for."""
        names = (one.name for one in fields(self) if one.name.endswith(_THRESHOLD))
        return {name.removesuffix(_THRESHOLD): getattr(self, name) for name in names}

    def with_thresholds(self, **values: float) -> Self:
        """The same scheme with other thresholds."""
        return replace(self, **{name + _THRESHOLD: value for name, value in values.items()})

    def with_min_score(self, lowest: float) -> Self:
        """The same scheme with thresholds that no mention of a lower score passes."""
        return self.with_thresholds(**dict.fromkeys(self.thresholds, lowest))

    def quick(self) -> Self:
        """A scheme that spends little on a hopeless sentence, for decoding again and again."""
        return self

    @abstractmethod
    def encode(self, mentions: Iterable[WordMention]) -> Any:
        """Turn the mentions of a sentence into certain labels."""

    @abstractmethod
    def decode(self, labels: Any) -> Decoding:
        """Turn labels, as `encode` or a model gives them, into mentions."""

    def count(self, labels: Any) -> int:  # noqa: ARG002
        """How much there is to decode; 0 where it is never too much."""
        return 0

    def oracle(self, mentions: Iterable[WordMention]) -> Decoding:
        """Decode what a perfect model would predict: where this is not `mentions`, the scheme cannot express them."""
        return self.decode(self.encode(mentions))

    def _check_limits(self, *names: str) -> None:
        limits = [getattr(self, name) for name in names]
        if not all(type(limit) is int and limit >= 1 for limit in limits):
            raise InputError(f"{' and '.join(names)} must be whole numbers from 1 on")

    def _check_thresholds(self, may_be_zero: bool = True) -> None:
        for threshold in self.thresholds.values():
            if type(threshold) not in (int, float) or not 0 <= threshold <= 1 or (not threshold and not may_be_zero):
                raise InputError(f"a threshold must lie {'from 0 on' if may_be_zero else 'above 0'} and not above 1")


def keep_best(scores: dict[Key, float], key: Key, score: float) -> None:
    """Note a score, unless a better one is known."""
    scores[key] = max(score, scores.get(key, 0.0))
