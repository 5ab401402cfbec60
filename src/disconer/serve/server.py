"""The server as a process: its socket, its connections, its signals, and its end.

`Connection` subclasses uvicorn's h11 protocol, which is no public interface: no setting limits the time until a first
request, and uvicorn's limit on concurrency sends no Retry-After. A proxy could do both, but the server needs none.
"""

import asyncio
import ipaddress
import json
import logging
import os
import socket
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from disconer.exceptions import RunError
from disconer.serve.problems import MEDIA_TYPE

MOST_CONNECTIONS = 512
_SECONDS_FOR_HEADERS = 10.0
_KEEP_ALIVE = 20
"""Seconds that a connection may stay open between two requests."""
_CROWDED = {
    "type": "about:blank",
    "title": "Service Unavailable",
    "status": 503,
    "code": "busy",
    "detail": "too many connections are open: try again after the seconds in the header Retry-After",
}


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int) -> socket.socket:
    """Take a port before anything else is done that takes long; with 0, one that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        place = socket.socket(family, kind, protocol)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(address)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "this is no name of a host"
        raise RunError(f"cannot listen on {host}, port {port}: {reason}") from None
    return place


def address_of(place: socket.socket) -> str:
    """Write the address of the page."""
    host, port = place.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class Connection(H11Protocol):
    """A connection that is closed when no request comes; uvicorn itself only minds the time between two requests."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.write(_write_refusal())
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
        """Close the connection when the headers of a request are not there in time, however slowly they come."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(_SECONDS_FOR_HEADERS, self.transport.abort)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing of requests for other protocols: they are answered as HTTP."""


def _write_refusal() -> bytes:
    """Write the answer to a client whose request there is no room to read."""
    body = json.dumps(_CROWDED).encode()
    head = (
        f"HTTP/1.1 503 Service Unavailable\r\nContent-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n"
        "Retry-After: 1\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


class Server(uvicorn.Server):
    """A server that says when it has started."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self.on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.on_start()


def configure(app: FastAPI, grace: int) -> uvicorn.Config:
    """Configure what the application runs on.

    Of the ways in which uvicorn reads HTTP, h11's is not the fastest, but it is the one with a limit on headers.
    """
    return uvicorn.Config(
        app, http=Connection, ws="none", lifespan="on", log_config=None, access_log=False, server_header=False,
        timeout_keep_alive=_KEEP_ALIVE, timeout_graceful_shutdown=grace,
    )  # fmt: skip


def serve(app: FastAPI, place: socket.socket, grace: int, on_start: Callable[[], None]) -> None:
    """Serve until a signal comes, and then finish what was accepted, for as many seconds as grace allows."""
    server = Server(configure(app, grace), on_start)
    try:
        server.run(sockets=[place])
    except KeyboardInterrupt:
        if server.force_exit:
            leave(1)


def leave(status: int) -> NoReturn:
    """End the process at once, though the model may still be at work, which nothing else can stop."""
    logging.shutdown()
    sys.stderr.flush()
    os._exit(status)
