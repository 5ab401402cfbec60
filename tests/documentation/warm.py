"""`disconer` as a command that starts at once, for tests that call it often.

A server imports everything that takes seconds, once, and forks for every call: the child gets the caller's streams,
folder, environment and arguments, and does what the program does. The command itself only asks the server.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from tests.documentation.blocks import ROOT

HEAVY = ("disconer.runtime.torch_engine", "disconer.training.run", "disconer.report.evaluation", "transformers")
CLIENT = """\
#!{python} -SE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({place!r})
    call = {{"arguments": sys.argv, "folder": os.getcwd(), "environment": dict(os.environ)}}
    socket.send_fds(server, [b"streams"], [0, 1, 2])
    server.sendall(json.dumps(call).encode())
    server.shutdown(socket.SHUT_WR)
    sys.exit(int(server.recv(16) or 1))
"""


@contextmanager
def command(folder: Path) -> Iterator[Path]:
    """Put a `disconer` that works while the context lasts into a folder, which is to be first in PATH."""
    place = folder / "socket"
    client = folder / "disconer"
    client.write_text(CLIENT.format(python=sys.executable, place=str(place)), encoding="utf-8")
    client.chmod(0o755)
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.documentation.warm", place], stdout=subprocess.PIPE, cwd=ROOT
    )
    try:
        assert server.stdout
        assert server.stdout.readline() == b"ready\n"
        yield folder
    finally:
        server.kill()
        server.communicate()


def serve(place: str) -> NoReturn:
    """Answer calls, one after the other."""
    for name in HEAVY:
        import_module(name)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            with listener.accept()[0] as caller:
                answer(caller)


def answer(caller: socket.socket) -> None:
    """Let a child do what is asked, and tell its exit status."""
    _, streams, _, _ = socket.recv_fds(caller, len(b"streams"), 3)
    with caller.makefile("rb") as request:
        call = json.load(request)
    child = os.fork()
    if child == 0:
        run(call, streams)
    for stream in streams:
        os.close(stream)
    _, status = os.waitpid(child, 0)
    caller.sendall(str(os.waitstatus_to_exitcode(status) % 256).encode())


def run(call: dict[str, Any], streams: list[int]) -> NoReturn:
    """Be the program, in a process of its own."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    # Those of the server remember what it wrote.
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 (a number; open until the end)
        for number, mode in enumerate("rww")
    )
    os.chdir(call["folder"])
    os.environ.clear()
    os.environ.update(call["environment"])
    sys.argv = call["arguments"]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        import_module("disconer.cli").program()
    except SystemExit as end:
        status = end.code
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else 1)


if __name__ == "__main__":
    serve(sys.argv[1])
