"""A machine learning backend for Label Studio, which calls these paths below the address that it was given."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response

from disconer.document import Document
from disconer.exceptions import InputError
from disconer.formats.label_studio.interface import Text, texts_of
from disconer.formats.label_studio.predictions import Prediction, prediction
from disconer.serve.batching import Wish
from disconer.serve.exchange import exchange_of
from disconer.serve.messages import ModelPath
from disconer.serve.problems import invalid
from disconer.serve.service import Service
from disconer.serve.strict_json import StrictRoute
from disconer.serve.tools.label_studio_messages import (
    Event,
    Health,
    Ignored,
    PredictRequest,
    PredictResponse,
    SetupRequest,
    SetupResponse,
    Versions,
)

TAG = {
    "name": "Label Studio",
    "description": "A backend for its predictions: the address to give it ends with `/label-studio/` and the name of a "
    "model. It sends a key as the password of basic authentication, with any name of a user. What its requests hold "
    "beside the fields that are listed here is not read.",
}


def router(service: Service) -> APIRouter:
    """Give the paths that Label Studio calls."""
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
        await asyncio.to_thread(_fitting, question.interface, service.catalogue[model].labels)
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
        texts = await asyncio.to_thread(_fitting, question.label_config, service.catalogue[model].labels)
        service.check_number(max(len(question.tasks), len(texts)))  # or all of either times all of the other is listed
        asked = list(_asked(question, texts))
        found = await service.read(request, Wish(model), [one.content for one in asked])
        answer = await asyncio.to_thread(_answer, question, list(zip(asked, found, strict=True)), version)
        exchange_of(request.scope).notes["left_out"] = answer["left_out"]["mentions"]
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


class _Asked(NamedTuple):
    """A text of a task that is to be read."""

    task: int
    text: Text
    content: str


def _fitting(interface: str, labels: Sequence[str]) -> list[Text]:
    """Give the texts of a labelling interface that a model with these labels is of use for."""
    try:
        texts = texts_of(interface)
    except InputError as error:
        raise invalid(error.message) from None
    fitting = [text for text in texts if not text.choices.keys().isdisjoint(labels)]
    if not fitting:
        raise invalid(f"the labelling interface has none of the labels that the model finds: {', '.join(labels)}")
    return fitting


def _asked(question: PredictRequest, texts: Sequence[Text]) -> Iterator[_Asked]:
    """Give what is to be read; a task may not have every text."""
    for number, task in enumerate(question.tasks):
        contents = ((text, task.data.get(text.key)) for text in texts)
        yield from (_Asked(number, text, content) for text, content in contents if isinstance(content, str))


def _predictions(question: PredictRequest, found: Sequence[tuple[_Asked, Document]]) -> list[Prediction]:
    of_tasks: list[list[tuple[Text, Document]]] = [[] for _ in question.tasks]
    for asked, document in found:
        of_tasks[asked.task].append((asked.text, document))
    try:
        return [prediction(of_task, question.marked) for of_task in of_tasks]
    except InputError:  # which may say what is in a region
        raise invalid("what is marked is not a list of regions of the text") from None


def _answer(question: PredictRequest, found: Sequence[tuple[_Asked, Document]], version: str) -> dict[str, Any]:
    predictions = _predictions(question, found)
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
