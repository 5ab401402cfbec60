"""`disconer serve` as a process, seen from outside."""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

_START = 120
"""Seconds that a server may take until it serves."""
_TIMEOUT = 60
_OPENER = build_opener(ProxyHandler({}))  # what is on this machine is never asked through a proxy


class Memory(NamedTuple):
    """What a process holds."""

    megabytes: float
    most: float
    """Since its peak was last forgotten."""

    def __str__(self) -> str:
        return f"{self.megabytes:.0f} MB, at most {self.most:.0f} MB"


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    process: subprocess.Popen[bytes]
    url: str

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def ask(self, path: str, body: str | None = None) -> str:
        """Get a path, or post JSON to it."""
        content = None if body is None else body.encode()
        question = Request(self.url + path, content, {"Content-Type": "application/json"})
        with _OPENER.open(question, timeout=_TIMEOUT) as answer:
            return str(answer.read().decode())

    @property
    def extract_url(self) -> str:
        return f"{self.url}v1/extract"

    def extract(self, text: str) -> None:
        """Have a text read, and ask again while the server is busy, as it is with those who have just left."""
        while True:
            try:
                self.ask("v1/extract", json.dumps({"texts": text}))
                return
            except HTTPError as refusal:
                if refusal.code != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise
                time.sleep(0.01)

    def model(self) -> tuple[str, str]:
        """Say of what kind the model is and what runs it."""
        first = json.loads(self.ask("v1/models"))["models"][0]
        return first["kind"], first["runtime"]

    def metrics(self) -> dict[str, float]:
        """Read the numbers that Prometheus is told, but for those that come in several kinds."""
        lines = (line.split(" ") for line in self.ask("metrics").splitlines() if "{" not in line and line[0] != "#")
        return {name: float(value) for name, value in lines}

    def memory(self) -> Memory:
        told = Path(f"/proc/{self.process.pid}/status").read_text()
        kilobytes = dict(re.findall(r"^(Vm\w+):\s+(\d+) kB$", told, re.MULTILINE))
        return Memory(int(kilobytes["VmRSS"]) / 1024, int(kilobytes["VmHWM"]) / 1024)

    def forget_peak(self) -> None:
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")


@contextmanager
def serve(model: str, *options: str) -> Iterator[Server]:
    """Serve a model on a free port, with the log that a server has in earnest; afterwards the server is stopped."""
    command = [sys.executable, "-m", "disconer", "serve", model, "--port", "0", *options]
    with tempfile.NamedTemporaryFile() as log:
        process = subprocess.Popen(command, stderr=log)
        try:
            yield Server(process, _address(process, Path(log.name)))
        finally:
            process.terminate()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until a server says where it is."""
    until = time.monotonic() + _START
    while time.monotonic() < until and process.poll() is None:
        if found := re.search(r"serving at (\S+)", log.read_text()):
            return found[1]
        time.sleep(0.05)
    sys.exit(log.read_text() or f"the server did not start within {_START} seconds")
