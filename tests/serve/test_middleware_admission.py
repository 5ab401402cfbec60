"""Places, and what becomes of them: over real sockets, for this is about clients that misbehave."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Timer

import httpx
import pytest

from disconer.serve import middleware
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from disconer.serve.settings import Batching, Limits
from tests.serve.recognizers import Scripted
from tests.serve.servers import connected, listening, received, request_bytes

JSON = {"Content-Type": "application/json"}
ASKED = b'{"texts": "joint pain"}'


def metric(url: str, name: str) -> float:
    lines = httpx.get(f"{url}metrics").text.splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))


def eventually(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


def ask(url: str) -> httpx.Response:
    return httpx.post(f"{url}v1/extract", json={"texts": "joint pain"}, timeout=20)


def test_who_finds_no_place_is_told_when_to_come_back() -> None:
    recognizer = Scripted()
    recognizer.is_open.clear()
    app = create_app(Catalogue({"a": recognizer}), Limits(waiting=2))
    with listening(app) as url, ThreadPoolExecutor(2) as clients:
        waiting = [clients.submit(ask, url) for _ in range(2)]
        eventually(lambda: metric(url, "disconer_places_taken") == 2)
        refused = ask(url)
        assert httpx.get(f"{url}healthz").status_code == 200
        recognizer.is_open.set()
        assert [one.result().status_code for one in waiting] == [200, 200]
        assert ask(url).status_code == 200
        assert metric(url, "disconer_places_taken") == 0
    assert (refused.status_code, refused.json()["code"]) == (503, "busy")
    assert 1 <= int(refused.headers["retry-after"]) <= 60


def test_a_client_that_goes_away_frees_its_place() -> None:
    recognizer = Scripted()
    recognizer.is_open.clear()
    app = create_app(Catalogue({"a": recognizer}), Limits(waiting=3), Batching(wait=0, texts=1))
    with listening(app) as url:
        clients = [connected(url) for _ in range(3)]
        for client in clients:
            client.sendall(request_bytes(ASKED))
        eventually(lambda: metric(url, "disconer_places_taken") == 3)
        for client in clients:
            client.close()
        eventually(lambda: metric(url, "disconer_places_taken") == 0)
        assert metric(url, "disconer_clients_gone_total") == 3
        recognizer.is_open.set()
        assert ask(url).status_code == 200
    assert len(recognizer.batches) == 2  # that of the first, which was being read, and the last


def test_a_client_that_goes_away_while_sending_frees_its_place() -> None:
    with listening(create_app(Catalogue({"a": Scripted()}), Limits(waiting=1))) as url:
        with connected(url) as client:
            client.sendall(request_bytes(ASKED, length=1000))
            eventually(lambda: metric(url, "disconer_places_taken") == 1)
            assert ask(url).status_code == 503
        eventually(lambda: metric(url, "disconer_places_taken") == 0)
        assert ask(url).status_code == 200


def test_a_client_that_takes_too_long_to_send_is_told() -> None:
    with listening(create_app(Catalogue({"a": Scripted()}), Limits(patience=0.2))) as url, connected(url) as client:
        client.sendall(request_bytes(ASKED, length=1000))
        answer = received(client)
    assert b"408 Request Timeout" in answer
    assert b'"body-timeout"' in answer


def test_a_client_that_does_not_read_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "_SLOWEST", 1e9)
    limits = Limits(body_bytes=9_000_000, patience=1, waiting=1)
    with listening(create_app(Catalogue({"a": Scripted()}), limits)) as url, connected(url, room=4096) as client:
        # More than systems keep for a connection, and not read by any model.
        record = {"text": "joint pain", "note": "x" * 8_000_000}
        client.sendall(request_bytes(json.dumps({"documents": [record], "to": "jsonl"}).encode(), path="/v1/convert"))
        eventually(lambda: metric(url, "disconer_clients_gone_total") == 1)
        assert metric(url, "disconer_places_taken") == 0
        assert ask(url).status_code == 200


@pytest.mark.parametrize(("length", "status"), [("1048577", 413), ("9" * 19, 413), ("9" * 5000, 400)])
def test_a_length_that_is_too_much_is_refused_before_it_comes(length: str, status: int) -> None:
    with listening(create_app(Catalogue({"a": Scripted()}))) as url, connected(url) as client:
        client.sendall(request_bytes(b"").replace(b"Length: 0", f"Length: {length}".encode()))
        answer = received(client)
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


def test_a_body_without_end_is_refused() -> None:
    with (
        listening(create_app(Catalogue({"a": Scripted()}), Limits(body_bytes=10_000))) as url,
        connected(url) as client,
    ):
        head = request_bytes(b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        client.sendall(head + b"1000\r\n" + b"x" * 0x1000 + b"\r\n")
        client.sendall((b"1000\r\n" + b"x" * 0x1000 + b"\r\n") * 3)
        answer = received(client)
    assert b"413 " in answer
    assert b'"body-too-large"' in answer


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/plain"}, {"Host": "elsewhere.example.org"}])
def test_who_is_refused_while_sending_hears_why(headers: dict[str, str]) -> None:
    limits = Limits(body_bytes=10_000)
    with listening(create_app(Catalogue({"a": Scripted()}), limits)) as url, httpx.Client(timeout=20) as client:
        for _ in range(3):
            answer = client.post(f"{url}v1/extract", content=b"x" * 9_000_000, headers={**JSON, **headers})
            assert answer.json()["code"] in ("body-too-large", "unknown-host")
            endless = client.post(f"{url}v1/extract", content=iter([b"x" * 65_536] * 100), headers={**JSON, **headers})
            assert endless.json()["code"] in ("body-too-large", "not-json", "unknown-host")


def test_headers_without_end_are_refused() -> None:
    with listening(create_app(Catalogue({"a": Scripted()}))) as url, connected(url) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200_000)
        with suppress(OSError):
            client.sendall(b"x" * 2_000_000)
        assert b"200 OK" not in received(client)
        assert ask(url).status_code == 200


def test_what_is_accepted_is_finished_when_the_server_stops() -> None:
    recognizer = Scripted()
    recognizer.is_open.clear()
    with ThreadPoolExecutor(4) as clients:
        with listening(create_app(Catalogue({"a": recognizer}))) as url:
            waiting = [clients.submit(ask, url) for _ in range(3)]
            eventually(lambda: metric(url, "disconer_places_taken") == 3)
            Timer(0.5, recognizer.is_open.set).start()
        assert [one.result().status_code for one in waiting] == [200, 200, 200]


def test_what_cannot_be_finished_is_told_to_try_elsewhere() -> None:
    recognizer = Scripted()
    recognizer.is_open.clear()
    with ThreadPoolExecutor(1) as clients:
        with listening(create_app(Catalogue({"a": recognizer})), grace=1) as url:
            waiting = clients.submit(ask, url)
            eventually(lambda: metric(url, "disconer_places_taken") == 1)
        answer = waiting.result()
        recognizer.is_open.set()
    assert (answer.status_code, answer.json()["code"]) == (503, "stopping")
    assert answer.headers["retry-after"] == "1"
