"""What a server takes on, and how it puts texts together."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """How much is taken. What is more is refused with an answer that says so."""

    body_bytes: int = 1_048_576
    """Of a request."""
    text_characters: int = 100_000
    """Of one text."""
    words: int = 20_000
    """Of one text: what a text costs depends on these, and it is read at a stretch, while others wait."""
    texts: int = 256
    """Of one request."""
    waiting: int = 64
    """Requests at once, from the first byte of a body to the last one of its answer; with `body_bytes`, this is what
    bounds the memory."""
    answer_factor: int = 4
    """How much larger than `body_bytes` a request may be that brings documents with their mentions."""
    surface_factor: int = 16
    """How many times `body_bytes` the texts of all mentions that go into one file may have, in characters."""
    patience: float = 30.0
    """Seconds that a client may take to send a request, or to take its answer (and more for a long one)."""


@dataclass(frozen=True)
class Batching:
    """How texts of several requests are put together."""

    wait: float = 0.002
    """Seconds that a text may wait for company while the model has nothing else to do. Nobody waits for it who asks
    alone: a batch that had none is followed by one that does not wait."""
    texts: int = 64
    """That are read together at most; with 1, each is read alone."""
    characters: int = 32_768
    """Up to which texts are added to a batch: nobody waits long behind a request with many."""
