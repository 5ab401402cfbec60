"""What is around every answer: a request id, headers that protect, a line in the log, and never a traceback."""

import asyncio
from collections.abc import Iterable

from starlette.datastructures import MutableHeaders
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from disconer.serve import logs
from disconer.serve.departure import ClientGone
from disconer.serve.exchange import Exchange, begin
from disconer.serve.lingering import Lingering
from disconer.serve.metrics import Metrics
from disconer.serve.problems import failed, stopping

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_CLIENT_GONE = 499
"""The status that others, nginx first, write down for a client which left before its answer."""
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Envelope:
    """Wraps every answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: Iterable[str]) -> None:
        self.app = app
        self.metrics = metrics
        self.paths = {path: compile_path(path)[0] for path in paths}
        """Those that there are, and what they match; others may hold text, and are not told."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        exchange, ends = begin(scope), Lingering(scope, receive, send)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                _add_headers(MutableHeaders(raw=message["headers"]), exchange)
            await ends.send(message)

        try:
            await self.app(scope, ends.receive, sending)
        except ClientGone:
            self.metrics.gone.inc()
            exchange.status, exchange.notes["code"] = _CLIENT_GONE, "gone"
        except asyncio.CancelledError:  # the server stops, and has waited long enough for us
            if not exchange.status:
                await stopping().response(scope)(scope, receive, sending)
        except Exception as error:  # whatever it is, nobody but the log gets to see it
            logs.tell_failure(exchange.request_id, error)
            if not exchange.status:
                await failed().response(scope)(scope, receive, sending)
        finally:
            self._close(scope, exchange)

    def _close(self, scope: Scope, exchange: Exchange) -> None:
        """Count a request and write its line."""
        known = (path for path, pattern in self.paths.items() if pattern.match(scope["path"]))
        route = str(getattr(scope.get("route"), "path", next(known, "other")))
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "other"
        self.metrics.tell_request(route, method, exchange.status, exchange.seconds)
        logs.tell_request(route, method, exchange)


def _add_headers(headers: MutableHeaders, exchange: Exchange) -> None:
    headers["X-Request-ID"] = exchange.request_id
    headers.setdefault("Cache-Control", "no-store")
    for name, value in _HEADERS.items():
        headers[name] = value
