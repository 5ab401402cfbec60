"""The paths: what they answer, and how they refuse."""

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings

import disconer
from disconer.document import Document
from disconer.drawing.html import figure
from disconer.drawing.looks import Looks
from disconer.formats import jsonl
from disconer.recognizer import Recognizer
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from disconer.serve.settings import Limits
from disconer.tokenize import Split
from tests.serve.recognizers import Scripted
from tests.strategies import documents

TEXT = "Severe joint, shoulder and upper body pain. Legs felt weak and numb 🤕 after Zoloric."
SECRET = "Zyxwvut"
JSON = {"Content-Type": "application/json"}


def ask(client: TestClient, texts: Any, **others: Any) -> Any:
    return client.post("/v1/extract", json={"texts": texts, **others})


def assert_same(entities: list[dict[str, Any]], document: Document) -> None:
    """Check that an answer has a document's mentions; the last digit of a score depends on its company."""
    assert [(one["label"], one["spans"], one["text"]) for one in entities] == [
        (mention.label, [list(fragment) for fragment in mention.fragments], mention.text) for mention in document
    ]
    scores = [mention.score for mention in document]
    assert [one["score"] for one in entities] == pytest.approx(scores, abs=2e-4)


def test_a_text_is_answered_as_the_recognizer_does(client: TestClient, recognizer: Recognizer) -> None:
    answer = ask(client, TEXT).json()
    found = recognizer(TEXT)
    assert found.mentions
    assert any(mention.is_discontinuous for mention in found)
    assert answer["model"] == "talkative"
    (document,) = answer["documents"]
    assert document["text"] == TEXT
    assert_same(document["entities"], found)
    assert "id" not in document
    assert "drawings" not in answer


def test_answers_come_in_the_order_of_the_texts(client: TestClient, recognizer: Recognizer) -> None:
    texts = [f"{word} pain and {word} ache." for word in ("Joint", "Back", "Chest", "Leg")] + ["", "  \n "]
    answers = ask(client, texts).json()["documents"]
    assert [answer["text"] for answer in answers] == texts
    for answer, text in zip(answers, texts, strict=True):
        assert_same(answer["entities"], recognizer(text))
    assert ask(client, []).json()["documents"] == []


def test_records_keep_their_keys_and_lose_their_entities(client: TestClient) -> None:
    record = {
        "id": 7, "text": "Joint pain. Back pain.", "sentences": [[0, 11], [12, 22]], "ward": {"bed": [3, None]},
        "entities": "of somebody else",
    }  # fmt: skip
    (answer,) = ask(client, [record]).json()["documents"]
    kept = {key: value for key, value in answer.items() if key != "entities"}
    assert kept == {key: value for key, value in record.items() if key != "entities"}
    assert isinstance(answer["entities"], list)


def test_an_answer_is_jsonl(client: TestClient, tmp_path: Path, recognizer: Recognizer) -> None:
    path = tmp_path / "answer.jsonl"
    lines = [json.dumps(document) for document in ask(client, [TEXT, "No pain."]).json()["documents"]]
    path.write_text("\n".join(lines))
    read = list(disconer.read(path))
    assert [[mention.key for mention in document] for document in read] == [
        [mention.key for mention in document] for document in recognizer.pipe([TEXT, "No pain."])
    ]
    assert read[0].layout.sentences == recognizer(TEXT).layout.sentences


def test_a_threshold_and_a_context_are_passed_on(client: TestClient, recognizer: Recognizer) -> None:
    (high,) = ask(client, TEXT, threshold=0.6, context=2).json()["documents"]
    assert_same(high["entities"], recognizer(TEXT, 0.6, 2))
    assert 0 < len(high["entities"]) < len(recognizer(TEXT))


def test_a_drawing_is_the_renderers(client: TestClient, recognizer: Recognizer) -> None:
    record = {"text": TEXT, "sentences": [[0, 43], [44, 84]], "html": "its own"}
    answer = ask(client, [TEXT, record], draw=True).json()
    assert answer["drawings"] == [figure(recognizer(TEXT), recognizer.labels)] * 2
    assert answer["documents"][1]["html"] == "its own"


def test_models_are_told_apart_by_name() -> None:
    catalogue = Catalogue({"first": Scripted("A"), "second": Scripted("B")})
    with TestClient(create_app(catalogue), base_url="http://localhost") as client:
        assert [model["name"] for model in client.get("/v1/models").json()["models"]] == ["first", "second"]
        labels = [
            ask(client, "one two", **wish).json()["documents"][0]["entities"][0]["label"]
            for wish in ({}, {"model": "second"}, {"model": "first"})
        ]
        assert labels == ["A", "B", "A"]
        drawings = [ask(client, "one two", model=name, draw=True).json() for name in catalogue]
        hues = [re.findall(r"dn-hue-\d", drawing["drawings"][0])[0] for drawing in drawings]
        assert hues == [f"dn-hue-{Looks(catalogue.labels)[label].hue}" for label in "AB"]
        missing = ask(client, "one two", model=SECRET)
    assert missing.status_code == 404
    assert missing.json()["code"] == "unknown-model"
    assert SECRET not in missing.text


def test_models_are_described(client: TestClient, recognizer: Recognizer) -> None:
    answer = client.get("/v1/models").json()
    assert answer == {
        "models": [
            {
                "name": "talkative",
                "labels": list(recognizer.labels),
                "kind": "mac",
                "runtime": "torch",
                "examples": [],
                "invented": False,
            }
        ],
        "limits": {"body_bytes": 1_048_576, "text_characters": 100_000, "words": 20_000, "texts": 256},
        "version": disconer.__version__,
    }


@settings(max_examples=25)
@given(documents())
def test_jsonl_comes_back_from_a_download(document: Document) -> None:
    with TestClient(create_app(Catalogue({"a": Scripted()})), base_url="http://localhost") as client:
        record = jsonl.to_record(document)
        answer = client.post("/v1/convert", content=json.dumps({"documents": [record], "to": "jsonl"}), headers=JSON)
    assert answer.status_code == 200, answer.text
    assert [jsonl.read_document(json.loads(line), Split.AUTO) for line in answer.text.split("\n") if line] == [document]


def test_brat_is_a_folder_in_an_archive(client: TestClient, tmp_path: Path, recognizer: Recognizer) -> None:
    texts = ["Joint and back pain 🤕.\r\nLegs weak and numb.", "Chest pain."]
    answer = ask(client, [{"id": "ward 3/note", "text": texts[0]}, {"text": texts[1]}]).json()
    file = client.post("/v1/convert", json={"documents": answer["documents"], "to": "brat"})
    assert file.headers["content-type"] == "application/zip"
    assert file.headers["content-disposition"] == 'attachment; filename="mentions-brat.zip"'
    with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
        archive.extractall(tmp_path)
    read = {document.text: document for document in disconer.read(tmp_path, "brat")}
    assert {document.id for document in read.values()} == {"ward 3/note", "document-000002"}
    for text in texts:
        assert {mention.key for mention in read[text]} == {mention.key for mention in recognizer(text)}


def test_what_brat_cannot_hold_is_told(client: TestClient) -> None:
    blank = {"text": "pain", "entities": [{"label": f"two {SECRET}", "spans": [[0, 4]]}]}
    twice = {"text": "pain", "id": SECRET}
    for records in ([blank], [twice, twice]):
        answer = client.post("/v1/convert", json={"documents": records, "to": "brat"})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
        assert "brat" in answer.json()["detail"]
        assert SECRET not in answer.text


def test_mentions_that_repeat_the_text_too_often_are_refused() -> None:
    record = {"text": "x" * 5000, "entities": [{"label": "A", "spans": [[start, 5000]]} for start in range(100)]}
    question = {"documents": [record], "to": "brat"}
    for body_bytes, status in ((10_000, 413), (40_000, 200)):
        app = create_app(Catalogue({"a": Scripted()}), Limits(body_bytes=body_bytes))
        with TestClient(app, base_url="http://localhost") as client:
            assert client.post("/v1/convert", json=question).status_code == status


WRONG: list[tuple[Any, int, str]] = [
    ({}, 422, "texts"),
    ([], 422, "the body"),
    ({"texts": 5}, 422, "texts"),
    ({"texts": [5]}, 422, "texts.0"),
    ({"texts": ["fine", {"text": 5}]}, 422, "texts.1.text"),
    ({"texts": [{"text": "x", "id": 1.5}]}, 422, "texts.0.id"),
    ({"texts": [{"text": "x", "words": [[0]]}]}, 422, "texts.0.words.0"),
    ({"texts": "x", "threshold": 0}, 422, "threshold"),
    ({"texts": "x", "threshold": 1.1}, 422, "threshold"),
    ({"texts": "x", "context": 0}, 422, "context"),
    ({"texts": "x", "context": True}, 422, "context"),
    ({"texts": "x", "draw": "yes"}, 422, "draw"),
    ({"texts": "x", SECRET: 1}, 422, "the body"),
    ({"texts": {SECRET: SECRET}}, 422, "texts"),
    ({"texts": [{"text": "x", "sentences": [[0, SECRET]]}]}, 422, "texts.0.sentences.0.1"),
]


@pytest.mark.parametrize(("body", "status", "where"), WRONG)
def test_what_is_wrong_is_told_by_its_place(client: TestClient, body: Any, status: int, where: str) -> None:
    answer = client.post("/v1/extract", json=body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["code"] == "invalid"
    assert where in [error["where"] for error in problem["errors"]]
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert SECRET not in answer.text


def test_of_many_errors_the_first_is_told(client: TestClient) -> None:
    wrong: list[list[Any]] = [[1] * 100_000, [{}] * 100_000, [{"text": "x", "words": [[]] * 100_000}]]
    for texts in wrong:
        answer = ask(client, texts)
        assert answer.status_code == 422
        assert len(answer.json()["errors"]) == 1
    unknown = client.post("/v1/extract", json={"texts": "x", "threshold": "x", "context": "x", "draw": 1, "model": 1})
    assert len(unknown.json()["errors"]) == 4


def test_offsets_outside_the_text_are_refused(client: TestClient) -> None:
    answer = ask(client, ["fine", {"text": SECRET, "sentences": [[0, 99]]}])
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("number 1: ")
    assert "0-99" in answer.json()["detail"]
    assert SECRET not in answer.text


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"{", JSON, 400, "bad-json"),
        (b"", JSON, 400, "bad-json"),
        (b"\xff{}", JSON, 400, "bad-json"),
        (b'{"texts": "x", "threshold": NaN}', JSON, 400, "bad-json"),
        (b'{"texts": [{"text": "x", "n": 1e999}]}', JSON, 400, "bad-json"),
        (b"[" * 200_000, JSON, 400, "bad-json"),
        (b'{"texts": [{"text": "x", "n": ' + b"9" * 5000 + b"}]}", JSON, 400, "bad-json"),
        (b'{"texts": "half \\ud83d"}', JSON, 400, "bad-json"),
        (b'{"texts": [{"text": "x", "\\udc00": 1}]}', JSON, 400, "bad-json"),
        (b'{"texts": "x"}', {"Content-Type": "text/plain"}, 415, "not-json"),
        (b'{"texts": "x"}', {"Content-Type": "application/jsonx"}, 415, "not-json"),
        (b'{"texts": "x"}', {}, 415, "not-json"),
        (b"\x1f\x8b", {**JSON, "Content-Encoding": "gzip"}, 415, "not-json"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused(
    client: TestClient, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    answer = client.post("/v1/extract", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert len(answer.text) < 500


def test_whole_surrogate_pairs_are_taken(client: TestClient) -> None:
    answer = client.post("/v1/extract", content=rb'{"texts": "pain \ud83e\udd15"}', headers=JSON)
    assert answer.json()["documents"][0]["text"] == "pain 🤕"


def test_what_is_too_much_is_refused() -> None:
    limits = Limits(body_bytes=2000, text_characters=150, words=100, texts=3)
    with TestClient(create_app(Catalogue({"a": Scripted()}), limits), base_url="http://localhost") as client:
        answers = [
            ask(client, "x" * 150),
            ask(client, "🤕" * 100),
            ask(client, "." * 100),
            ask(client, "." * 101),
            ask(client, "x" * 151),
            ask(client, [{"text": "x" * 151}]),
            ask(client, ["x"] * 4),
            ask(client, "x" * 2000),
            client.post("/v1/convert", json={"documents": [{"text": "x"}] * 4, "to": "jsonl"}),
            client.post("/v1/convert", json={"documents": [{"text": "x" * 151}], "to": "jsonl"}),
            client.post("/v1/convert", json={"documents": [{"text": "x", "y": "z" * 7500}], "to": "jsonl"}),
            client.post("/v1/convert", json={"documents": [{"text": "x", "y": "z" * 8000}], "to": "jsonl"}),
            client.post("/v1/extract", content=(piece for piece in [b"x" * 1500] * 2), headers=JSON),
        ]
    codes = [None if answer.status_code == 200 else answer.json()["code"] for answer in answers]
    assert [(answer.status_code, code) for answer, code in zip(answers, codes, strict=True)] == [
        (200, None), (200, None), (200, None), (413, "text-too-long"), (413, "text-too-long"), (413, "text-too-long"),
        (413, "too-many-texts"), (413, "body-too-large"), (413, "too-many-texts"), (413, "text-too-long"),
        (200, None), (413, "body-too-large"), (413, "body-too-large"),
    ]  # fmt: skip


def test_a_failure_is_told_without_what_it_says(caplog: pytest.LogCaptureFixture) -> None:
    with TestClient(create_app(Catalogue({"a": Scripted()})), base_url="http://localhost") as client:
        answer = ask(client, f"{SECRET} pain!")
        assert ask(client, "joint pain").status_code == 200
    assert (answer.status_code, answer.json()["code"]) == (500, "failed")
    assert SECRET not in answer.text
    failures = [record.fields for record in caplog.records if record.levelname == "ERROR"]  # type: ignore[attr-defined]
    assert [failure["error"] for failure in failures] == ["RuntimeError", "RuntimeError"]
    assert [failure["request_id"] for failure in failures] == ["", answer.json()["request_id"]]
    assert SECRET not in json.dumps(failures)


def test_there_is_nothing_elsewhere(client: TestClient) -> None:
    for path in ("/nowhere", "/v1/extract/", "/v1/", "/assets/../app.py", "/assets/%2e%2e/app.py", "/assets/app.py"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), path
    wrong = client.get("/v1/extract")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method-not-allowed")
    assert wrong.headers["allow"] == "POST"


def test_every_answer_protects_itself(client: TestClient) -> None:
    for path in (
        "/",
        "/docs",
        "/openapi.json",
        "/healthz",
        "/metrics",
        "/v1/models",
        "/nowhere",
        "/assets/drawing.css",
    ):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        is_kept = path in ("/", "/docs", "/assets/drawing.css")
        assert headers["cache-control"] == ("no-cache" if is_kept else "no-store")
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])


def test_a_request_id_comes_back_if_it_is_plain(client: TestClient) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": "a-1.b_2"}).headers["x-request-id"] == "a-1.b_2"
    for odd in ("a b", "x" * 65, '"><script>', ""):
        assert client.get("/healthz", headers={"X-Request-ID": odd}).headers["x-request-id"] != odd


def test_files_are_sent_once(client: TestClient) -> None:
    first = client.get("/assets/drawing.css")
    assert first.headers["content-type"] == "text/css; charset=utf-8"
    again = client.get("/assets/drawing.css", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.head("/").headers["content-type"] == "text/html; charset=utf-8"


def test_the_page_asks_for_nothing_from_elsewhere(client: TestClient) -> None:
    for path in ("/", "/docs"):
        page = client.get(path).text
        assert not re.findall(r"""(?:src|href)=["']?(?:https?:)?//""", page)
        for name in re.findall(r'(?:src|href)="(assets/[^"]+)"', page):
            assert client.get(f"/{name}").status_code == 200, name


def test_health_and_readiness(recognizer: Recognizer) -> None:
    unstarted = TestClient(create_app(Catalogue({"a": recognizer})), base_url="http://localhost")
    assert unstarted.get("/healthz").json() == {"status": "ok"}
    assert unstarted.get("/readyz").status_code == 503
    with unstarted as client:
        assert client.get("/readyz").json() == {"status": "ready"}
        assert client.head("/readyz").status_code == 200


def test_metrics_count_what_was_done() -> None:
    with TestClient(create_app(Catalogue({"a": Scripted()})), base_url="http://localhost") as client:
        ask(client, [f"{SECRET} pain", "joint pain"])
        client.get(f"/{SECRET}")
        page = client.get("/metrics").text
    for line in (
        'disconer_requests_total{method="POST",route="/v1/extract",status="200"} 1.0',
        'disconer_requests_total{method="GET",route="other",status="404"} 1.0',
        'disconer_texts_total{model="a"} 2.0',
        'disconer_mentions_total{model="a"} 2.0',
        'disconer_characters_total{model="a"} 22.0',
        "disconer_batch_texts_sum 2.0",
        'disconer_request_seconds_count{route="/v1/extract"} 1.0',
        "disconer_places 64.0",
        "disconer_places_taken 0.0",
        f'disconer_info{{version="{disconer.__version__}"}} 1.0',
    ):
        assert line in page.splitlines()
    assert SECRET not in page


def test_the_log_has_a_line_a_request_and_no_text(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "disconer.serve")
    ask(client, [f"{SECRET} pain", "joint pain"])
    client.get(f"/{SECRET}?{SECRET}={SECRET}", headers={"User-Agent": SECRET, "Referer": SECRET})
    client.request(SECRET, "/healthz")
    client.get("/v1/models", headers={"Host": f"{SECRET}.example.org"})
    lines = [record.fields for record in caplog.records if record.name == "disconer.serve"]  # type: ignore[attr-defined]
    assert [(line["route"], line["status"]) for line in lines] == [
        ("/v1/extract", 200), ("other", 404), ("/healthz", 405), ("/v1/models", 400),
    ]  # fmt: skip
    assert {"request_id", "seconds", "model", "texts", "characters", "mentions"} <= lines[0].keys()
    assert (lines[0]["texts"], lines[0]["characters"]) == (2, 22)
    assert SECRET not in json.dumps(lines)
