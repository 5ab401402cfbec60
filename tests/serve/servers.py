"""Servers that really listen: in a thread of the test, or as a process of their own."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from fastapi import FastAPI

from disconer.serve.server import Server, address_of, bind, configure
from tests.training.processes import listen


@contextmanager
def listening(app: FastAPI, grace: int = 5) -> Iterator[str]:
    """Serve in a thread, and give the address."""
    place = bind("127.0.0.1", 0)
    started = threading.Event()
    server = Server(configure(app, grace), started.set)
    thread = threading.Thread(target=server.run, args=([place],), daemon=True)
    thread.start()
    assert started.wait(20)
    try:
        yield address_of(place)
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@contextmanager
def process(*arguments: object) -> Iterator["subprocess.Popen[str]"]:
    """Run `disconer serve` on a free port."""
    command = [sys.executable, "-m", "disconer", "serve", *map(str, arguments), "--port", "0", "--threads", "1"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    running = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment,
        preexec_fn=listen,  # noqa: PLW1509 (it takes no lock)
    )  # fmt: skip
    try:
        yield running
    finally:
        running.kill()
        running.wait()
        assert running.stderr
        running.stderr.close()


def wait_for_address(running: "subprocess.Popen[str]") -> tuple[str, int]:
    """Wait until a server says where it is."""
    assert running.stderr
    for line in running.stderr:
        found = re.search(r"serving at http://([\d.]+):(\d+)/", line)
        if found:
            return found[1], int(found[2])
    raise AssertionError("the server ended before it was there")


def request_bytes(body: bytes, length: int | None = None, path: str = "/v1/extract") -> bytes:
    """Write a request by hand, with a length that need not be true."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body


def connected(address: str, room: int | None = None) -> socket.socket:
    """Connect to a server by hand, with room for so many bytes that wait to be read."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    connection = socket.socket()
    connection.settimeout(20)
    if room is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    connection.connect((host, int(port)))
    return connection


def received(connection: socket.socket) -> bytes:
    """Read until the server closes the connection, in whatever way."""
    pieces = []
    with suppress(ConnectionResetError):
        while piece := connection.recv(65_536):
            pieces.append(piece)
    return b"".join(pieces)
