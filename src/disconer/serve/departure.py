"""Clients that go away: what they asked for need not be done any more."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.types import Receive

Answer = TypeVar("Answer")


class ClientGone(Exception):  # noqa: N818 (nothing went wrong)
    """Nobody waits for this answer any more."""


async def unless_gone(receive: Receive, answering: Coroutine[Any, Any, Answer]) -> Answer:
    """Do something for a client whose request is read, but only as long as it is there."""
    work, leaving = asyncio.ensure_future(answering), asyncio.ensure_future(_departure(receive))
    try:
        await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise ClientGone
        return work.result()
    finally:
        work.cancel()
        leaving.cancel()


async def _departure(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
