"""Connections on which nothing is asked."""

from threading import Timer

import httpx
import pytest

from disconer.serve import server
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from tests.serve.recognizers import Scripted
from tests.serve.servers import connected, listening, received


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_SECONDS_FOR_HEADERS", 0.3)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: lo"])
def test_a_connection_without_a_request_is_closed(sent: bytes) -> None:
    with listening(create_app(Catalogue({"a": Scripted()}))) as url, connected(url) as client:
        client.sendall(sent)
        assert received(client) == b""
        with connected(url) as kept:
            kept.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while not answer.endswith(b"}"):
                answer += kept.recv(65_536)
            kept.sendall(sent or b"G")
            assert received(kept) == b""


def test_a_request_that_is_answered_slowly_is_not() -> None:
    recognizer = Scripted()
    recognizer.is_open.clear()
    with listening(create_app(Catalogue({"a": recognizer}))) as url, httpx.Client(timeout=20) as client:
        Timer(0.8, recognizer.is_open.set).start()
        assert client.post(f"{url}v1/extract", json={"texts": "joint pain"}).status_code == 200
        assert client.get(f"{url}healthz").status_code == 200


def test_one_connection_too_many_is_told_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)
    with listening(create_app(Catalogue({"a": Scripted()}))) as url:
        with connected(url), connected(url):
            refused = httpx.get(f"{url}healthz")
        assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        assert refused.headers["retry-after"] == "1"
