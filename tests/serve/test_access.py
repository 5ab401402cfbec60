"""Who is let in."""

import asyncio
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message

from disconer.exceptions import InputError
from disconer.serve.access import Hosts, Keys, read_keys
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from tests.serve.recognizers import Scripted

KEY = "correct-horse-battery-staple"


def client_of(keys: Keys | None = None, hosts: Hosts | None = None) -> TestClient:
    return TestClient(create_app(Catalogue({"a": Scripted()}), keys=keys, hosts=hosts), base_url="http://localhost")


@pytest.mark.parametrize(
    ("header", "is_ours"),
    [
        ("localhost", True), ("LOCALHOST:8000", True), ("localhost.", True), ("127.0.0.1:1", True), ("10.1.2.3", True),
        ("[::1]:8000", True), ("[fe80::1]", True), ("ner.example.org", True), ("NER.Example.ORG:443", True),
        ("evil.example.org", False), ("localhost.evil.example.org", False), ("evil.example.org:127.0.0.1", False),
        ("localhost:80@evil.example.org", False), ("[::1]evil.example.org", False), ("localhost:junk", False),
        ("localhost..", False), ("user@localhost", False),
        ("127.0.0.1.evil.example.org", False), ("", False), ("[evil]", False), ("ner.example.org.evil", False),
    ],
)  # fmt: skip
def test_only_our_own_names_are_taken(header: str, is_ours: bool) -> None:
    assert Hosts(["ner.example.org"]).admits(header) is is_ours


def test_a_star_takes_any_name() -> None:
    assert Hosts(["*"]).admits("anything.example.org")


def test_a_request_for_another_host_is_refused_but_for_probes() -> None:
    client = client_of()
    foreign = {"Host": "evil.example.org"}
    for path in ("/", "/v1/models", "/docs", "/metrics", "/assets/drawing.css"):
        answer = client.get(path, headers=foreign)
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown-host")
    assert client.get("/healthz", headers=foreign).status_code == 200
    with client:
        assert client.get("/readyz", headers=foreign).status_code == 200


@pytest.mark.parametrize("name", ["https://ner.example.org", "ner.example.org:443", "ner.example.org/ner", "", "a b"])
def test_a_host_is_given_by_its_name_alone(name: str) -> None:
    with pytest.raises(InputError, match="no name of a host"):
        Hosts([name])


def test_a_key_opens_what_needs_one() -> None:
    with client_of(Keys([KEY, "another-key-of-the-list"])) as client:
        for path in ("/", "/docs", "/openapi.json", "/healthz", "/readyz", "/assets/drawing.css"):
            assert client.get(path).status_code == 200
        for path in ("/v1/models", "/metrics"):
            for key in (KEY, "another-key-of-the-list"):
                assert client.get(path, headers={"Authorization": f"Bearer {key}"}).status_code == 200
            for header in (f"Bearer {KEY}x", f"Basic {KEY}", KEY, "", "Bearer", "Bearer ", "Bearer \xe9"):
                answer = client.get(path, headers=[(b"Authorization", header.encode("latin-1"))])
                assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
                assert answer.headers["www-authenticate"] == "Bearer"


def test_a_key_in_the_address_is_none() -> None:
    with client_of(Keys([KEY])) as client:
        for query in (f"key={KEY}", f"api_key={KEY}", f"access_token={KEY}", f"Authorization=Bearer+{KEY}"):
            assert client.get(f"/v1/models?{query}").status_code == 401


def test_a_key_is_asked_for_before_a_body_is_read() -> None:
    sent: list[Message] = []
    app = create_app(Catalogue({"a": Scripted()}), keys=Keys([KEY]))

    async def receive() -> Message:
        raise AssertionError("nobody should read this")

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/v1/extract", "raw_path": b"/v1/extract", "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")], "http_version": "1.1",
        "scheme": "http", "root_path": "", "client": None, "server": None,
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 401


def test_the_documentation_tells_of_the_key() -> None:
    with client_of(Keys([KEY])) as client:
        document = client.get("/openapi.json").json()
    scheme = document["components"]["securitySchemes"]["key"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert document["paths"]["/v1/extract"]["post"]["security"] == [{"key": []}]
    for path in ("/label-studio/{model}/predict", "/brat/{model}/tagger"):
        assert document["paths"][path]["post"]["security"] == [{"key": []}]
    assert "security" not in document["paths"]["/healthz"]["get"]
    assert "401" in document["paths"]["/metrics"]["get"]["responses"]


def test_keys_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text(f"\n{KEY}  \r\n\nanother-key-of-the-list\n")
    keys = read_keys(path)
    assert keys.admits(f"Bearer {KEY}")
    assert keys.admits("bearer another-key-of-the-list")
    assert not keys.admits("Bearer ")


@pytest.mark.parametrize(
    ("content", "place"),
    [("", ""), ("\n \n", ""), (f"{KEY}\nshort\n", ":2"), ("with a blank in it all", ":1"), ("ü" * 20, ":1")],
)
def test_a_key_that_is_none_is_told_by_its_line(tmp_path: Path, content: str, place: str) -> None:
    path = tmp_path / "keys"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        read_keys(path)
    assert str(caught.value).startswith(f"{path}{place}: ")
    assert "short\n" not in str(caught.value)
