"""HTTP on a connection: uvicorn's, with an end to the patience with those who connect and do not ask."""

import asyncio
import json
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from disconer.serve.problems import MEDIA_TYPE

MOST_CONNECTIONS = 512
_SECONDS_FOR_HEADERS = 10.0
_PROBLEM = {
    "type": "about:blank",
    "title": "Service Unavailable",
    "status": 503,
    "code": "busy",
    "detail": "too many connections are open: try again after the seconds in the header Retry-After",
}


def _crowded() -> bytes:
    """Write the answer to somebody whose request there is no room to read."""
    body = json.dumps(_PROBLEM).encode()
    head = (
        f"HTTP/1.1 503 Service Unavailable\r\nContent-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n"
        "Retry-After: 1\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


class Protocol(H11Protocol):
    """A connection that is closed when no request comes; uvicorn itself only minds the time between two requests."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.write(_crowded())
            transport.close()
        else:
            self._expect_request()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._is_answering:
            self._forget_deadline()
        else:
            self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        super().connection_lost(exc)

    @property
    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _expect_request(self) -> None:
        """Give a client so long to send the headers of a request, however slowly."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(_SECONDS_FOR_HEADERS, self.transport.abort)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing of requests for other protocols: they are answered as HTTP."""
