"""The taggers for brat, asked as brat asks, and their answers taken as brat takes them.

brat's server (server/src/tag.py of its Python 3 sources) sends a document's text and makes an annotation of every value
that has offsets; what was released before, for Python 2, refuses all of them where one has several.
"""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from fastapi.testclient import TestClient

import disconer
from disconer.recognizer import Recognizer
from disconer.serve.access import Keys
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from disconer.serve.settings import Limits
from tests.serve.recognizers import Scripted
from tests.serve.servers import listening

TEXT = "Severe joint, shoulder and upper body pain.\r\nLegs felt weak\nand numb 🤕 after Zoloric.\n"
SECRET = "Zyxwvut"
HEADERS = {"Content-type": "text/plain; charset=utf-8", "Accept": "application/json"}


@pytest.fixture
def tagger() -> Iterator[TestClient]:
    with TestClient(create_app(Catalogue({"a": Scripted()})), base_url="http://localhost") as client:
        yield client


def tag(client: TestClient, text: str, path: str = "/brat/a/tagger") -> Any:
    return client.post(path, content=text.encode(), headers=HEADERS)


def asked_by_brat(url: str, text: str) -> dict[str, Any]:
    """Ask with what brat asks with."""
    address = urlparse(url)
    data = text.encode("utf-8")
    connection = http.client.HTTPConnection(address.netloc, timeout=20)
    connection.request("POST", address.path, data, {**HEADERS, "Content-length": str(len(data))})
    answer = connection.getresponse()
    assert answer.status == 200
    found: dict[str, Any] = json.loads(answer.read())
    connection.close()
    return found


def lines_of_brat(found: dict[str, Any], is_old: bool = False) -> str:
    """Write the annotations that brat makes of an answer into its file."""
    lines = []
    for number, annotation in enumerate(found.values(), start=1):
        offsets, texts = annotation["offsets"], annotation["texts"]
        assert len(texts) == len(offsets) > 0
        assert not is_old or len(offsets) < 2
        spans = ";".join(f"{start} {end}" for start, end in offsets)
        lines.append(f"T{number}\t{annotation['type']} {spans}\t{texts[0]} {' '.join(texts[1:])}\n")
    return "".join(lines)


def test_brat_gets_every_mention_with_its_gaps(recognizer: Recognizer, tmp_path: Path) -> None:
    with listening(create_app(Catalogue({"talkative": recognizer}))) as url:
        found = asked_by_brat(f"{url}brat/talkative/tagger", TEXT)
        continuous = asked_by_brat(f"{url}brat/talkative/continuous-tagger", TEXT)
    (tmp_path / "d.txt").write_text(TEXT, encoding="utf-8", newline="")
    (tmp_path / "d.ann").write_text(lines_of_brat(found), encoding="utf-8", newline="")
    (read,) = disconer.read(tmp_path, "brat")
    assert [mention.key for mention in read] == [mention.key for mention in recognizer(TEXT)]
    assert any(mention.is_discontinuous for mention in read)
    assert not any("text" in mention.extras for mention in read)
    lines_of_brat(continuous, is_old=True)
    assert list(continuous.values()) == [one for one in found.values() if len(one["offsets"]) == 1]
    assert 0 < len(continuous) < len(found)


def test_an_answer_is_what_brat_takes(tagger: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "disconer.serve")
    assert tag(tagger, "Severe joint and shoulder pain").json() == {
        "T1": {"type": "Ends", "offsets": [[0, 6], [26, 30]], "texts": ["Severe", "pain"]}
    }
    assert tag(tagger, "Severe joint and shoulder pain", "/brat/a/continuous-tagger").json() == {}
    assert tag(tagger, "").json() == tag(tagger, "one").json() == {}
    lines = [record.fields for record in caplog.records]  # type: ignore[attr-defined]
    assert [(line["route"].rpartition("/")[2], line["mentions"], line["left_out"]) for line in lines] == [
        ("tagger", 1, 0), ("continuous-tagger", 1, 1), ("tagger", 0, 0), ("tagger", 0, 0),
    ]  # fmt: skip


def test_a_fragment_ends_with_its_line(tagger: TestClient) -> None:
    (annotation,) = tag(tagger, "one\ntwo").json().values()
    assert (annotation["offsets"], annotation["texts"]) == ([[0, 3], [4, 7]], ["one", "two"])


@pytest.mark.parametrize(
    ("content", "media_type", "status", "code"),
    [
        (b"one two", "application/json", 415, "not-text"),
        (b"one two", "text/plain; charset=latin-1", 415, "not-text"),
        (b"one two", None, 415, "not-text"),
        (b"one \xff", "text/plain", 400, "bad-text"),
        (b"one two", "text/plain", 200, None),
        (b"one two", 'TEXT/PLAIN; charset="UTF-8"', 200, None),
    ],
)
def test_what_is_no_text_is_refused(
    tagger: TestClient, content: bytes, media_type: str | None, status: int, code: str | None
) -> None:
    headers = {} if media_type is None else {"Content-Type": media_type}
    answer = tagger.post("/brat/a/tagger", content=content, headers=headers)
    assert (answer.status_code, answer.json().get("code")) == (status, code)


def test_limits_and_keys_are_those_of_other_requests() -> None:
    app = create_app(Catalogue({"a": Scripted()}), Limits(body_bytes=100, text_characters=50, words=20))
    with TestClient(app, base_url="http://localhost") as client:
        answers = [tag(client, text) for text in ("x" * 101, "x" * 51, "." * 21)]
        unknown = tag(client, "x", f"/brat/{SECRET}/tagger")
    assert [answer.json()["code"] for answer in answers] == ["body-too-large", "text-too-long", "text-too-long"]
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown-model")
    assert SECRET not in unknown.text
    with TestClient(
        create_app(Catalogue({"a": Scripted()}), keys=Keys([SECRET])), base_url="http://localhost"
    ) as client:
        assert tag(client, "one two").status_code == 401


def test_a_label_that_brat_cannot_hold_is_told() -> None:
    with TestClient(create_app(Catalogue({"a": Scripted(f"two {SECRET}")})), base_url="http://localhost") as client:
        answer = tag(client, "one two three")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert "brat" in answer.json()["detail"]
    assert SECRET not in answer.text


def test_the_reference_tells_the_limit_of_each_server() -> None:
    apps = [create_app(Catalogue({"a": Scripted()}), Limits(text_characters=most)) for most in (50, 60)]
    told = []
    for app in apps:
        body = TestClient(app, base_url="http://localhost").get("/openapi.json").json()["paths"]["/brat/{model}/tagger"]
        told.append(body["post"]["requestBody"]["content"]["text/plain"]["schema"]["maxLength"])
        assert app.openapi()["paths"]["/brat/{model}/tagger"]["post"]["requestBody"]["content"]["text/plain"][
            "schema"
        ] == {"type": "string"}
    assert told == [50, 60]
