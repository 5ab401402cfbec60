"""What every request passes before its path: a request id and a line in the log, host and key, a place and limits."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from disconer.serve.access import KEYED, PASSWORDS, Hosts, Keys
from disconer.serve.exchange import ClientGone, Exchange, begin_exchange
from disconer.serve.monitoring import Metrics, log_failure, log_request
from disconer.serve.problems import Problem, busy, failed, stopping, too_large
from disconer.serve.settings import Limits

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_CLIENT_GONE = 499
"""The status that others, nginx first, write down for a client which left before its answer."""

_PROBES = ("/healthz", "/readyz")
"""What those who watch the server ask, by whatever name they know it."""

_ANNOTATED = ("/v1/convert", "/label-studio/")
"""What brings along annotations, which are larger than their texts."""
_MOST_DIGITS = 18
"""Of a length that is worth reading as a number."""
_SLOWEST = 65_536
"""Bytes of an answer that a client must take a second, after a while."""
_CHUNK = 65_536
"""Bytes of an answer that are sent at once: what a client does not take waits with us, where it is limited."""

_DRAINED_BYTES = 33_554_432
_DRAINED_SECONDS = 10.0
_SILENT_SECONDS = 1.0
"""In which nothing comes."""


class ExchangeMiddleware:
    """Puts around every answer a request id, headers that protect and a line in the log, and never a traceback."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: Iterable[str]) -> None:
        self.app = app
        self.metrics = metrics
        self.paths = {path: compile_path(path)[0] for path in paths}
        """Those that there are, and what they match; others may hold text, and are not logged."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        exchange, drain = begin_exchange(scope), Drain(scope, receive, send)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                _add_headers(MutableHeaders(raw=message["headers"]), exchange)
            await drain.send(message)

        try:
            await self.app(scope, drain.receive, send_with_headers)
        except ClientGone:
            self.metrics.gone.inc()
            exchange.status, exchange.notes["code"] = _CLIENT_GONE, "gone"
        except asyncio.CancelledError:  # the server stops, and has waited long enough for us
            if not exchange.status:
                await stopping().to_response(scope)(scope, receive, send_with_headers)
        except Exception as error:  # whatever it is, nobody but the log gets to see it
            log_failure(exchange.request_id, error)
            if not exchange.status:
                await failed().to_response(scope)(scope, receive, send_with_headers)
        finally:
            self._record(scope, exchange)

    def _record(self, scope: Scope, exchange: Exchange) -> None:
        """Count a request and write its line."""
        known = (path for path, pattern in self.paths.items() if pattern.match(scope["path"]))
        route = str(getattr(scope.get("route"), "path", next(known, "other")))
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "other"
        self.metrics.count_request(route, method, exchange.status, exchange.seconds)
        log_request(route, method, exchange)


def _add_headers(headers: MutableHeaders, exchange: Exchange) -> None:
    headers["X-Request-ID"] = exchange.request_id
    headers.setdefault("Cache-Control", "no-store")
    for name, value in _HEADERS.items():
        headers[name] = value


class Drain:
    """Reads what is left of a request before its answer ends.

    A connection that is closed while there is something left to read is reset, and the client, which is still sending,
    never sees why. So the answer goes out first, then the rest is read and dropped, within bounds, and then the answer
    ends.
    """

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
        left = _DRAINED_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAINED_SECONDS):
                while not self._is_read and left > 0:
                    message = await asyncio.wait_for(self.receive(), _SILENT_SECONDS)
                    left -= len(message.get("body", b""))


class AccessMiddleware:
    """Lets requests pass that name this host and have a key, before anything of a body is read."""

    def __init__(self, app: ASGIApp, hosts: Hosts, keys: Keys) -> None:
        self.app = app
        self.hosts = hosts
        self.keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._find_problem(scope) if scope["type"] == "http" else None
        answer = self.app if problem is None else problem.to_response(scope)
        await answer(scope, receive, send)

    def _find_problem(self, scope: Scope) -> Problem | None:
        headers, path = Headers(scope=scope), scope["path"]
        if path not in _PROBES and not self.hosts.admits(headers.get("host", "")):
            detail = "this server does not go by the name in the Host header: start it with --allowed-host NAME"
            return Problem(HTTPStatus.BAD_REQUEST, "unknown-host", detail)
        is_open = not self.keys or not path.startswith(KEYED)
        if not is_open and not self.keys.admits(headers.get("authorization", ""), path.startswith(PASSWORDS)):
            detail = "this needs a key: send it in the header Authorization, as Bearer KEY"
            return Problem(
                HTTPStatus.UNAUTHORIZED, "unauthorized", detail, headers={"WWW-Authenticate": "Bearer"}
            )  # fmt: skip
        return None


class AdmissionMiddleware:
    """Holds a place for every request that brings a body, until its answer is sent, and limits the body and the time.

    There are only so many places: what is not let in takes no memory.
    """

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
        problem = self._find_problem(Headers(scope=scope), most)
        if problem is not None:
            await problem.to_response(scope)(scope, receive, send)
            return
        self.taken += 1
        try:
            await self.app(scope, self._limit_receiving(receive, most), self._limit_sending(send))
        finally:
            self.taken -= 1

    def _find_problem(self, headers: Headers, most: int) -> Problem | None:
        """Find what is wrong before anything was read."""
        length = headers.get("content-length", "")
        if length.isdecimal() and (len(length) > _MOST_DIGITS or int(length) > most):
            return _body_too_large(most)
        if self.taken >= self.limits.waiting:
            detail = "too many requests are waiting already: try again after the seconds in the header Retry-After"
            return busy(detail, self.seconds_ahead())
        return None

    def _limit_receiving(self, receive: Receive, most: int) -> Receive:
        """Count what is read, and read no longer than a client may take to send it."""
        read = 0
        until = asyncio.get_running_loop().time() + self.limits.patience
        is_whole = False

        async def receive_limited() -> Message:
            nonlocal read, is_whole
            try:
                async with asyncio.timeout_at(None if is_whole else until):
                    message = await receive()
            except TimeoutError:
                raise _body_timeout() from None
            read += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if read > most:
                raise _body_too_large(most)
            return message

        return receive_limited

    def _limit_sending(self, send: Send) -> Send:
        """Send in chunks, and no longer to a client that does not read."""

        async def send_limited(message: Message) -> None:
            seconds = self.limits.patience + len(message.get("body", b"")) / _SLOWEST
            try:
                async with asyncio.timeout(seconds):
                    for chunk in _split(message):
                        await send(chunk)
            except TimeoutError:
                raise ClientGone from None

        return send_limited


def _split(message: Message) -> Iterator[Message]:
    body = message.get("body", b"")
    if len(body) <= _CHUNK:
        yield message
        return
    for start in range(0, len(body), _CHUNK):
        is_last = start + _CHUNK >= len(body) and not message.get("more_body", False)
        yield {**message, "body": body[start : start + _CHUNK], "more_body": not is_last}


def _body_too_large(most: int) -> Problem:
    return too_large("body-too-large", f"a request like this may have {most:,} bytes: send less at a time")


def _body_timeout() -> Problem:
    detail = "the request took too long to arrive: send it again"
    return Problem(HTTPStatus.REQUEST_TIMEOUT, "body-timeout", detail, headers={"Connection": "close"})
