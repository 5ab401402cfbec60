"""A request and its answer: what is known of them while they are under way, none of it text."""

import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope

_KEY = "disconer"
# Short enough and plain enough not to be a way for text into a log.
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


@dataclass
class Exchange:
    """A request and its answer."""

    request_id: str
    started: float = field(default_factory=time.perf_counter)
    status: int = 0
    """Of the answer, once there is one."""
    notes: dict[str, Any] = field(default_factory=dict)
    """What the log shall say besides."""

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started


def begin(scope: Scope) -> Exchange:
    """Keep what will be known of a request with it; an id that came with it is kept."""
    given = Headers(scope=scope).get("x-request-id", "")
    exchange = Exchange(given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex)
    scope[_KEY] = exchange
    return exchange


def exchange_of(scope: Scope) -> Exchange:
    """Give what `begin` kept."""
    found: Exchange = scope[_KEY]
    return found
