"""Places for requests, of which there are only so many: what is not let in takes no memory."""

import asyncio
from collections.abc import Callable, Iterator
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from disconer.serve.departure import ClientGone
from disconer.serve.metrics import Metrics
from disconer.serve.problems import Problem, busy, too_large
from disconer.serve.settings import Limits

_ANNOTATED = ("/v1/convert", "/label-studio/")
"""What brings along annotations, which are larger than their texts."""
_MOST_DIGITS = 18
"""Of a length that is worth to be read as a number."""
_SLOWEST = 65_536
"""Bytes of an answer that a client must take a second, after a while."""
_PIECE = 65_536
"""Bytes of an answer that are sent at once: what a client does not take waits with us, where it is limited."""


class Admission:
    """Gives every request that brings a body a place, until its answer is sent, and limits the body and the time."""

    def __init__(self, app: ASGIApp, limits: Limits, metrics: Metrics, seconds_ahead: Callable[[], int]) -> None:
        self.app = app
        self.limits = limits
        self.metrics = metrics
        self.seconds_ahead = seconds_ahead
        self.taken = 0
        metrics.places.set(limits.waiting)
        metrics.places_taken.set_function(lambda: self.taken)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        factor = self.limits.answer_factor if scope["path"].startswith(_ANNOTATED) else 1
        most = self.limits.body_bytes * factor
        problem = self._problem(Headers(scope=scope), most)
        if problem is not None:
            await problem.response(scope)(scope, receive, send)
            return
        self.taken += 1
        try:
            await self.app(scope, self._limited(receive, most), self._hurried(send))
        finally:
            self.taken -= 1

    def _problem(self, headers: Headers, most: int) -> Problem | None:
        """Find what is wrong before anything was read."""
        length = headers.get("content-length", "")
        if length.isdecimal() and (len(length) > _MOST_DIGITS or int(length) > most):
            return _too_large(most)
        if self.taken >= self.limits.waiting:
            detail = "too many requests are waiting already: try again after the seconds in the header Retry-After"
            return busy(detail, self.seconds_ahead())
        return None

    def _limited(self, receive: Receive, most: int) -> Receive:
        """Count what is read, and read no longer than a client may take to send it."""
        read = 0
        until = asyncio.get_running_loop().time() + self.limits.patience
        is_whole = False

        async def receiving() -> Message:
            nonlocal read, is_whole
            try:
                async with asyncio.timeout_at(None if is_whole else until):
                    message = await receive()
            except TimeoutError:
                raise _too_slow() from None
            read += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if read > most:
                raise _too_large(most)
            return message

        return receiving

    def _hurried(self, send: Send) -> Send:
        """Send piece by piece, and no longer to a client that does not read."""

        async def sending(message: Message) -> None:
            seconds = self.limits.patience + len(message.get("body", b"")) / _SLOWEST
            try:
                async with asyncio.timeout(seconds):
                    for piece in _pieces(message):
                        await send(piece)
            except TimeoutError:
                raise ClientGone from None

        return sending


def _pieces(message: Message) -> Iterator[Message]:
    body = message.get("body", b"")
    if len(body) <= _PIECE:
        yield message
        return
    for start in range(0, len(body), _PIECE):
        is_last = start + _PIECE >= len(body) and not message.get("more_body", False)
        yield {**message, "body": body[start : start + _PIECE], "more_body": not is_last}


def _too_large(most: int) -> Problem:
    return too_large("body-too-large", f"a request like this may have {most:,} bytes: send less at a time")


def _too_slow() -> Problem:
    detail = "the request took too long to arrive: send it again"
    return Problem(HTTPStatus.REQUEST_TIMEOUT, "body-timeout", detail, headers={"Connection": "close"})
