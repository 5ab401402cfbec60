"""A request and its answer: what is known of them while they are under way, none of it text; and clients that leave."""

import asyncio
import re
import time
import uuid
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.datastructures import Headers
from starlette.types import Receive, Scope

Answer = TypeVar("Answer")

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


def begin_exchange(scope: Scope) -> Exchange:
    """Attach an exchange to a request; an id that came with the request is kept."""
    given = Headers(scope=scope).get("x-request-id", "")
    exchange = Exchange(given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex)
    scope[_KEY] = exchange
    return exchange


def get_exchange(scope: Scope) -> Exchange:
    """Look up what `begin_exchange` attached."""
    found: Exchange = scope[_KEY]
    return found


class ClientGone(Exception):  # noqa: N818 (nothing went wrong)
    """Nobody waits for this answer any more."""


async def await_unless_gone(receive: Receive, answering: Coroutine[Any, Any, Answer]) -> Answer:
    """Work for a client whose request is read, and stop when it goes away."""
    work, leaving = asyncio.ensure_future(answering), asyncio.ensure_future(_await_disconnect(receive))
    try:
        await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise ClientGone
        return work.result()
    finally:
        work.cancel()
        leaving.cancel()


async def _await_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
