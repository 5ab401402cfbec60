"""The options of the component, as a pipeline's configuration has them."""

from dataclasses import asdict, dataclass
from typing import Any

from disconer.checks import as_choice, check_encodable
from disconer.device import Device
from disconer.exceptions import InputError, shown
from disconer.formats.spacy.groups import KEY


@dataclass(frozen=True)
class Options:
    """How a component predicts, and what it does with a Doc."""

    spans_key: str = KEY
    """The group of `doc.spans` that it fills."""
    threshold: float | None = None
    """No mention has a lower score; without one, the thresholds are those that were chosen on dev."""
    context: int = 1
    """So many sentences are read together, and mentions may cross from one into the next."""
    device: str = Device.AUTO
    threads: int | None = None
    """With how many a processor is used; without a number, with all."""
    annotate_ents: bool = False
    """Whether continuous mentions become entities as well; of those that overlap the longest, and no gap ever."""
    overwrite: bool = True
    """Whether spans that the group has already are replaced, or added to."""

    def __post_init__(self) -> None:
        check_encodable(self.spans_key, "spans_key")
        if not self.spans_key:
            raise InputError("spans_key must name a group of spans: leave it out, or write a name")
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise InputError(f"threshold must be a number above 0 and not above 1, not {shown(self.threshold)}")
        for name in ("context", "threads"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise InputError(f"{name} must be a whole number from 1 on, not {shown(number)}")
        object.__setattr__(self, "device", as_choice(Device, self.device, "device").value)

    def as_config(self) -> dict[str, Any]:
        """Give the options under the names they have in a pipeline's configuration."""
        return asdict(self)
