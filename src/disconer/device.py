"""Where a user may ask a model to run."""

from enum import StrEnum


class Device(StrEnum):
    """A kind of processor."""

    AUTO = "auto"
    """The best there is."""
    CPU = "cpu"
    CUDA = "cuda"
    MPS = "mps"
