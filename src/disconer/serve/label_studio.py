"""A machine learning backend for Label Studio, which calls these paths below the address that it was given."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from disconer.document import Document
from disconer.exceptions import InputError
from disconer.formats.label_studio.predictions import Prediction, Text, make_prediction, read_interface
from disconer.serve.batcher import PredictOptions
from disconer.serve.bodies import StrictRoute
from disconer.serve.exchange import get_exchange
from disconer.serve.messages import ModelPath, Several
from disconer.serve.problems import invalid
from disconer.serve.service import Service

TAG = {
    "name": "Label Studio",
    "description": "A backend for its predictions: the address to give it ends with `/label-studio/` and the name of a "
    "model. It sends a key as the password of basic authentication, with any name of a user. What its requests hold "
    "beside the fields that are listed here is not read.",
}
_INTERFACE = """\
<View>
  <Relations><Relation value="fragment"/></Relations>
  <Labels name="label" toName="text"><Label value="ADR"/></Labels>
  <Text name="text" value="$text"/>
</View>"""
_COMMON = {"from_name": "label", "to_name": "text", "type": "labels", "score": 0.97}
_EXAMPLE_RESULT: list[Any] = [
    {"id": "disconer-1", **_COMMON, "value": {"start": 0, "end": 6, "text": "Severe", "labels": ["ADR"]}},
    {"id": "disconer-2", **_COMMON, "value": {"start": 17, "end": 30, "text": "shoulder pain", "labels": ["ADR"]}},
    {"from_id": "disconer-1", "to_id": "disconer-2", "type": "relation", "direction": "right", "labels": ["fragment"]},
]


class _Message(BaseModel):
    """A part of a request. Label Studio sends more, some of it secret, which is not read."""

    model_config = ConfigDict(strict=True, extra="ignore")


class Health(BaseModel):
    """How the model is."""

    status: Literal["UP"]


class Versions(BaseModel):
    """The versions of a model that there are."""

    versions: list[str]


class SetupRequest(_Message):
    """A project that the model shall work for."""

    model_config = ConfigDict(json_schema_extra={"example": {"schema": _INTERFACE}})

    interface: str = Field(alias="schema", description="The project's labelling interface, as XML.")


class SetupResponse(BaseModel):
    """The model that is ready for a project."""

    model_version: str


class Task(_Message):
    """Something to be annotated."""

    data: dict[str, Any] = Field(description="What it consists of, its texts among it.")


class Marked(_Message):
    """What an annotator has marked in a task."""

    result: Several[dict[str, Any]] = Field([], description="Regions, the newest last.")


class Parameters(_Message):
    """How predictions are wanted."""

    context: Marked | None = Field(None, description="What an annotator has marked, with whom the model works.")


class PredictRequest(_Message):
    """Tasks for which predictions are wanted."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"tasks": [{"data": {"text": "Severe joint and shoulder pain."}}], "label_config": _INTERFACE}
        }
    )

    tasks: Several[Task]
    label_config: str = Field(description="The project's labelling interface, as XML.")
    params: Parameters | None = None

    @property
    def marked(self) -> list[dict[str, Any]] | None:
        """What an annotator has marked; None where nobody waits for suggestions."""
        return self.params.context.result if self.params and self.params.context else None


class TaskPrediction(BaseModel):
    """What was found in a task."""

    result: list[dict[str, Any]] = Field(description="Regions, and the relations that join them.")
    score: float | None = Field(ge=0, le=1, description="The mean of the mentions' scores, if there are any.")
    model_version: str


class LeftOut(BaseModel):
    """What could not be answered."""

    tasks: int = Field(description="Tasks that have no text where the interface says so.")
    mentions: int = Field(description="Mentions whose label the interface does not have.")
    labels: list[str] = Field(description="Their labels.")


class PredictResponse(BaseModel):
    """A prediction for each task, in order."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "results": [{"result": _EXAMPLE_RESULT, "score": 0.97, "model_version": "run-1f0c2a9d"}],
                "model_version": "run-1f0c2a9d",
                "left_out": {"tasks": 0, "mentions": 0, "labels": []},
            }
        }
    )

    results: list[TaskPrediction]
    model_version: str
    left_out: LeftOut


class Event(_Message):
    """Something that happened in a project."""

    action: str | None = Field(None, examples=["ANNOTATION_CREATED"], description="What it was.")


class Ignored(BaseModel):
    """Nothing was done."""

    status: Literal["ignored"]


MESSAGES = (SetupRequest, PredictRequest, Task, Parameters, Marked, Event)
"""What requests consist of."""


def create_router(service: Service) -> APIRouter:
    """Make the paths that Label Studio calls."""
    backend = APIRouter(prefix="/label-studio/{model}", tags=[TAG["name"]], route_class=StrictRoute)

    @backend.get("/health", summary="Tell that the model is there", response_description="It is.")
    async def label_studio_health(model: ModelPath) -> Health:
        """Asked before anything else."""
        service.check_model(model)
        return Health(status="UP")

    @backend.get("/versions", summary="List the versions of the model", response_description="There is one.")
    async def label_studio_versions(model: ModelPath) -> Versions:
        """The version changes whenever the model does."""
        service.check_model(model)
        return Versions(versions=[service.catalogue.version(model)])

    @backend.post("/setup", summary="Try a project's labelling interface", response_description="It fits the model.")
    async def label_studio_setup(model: ModelPath, question: SetupRequest) -> SetupResponse:
        """Refused where the interface has no text to read, or none of the labels that the model finds."""
        service.check_model(model)
        await asyncio.to_thread(_find_texts, question.interface, service.catalogue[model].labels)
        return SetupResponse(model_version=service.catalogue.version(model))

    _add_predict(backend, service)
    _add_webhook(backend, service)
    return backend


def _add_predict(backend: APIRouter, service: Service) -> None:
    @backend.post(
        "/predict",
        summary="Find mentions in tasks",
        response_model=PredictResponse,
        response_description="A prediction for each task.",
    )
    async def label_studio_predict(model: ModelPath, question: PredictRequest, request: Request) -> Response:
        """Give a prediction for each task, in order.

        A mention is a region or, where it has gaps, several that relations with the label `fragment` join, each to the
        next. The score of a prediction is the mean of its mentions' scores. Where an annotator works with the model,
        which `params.context` says, only those mentions are given that touch the region that was marked last.
        """
        service.check_model(model)
        version = service.catalogue.version(model)
        texts = await asyncio.to_thread(_find_texts, question.label_config, service.catalogue[model].labels)
        service.check_number(max(len(question.tasks), len(texts)))  # or all of either times all of the other is listed
        asked = list(_list_task_texts(question, texts))
        found = await service.extract(request, PredictOptions(model), [one.content for one in asked])
        answer = await asyncio.to_thread(_make_answer, question, list(zip(asked, found, strict=True)), version)
        get_exchange(request.scope).notes["left_out"] = answer["left_out"]["mentions"]
        body = await asyncio.to_thread(json.dumps, answer, ensure_ascii=False)
        return Response(body, media_type="application/json")


def _add_webhook(backend: APIRouter, service: Service) -> None:
    @backend.post("/webhook", summary="Hear what happens in a project", response_description="It is of no interest.")
    async def label_studio_webhook(model: ModelPath, event: Event) -> Ignored:
        """Take note of nothing: this server keeps no annotations. A wish to train is refused, as it does not train."""
        service.check_model(model)
        if event.action == "START_TRAINING":
            raise invalid("this server does not train: export the annotations, and use disconer train --init")
        return Ignored(status="ignored")


class _TaskText(NamedTuple):
    """A text of a task that is to be read."""

    task: int
    text: Text
    content: str


def _find_texts(interface: str, labels: Sequence[str]) -> list[Text]:
    """Find the texts of a labelling interface that a model with these labels is of use for."""
    try:
        texts = read_interface(interface)
    except InputError as error:
        raise invalid(error.message) from None
    fitting = [text for text in texts if not text.choices.keys().isdisjoint(labels)]
    if not fitting:
        raise invalid(f"the labelling interface has none of the labels that the model finds: {', '.join(labels)}")
    return fitting


def _list_task_texts(question: PredictRequest, texts: Sequence[Text]) -> Iterator[_TaskText]:
    """List what is to be read; a task may not have every text."""
    for number, task in enumerate(question.tasks):
        contents = ((text, task.data.get(text.key)) for text in texts)
        yield from (_TaskText(number, text, content) for text, content in contents if isinstance(content, str))


def _make_predictions(question: PredictRequest, found: Sequence[tuple[_TaskText, Document]]) -> list[Prediction]:
    of_tasks: list[list[tuple[Text, Document]]] = [[] for _ in question.tasks]
    for asked, document in found:
        of_tasks[asked.task].append((asked.text, document))
    try:
        return [make_prediction(of_task, question.marked) for of_task in of_tasks]
    except InputError:  # which may say what is in a region
        raise invalid("what is marked is not a list of regions of the text") from None


def _make_answer(question: PredictRequest, found: Sequence[tuple[_TaskText, Document]], version: str) -> dict[str, Any]:
    predictions = _make_predictions(question, found)
    left_out = [mention for one in predictions for mention in one.left_out]
    return {
        "results": [{"result": one.results, "score": one.score, "model_version": version} for one in predictions],
        "model_version": version,
        "left_out": {
            "tasks": len(question.tasks) - len({asked.task for asked, _ in found}),
            "mentions": len(left_out),
            "labels": sorted({mention.label for mention in left_out}),
        },
    }
