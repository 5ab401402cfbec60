"""The backend for Label Studio, asked as Label Studio asks (label_studio/ml/api_connector.py of its version 1.23)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import disconer
from disconer.recognizer import Recognizer
from disconer.serve.access import Keys
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from disconer.serve.settings import Limits
from tests.serve.recognizers import Scripted

TEXT = "Severe joint, shoulder and upper body pain. Legs felt weak and numb 🤕 after Zoloric."
SECRET = "Zyxwvut"
KEY = "correct-horse-battery-staple"
INTERFACE = """
<View>
  <Relations><Relation value="fragment"/></Relations>
  <Labels name="kinds" toName="note"><Label value="Both ends" predicted_values="Ends"/></Labels>
  <Text name="note" value="$note"/>
</View>
"""


def interface_for(labels: tuple[str, ...]) -> str:
    choices = "".join(f'<Label value="{label}"/>' for label in labels)
    return f'<View><Labels name="l" toName="t">{choices}</Labels><Text name="t" value="$text"/></View>'


def question(*texts: Any, interface: str = INTERFACE, context: Any = None, key: str = "note") -> dict[str, Any]:
    """Write what Label Studio sends, with all that it adds."""
    tasks = [{"id": number, "data": {key: text}, "meta": {}, "project": 3} for number, text in enumerate(texts)]
    params = {"login": None, "password": SECRET, "context": context}
    return {"tasks": tasks, "project": "3.1763329689", "label_config": interface, "params": params}


@pytest.fixture
def backend() -> Iterator[TestClient]:
    with TestClient(create_app(Catalogue({"a": Scripted()}, {"a": "1f0c2a9d"})), base_url="http://localhost") as client:
        yield client


def predict(client: TestClient, body: dict[str, Any], model: str = "a") -> Any:
    return client.post(f"/label-studio/{model}/predict", json=body)


def test_a_backend_is_connected_as_label_studio_does(backend: TestClient) -> None:
    assert backend.get("/label-studio/a/health").json() == {"status": "UP"}
    setup = {"project": "3.1", "schema": INTERFACE, "hostname": "", "access_token": SECRET, "extra_params": None}
    assert backend.post("/label-studio/a/setup", json=setup).json() == {"model_version": "a-1f0c2a9d"}
    assert backend.get("/label-studio/a/versions").json() == {"versions": ["a-1f0c2a9d"]}


def test_predictions_are_in_the_words_of_the_project(backend: TestClient) -> None:
    answer = predict(backend, question("Severe joint and shoulder pain", "one")).json()
    assert answer["model_version"] == "a-1f0c2a9d"
    assert answer["left_out"] == {"tasks": 0, "mentions": 0, "labels": []}
    first, second = answer["results"]
    assert (first["score"], first["model_version"]) == (0.75, "a-1f0c2a9d")
    severe, pain, relation = first["result"]
    for region, start, end, text in ((severe, 0, 6, "Severe"), (pain, 26, 30, "pain")):
        assert (region["from_name"], region["to_name"], region["type"]) == ("kinds", "note", "labels")
        assert region["value"] == {"start": start, "end": end, "text": text, "labels": ["Both ends"]}
        assert region["score"] == 0.75
    assert (relation["from_id"], relation["to_id"]) == (severe["id"], pain["id"])
    assert second == {"result": [], "score": None, "model_version": "a-1f0c2a9d"}


def test_a_real_model_comes_back_through_an_export(client: TestClient, recognizer: Recognizer, tmp_path: Path) -> None:
    body = question(TEXT, interface=interface_for(recognizer.labels), key="text")
    (prediction,) = predict(client, body, "talkative").json()["results"]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{"data": {"text": TEXT}, "predictions": [prediction]}]))
    (read,) = disconer.read(path, "label-studio")
    assert [mention.key for mention in read] == [mention.key for mention in recognizer(TEXT)]
    assert any(mention.is_discontinuous for mention in read)


def test_tasks_without_the_text_are_answered_with_nothing(backend: TestClient) -> None:
    body = question("one two", None, 5, "three four")
    answer = predict(backend, body).json()
    assert [len(one["result"]) for one in answer["results"]] == [1, 0, 0, 1]
    assert answer["left_out"]["tasks"] == 2
    assert predict(backend, question()).json()["results"] == []


def test_labels_that_the_project_has_not_are_left_out_and_told(
    client: TestClient, recognizer: Recognizer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "disconer.serve")
    found = recognizer(TEXT)
    label = found.mentions[0].label
    body = question(TEXT, interface=interface_for((label,)), key="text")
    answer = predict(client, body, "talkative").json()
    others = [mention for mention in found if mention.label != label]
    assert answer["left_out"] == {
        "tasks": 0, "mentions": len(others), "labels": sorted({mention.label for mention in others}),
    }  # fmt: skip
    assert others
    (line,) = [record.fields for record in caplog.records if record.name == "disconer.serve"]  # type: ignore[attr-defined]
    assert line["route"] == "/label-studio/{model}/predict"
    assert (line["model"], line["texts"], line["left_out"]) == ("talkative", 1, len(others))


def test_who_works_with_the_model_gets_what_the_last_region_is_a_part_of(backend: TestClient) -> None:
    value = {"start": 5, "end": 8, "text": "two", "labels": ["Both ends"]}
    own = {"id": "x", "from_name": "kinds", "to_name": "note", "type": "labels", "value": value}
    text = "one, two"
    (touched,) = predict(backend, question(text, context={"result": [own]})).json()["results"]
    assert [one["value"]["text"] for one in touched["result"][:2]] == ["one", "two"]
    accepted = touched["result"][:2]
    no_question: list[dict[str, Any]] = [{"result": []}, {}, {"result": [own, *accepted]}, {"result": [*accepted, own]}]
    for context in no_question:
        assert predict(backend, question(text, context=context)).json()["results"][0]["result"] == []


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("setup", {"schema": SECRET}, None),
        ("setup", {"schema": f"<View>{SECRET}</View>"}, None),
        ("setup", {"schema": f"<View>&{SECRET};</View>"}, None),
        ("setup", {"schema": interface_for((SECRET,))}, None),
        ("setup", {"schema": 5}, "schema"),
        ("setup", {}, "schema"),
        ("predict", question(SECRET, interface="<View/>"), None),
        ("predict", {"tasks": [{"data": SECRET}], "label_config": INTERFACE}, "tasks.0.data"),
        ("predict", {"tasks": SECRET, "label_config": INTERFACE}, "tasks"),
        ("predict", question("one two", context={"result": [SECRET]}), "params.context.result.0"),
        ("predict", question("one two", context={"result": [{"to_name": "note", "type": SECRET, "value": 3}]}), None),
        ("webhook", {"action": "START_TRAINING", "project": {"title": SECRET}}, None),
        ("webhook", {"action": 5}, "action"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_without_a_word_of_it(
    backend: TestClient, path: str, body: Any, where: str | None
) -> None:
    answer = backend.post(f"/label-studio/a/{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert SECRET not in answer.text
    assert [error["where"] for error in answer.json().get("errors", [])] == ([where] if where else [])


def test_what_happens_in_a_project_is_taken_note_of_by_nobody(
    backend: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "disconer.serve")
    event = {"action": "ANNOTATION_CREATED", "task": {"data": {"note": SECRET}}, "annotation": {"result": [{}]}}
    assert backend.post("/label-studio/a/webhook", json=event).json() == {"status": "ignored"}
    assert SECRET not in caplog.text + json.dumps([record.fields for record in caplog.records])  # type: ignore[attr-defined]


def test_a_model_that_is_not_there_is_told(backend: TestClient) -> None:
    for method, path, body in (
        ("GET", "health", None), ("GET", "versions", None), ("POST", "setup", {"schema": INTERFACE}),
        ("POST", "predict", question("x")), ("POST", "webhook", {}),
    ):  # fmt: skip
        answer = backend.request(method, f"/label-studio/{SECRET}/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-model")
        assert SECRET not in answer.text


def test_limits_are_those_of_other_requests() -> None:
    app = create_app(Catalogue({"a": Scripted()}), Limits(body_bytes=1000, text_characters=50, words=20, texts=2))
    with TestClient(app, base_url="http://localhost") as client:
        bodies = [question(*["x"] * 3), question("x" * 51), question("." * 21), question("x" * 4000), question("x")]
        answers = [predict(client, body) for body in bodies]
    assert [(answer.status_code, answer.json().get("code")) for answer in answers] == [
        (413, "too-many-texts"), (413, "text-too-long"), (413, "text-too-long"), (413, "body-too-large"), (200, None),
    ]  # fmt: skip


def test_many_texts_of_many_tasks_are_not_even_listed(backend: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small request may name as many texts as it has tags, times its tasks."""
    monkeypatch.setattr("disconer.serve.label_studio._list_task_texts", lambda *_: pytest.fail("they were listed"))
    labels, text = '<Labels name="l" toName="t"><Label value="Ends"/></Labels>', '<Text name="t" value="$note"/>'
    tags = f"<View>{labels}{text * 300}</View>"
    for body in (question("", interface=tags), question(*[""] * 300), question(*[None] * 300)):
        answer = predict(backend, body)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-many-texts")


def test_a_key_is_the_password_there_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "disconer.serve")
    with TestClient(create_app(Catalogue({"a": Scripted()}), keys=Keys([KEY])), base_url="http://localhost") as client:
        path = "/label-studio/a/health"
        assert client.get(path, auth=("anybody", KEY)).status_code == 200
        assert client.get(path, headers={"Authorization": f"Bearer {KEY}"}).status_code == 200
        assert client.get(path, auth=(KEY, "anybody")).status_code == 401
        assert client.get(path, auth=("anybody", f"{KEY}x")).status_code == 401
        assert client.get("/v1/models", auth=("anybody", KEY)).status_code == 401
        for header in ("Basic", "Basic !", f"Basic {KEY}", "Basic Og==", "Basic \xe9", f"Digest {KEY}", ""):
            refused = client.get(path, headers=[(b"Authorization", header.encode("latin-1"))])
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"] == "Bearer"
    routes = {record.fields["route"] for record in caplog.records}  # type: ignore[attr-defined]
    assert routes == {"/label-studio/{model}/health", "/v1/models"}
