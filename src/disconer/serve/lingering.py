"""Answers to requests that were not read to their end.

A connection that is closed while there is something left to read is reset, and the client, which is still sending,
never sees why. So the answer goes out first, then the rest is read and forgotten, within bounds, and then the answer
ends.
"""

import asyncio
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

_MOST_BYTES = 33_554_432
_MOST_SECONDS = 10.0
_MOST_SILENCE = 1.0
"""Seconds in which nothing comes."""


class Lingering:
    """The two ends of a request, of which one waits for the other before it closes."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        self._is_read = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
        self._receive = receive
        self._send = send

    async def receive(self) -> Message:
        message = await self._receive()
        self._is_read = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        if not is_last or self._is_read:
            await self._send(message)
            return
        await self._send({**message, "more_body": True})
        await self._drain()
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _drain(self) -> None:
        left = _MOST_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(_MOST_SECONDS):
                while not self._is_read and left > 0:
                    message = await asyncio.wait_for(self.receive(), _MOST_SILENCE)
                    left -= len(message.get("body", b""))
