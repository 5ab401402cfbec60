"""The server as a process: its socket, its signals, and its end."""

import ipaddress
import logging
import os
import socket
import sys
from collections.abc import Callable
from typing import NoReturn

import uvicorn
from fastapi import FastAPI

from disconer.exceptions import RunError
from disconer.serve.protocol import Protocol

_KEEP_ALIVE = 20
"""Seconds that a connection may stay open between two requests."""


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bound(host: str, port: int) -> socket.socket:
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


def address(place: socket.socket) -> str:
    """Give the address of the page."""
    host, port = place.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class Server(uvicorn.Server):
    """A server that says when it is there."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self.on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.on_start()


def configuration(app: FastAPI, grace: int) -> uvicorn.Config:
    """Configure what the application runs on.

    Of the ways in which uvicorn reads HTTP, h11's is not the fastest, but it is the one with a limit on headers.
    """
    return uvicorn.Config(
        app, http=Protocol, ws="none", lifespan="on", log_config=None, access_log=False, server_header=False,
        timeout_keep_alive=_KEEP_ALIVE, timeout_graceful_shutdown=grace,
    )  # fmt: skip


def serve(app: FastAPI, place: socket.socket, grace: int, on_start: Callable[[], None]) -> None:
    """Serve until a signal comes, and then finish what was accepted, for as many seconds as grace allows."""
    server = Server(configuration(app, grace), on_start)
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
