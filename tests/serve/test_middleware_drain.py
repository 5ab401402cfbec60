"""Answers to requests that were not read to their end."""

import asyncio
from typing import Any

import pytest
from starlette.types import Message

from disconer.serve import middleware
from disconer.serve.middleware import Drain

LAST = {"type": "http.response.body", "body": b"no", "more_body": False}


class Client:
    """Sends a body piece by piece, and remembers in which order things happened."""

    def __init__(self, pieces: int, is_silent: bool = False) -> None:
        self.left = pieces
        self.is_silent = is_silent
        self.events: list[Any] = []

    async def receive(self) -> Message:
        if self.is_silent:
            await asyncio.sleep(60)
        self.left -= 1
        self.events.append("read")
        return {"type": "http.request", "body": b"x" * 10, "more_body": self.left > 0}

    async def send(self, message: Message) -> None:
        self.events.append((message["body"], message["more_body"]))

    def answered(self, headers: dict[str, str], reads: int = 0) -> list[Any]:
        async def answering() -> None:
            scope = {"type": "http", "headers": [(k.encode(), v.encode()) for k, v in headers.items()]}
            drain = Drain(scope, self.receive, self.send)
            for _ in range(reads):
                await drain.receive()
            await drain.send(LAST)

        asyncio.run(answering())
        return self.events


def test_the_rest_is_read_between_an_answer_and_its_end() -> None:
    for headers in ({"content-length": "30"}, {"transfer-encoding": "chunked"}):
        assert Client(3).answered(headers) == [(b"no", True), "read", "read", "read", (b"", False)]
    assert Client(3).answered({"content-length": "30"}, reads=1) == [
        "read",
        (b"no", True),
        "read",
        "read",
        (b"", False),
    ]


def test_nothing_is_read_where_nothing_is_left() -> None:
    assert Client(3).answered({"content-length": "30"}, reads=3)[-1] == (b"no", False)
    assert Client(1).answered({}) == Client(1).answered({"content-length": "0"}) == [(b"no", False)]


@pytest.mark.parametrize(
    ("bound", "value"), [("_DRAINED_BYTES", 25), ("_DRAINED_SECONDS", 0.05), ("_SILENT_SECONDS", 0.05)]
)
def test_there_is_an_end_to_patience(bound: str, value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, bound, value)
    events = Client(10**9, is_silent=bound != "_DRAINED_BYTES").answered({"content-length": "30"})
    assert events[0] == (b"no", True)
    assert events[-1] == (b"", False)
    assert events.count("read") == (3 if bound == "_DRAINED_BYTES" else 0)
