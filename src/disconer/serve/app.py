"""The application: every path, and what stands around them."""

import asyncio
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from disconer.document import Document
from disconer.drawing.html import figure
from disconer.exceptions import CannotHoldError
from disconer.formats import Losses, jsonl
from disconer.formats import brat as brat_format
from disconer.serve import brat, label_studio, openapi, pages
from disconer.serve.access import Hosts, Keys
from disconer.serve.bodies import StrictRoute
from disconer.serve.catalogue import Catalogue
from disconer.serve.exchange import get_exchange
from disconer.serve.messages import (
    AnnotatedRecord,
    ConvertRequest,
    Entity,
    ExtractRequest,
    ExtractResponse,
    LimitsInformation,
    ModelInformation,
    ModelsResponse,
    State,
    Target,
    to_record,
)
from disconer.serve.middleware import AccessMiddleware, AdmissionMiddleware, ExchangeMiddleware
from disconer.serve.monitoring import METRICS_MEDIA_TYPE
from disconer.serve.problems import Problem, invalid
from disconer.serve.service import Service, to_documents
from disconer.serve.settings import Batching, Limits

_DETAILS = {
    HTTPStatus.NOT_FOUND: "there is nothing here: /docs lists what there is",
    HTTPStatus.METHOD_NOT_ALLOWED: "this path does not take this method: /docs says which it takes",
}
_MOST_ERRORS = 20
"""That are told of a request; more are of no use."""
_FIELDS = {
    about.alias or name
    for message in (ExtractRequest, ConvertRequest, AnnotatedRecord, Entity, *label_studio.MESSAGES)
    for name, about in message.model_fields.items()
}
"""What requests may hold. Other keys are not repeated: they may be text that somebody put into the wrong place."""


def create_app(
    catalogue: Catalogue,
    limits: Limits | None = None,
    batching: Batching | None = None,
    keys: Keys | None = None,
    hosts: Hosts | None = None,
) -> FastAPI:
    """Make the application for some models; its state holds the `service`."""
    limits, keys = limits or Limits(), keys or Keys()
    service = Service(catalogue, limits, batching or Batching())
    app = FastAPI(
        title="disconer", version=version("disconer"), lifespan=service.lifespan, openapi_url=None, docs_url=None,
        redoc_url=None, summary="Named entity recognition where a mention may have gaps",
        openapi_tags=[label_studio.TAG, brat.TAG], redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )  # fmt: skip
    app.state.service = service
    for router in (
        _create_api(service), label_studio.create_router(service), brat.create_router(service), _create_probes(service)
    ):  # fmt: skip
        app.include_router(router)
    description = openapi.describe(app, list(catalogue), limits, has_keys=bool(keys))
    app.include_router(pages.create_router(description))
    app.add_exception_handler(HTTPException, _on_refusal)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    # The last one added is the outermost.
    app.add_middleware(
        AdmissionMiddleware, limits=limits, metrics=service.metrics, seconds_ahead=service.batcher.seconds_ahead
    )
    app.add_middleware(AccessMiddleware, hosts=hosts or Hosts(), keys=keys)
    paths = [*description["paths"], "/", "/docs", "/openapi.json"]
    app.add_middleware(ExchangeMiddleware, metrics=service.metrics, paths=paths)
    return app


def _create_api(service: Service) -> APIRouter:
    """Make the paths that programs ask."""
    api = APIRouter(prefix="/v1", route_class=StrictRoute)

    @api.get("/models", summary="List the models", response_description="The models and the limits.")
    async def models() -> ModelsResponse:
        """Which models there are, what they find, and how much the server takes at once."""
        return ModelsResponse(
            models=[_describe_model(name, service) for name in service.catalogue],
            limits=LimitsInformation.model_validate(asdict(service.limits)),
            version=version("disconer"),
        )

    _add_extract(api, service)
    _add_convert(api, service)
    return api


def _add_extract(api: APIRouter, service: Service) -> None:
    @api.post(
        "/extract",
        summary="Find mentions",
        response_model=ExtractResponse,
        response_description="Every text with its mentions.",
    )
    async def extract(question: ExtractRequest, request: Request) -> Response:
        """Find the mentions of one text or of several, with their gaps.

        The answer has a document for each text, in order. Offsets count code points, ends are exclusive. Texts of
        requests that arrive together are read together; what is found in a text does not depend on that, but for the
        last digit of a score, or with a model of eight bits for a doubtful mention.
        """
        options = service.options(question)
        found = await service.extract(request, options, question.records)
        labels = service.catalogue.labels if question.draw else None
        body = await asyncio.to_thread(_write_answer, options.model, found, labels)
        return Response(body, media_type="application/json")


def _add_convert(api: APIRouter, service: Service) -> None:
    @api.post(
        "/convert", summary="Download documents as a file", response_class=Response, response_description="The file."
    )
    async def convert(question: ConvertRequest, request: Request) -> Response:
        """Write documents, say those of an answer, as JSONL or as a folder of brat's in a zip archive.

        brat has no room for scores, nor for keys that it does not know.
        """
        service.check_texts([record.text for record in question.documents])
        download = _DOWNLOADS[question.to]
        get_exchange(request.scope).notes.update(texts=len(question.documents), to=str(question.to))
        documents = await asyncio.to_thread(to_documents, question.documents)
        service.check_surface(documents)
        try:
            content = await asyncio.to_thread(download.write, documents)
        except CannotHoldError:  # which says the label or the id that is in the way
            raise invalid("brat has no blanks in labels, and a different id for every document") from None
        headers = {"Content-Disposition": f'attachment; filename="{download.name}"'}
        return Response(content, headers=headers, media_type=download.media_type)


@dataclass(frozen=True)
class _Download:
    """A file: what it is called, what it is, and how documents become one."""

    name: str
    media_type: str
    write: Callable[[Sequence[Document]], bytes]


def _write_jsonl(documents: Sequence[Document]) -> bytes:
    return "".join(map(jsonl.to_line, documents)).encode()


def _write_brat(documents: Sequence[Document]) -> bytes:
    """Write a folder of brat's as an archive, in memory: texts do not go to disk."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for name, content in brat_format.to_files(documents, Losses()):
            files.writestr(zipfile.ZipInfo(name), content.encode(), zipfile.ZIP_DEFLATED)
    return archive.getvalue()


_DOWNLOADS = {
    Target.JSONL: _Download("mentions.jsonl", "application/x-ndjson", _write_jsonl),
    Target.BRAT: _Download("mentions-brat.zip", "application/zip", _write_brat),
}


def _create_probes(service: Service) -> APIRouter:
    """Make the paths for those who watch the server."""
    probes = APIRouter()

    @probes.head("/healthz", include_in_schema=False)
    @probes.get("/healthz", summary="Tell whether the server lives", response_description="It does.")
    async def healthz() -> State:
        """Answers as long as the server does."""
        return State(status="ok")

    @probes.head("/readyz", include_in_schema=False)
    @probes.get("/readyz", summary="Tell whether the server takes requests", response_description="It does.")
    async def readyz(response: Response) -> State:
        """Ready once the models are loaded; with the status 503 while they cannot be asked."""
        response.status_code = HTTPStatus.OK if service.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        return State(status="ready" if service.is_ready else "not ready")

    @probes.get(
        "/metrics",
        summary="Counts and times for Prometheus",
        response_class=Response,
        response_description="The metrics.",
    )
    async def metrics() -> Response:
        """Requests, texts, mentions, batches and times, none of them with a word of a text."""
        return Response(service.metrics.write(), media_type=METRICS_MEDIA_TYPE)

    return probes


def _describe_model(name: str, service: Service) -> ModelInformation:
    engine = service.catalogue[name].engine
    return ModelInformation(
        name=name, labels=list(engine.labels), kind=engine.name, runtime=engine.runtime,
        examples=service.catalogue.examples(name), invented=service.catalogue.learned_from_invented(name),
    )  # fmt: skip


def _write_answer(model: str, documents: list[Document], labels: tuple[str, ...] | None) -> str:
    """Write the answer, with drawings if there are labels to tell apart."""
    answer: dict[str, Any] = {"model": model, "documents": [to_record(document) for document in documents]}
    if labels is not None:
        answer["drawings"] = [figure(document, labels) for document in documents]
    return json.dumps(answer, ensure_ascii=False)


async def _on_refusal(request: Request, error: Exception) -> Response:
    """Answer with a problem, also where Starlette refused."""
    if isinstance(error, Problem):
        return error.to_response(request.scope)
    assert isinstance(error, HTTPException)  # noqa: S101 (what this handler is for)
    status = HTTPStatus(error.status_code)
    code = status.phrase.lower().replace(" ", "-")
    problem = Problem(status, code, _DETAILS.get(status, status.description), headers=error.headers)
    return problem.to_response(request.scope)


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    problem = invalid("the request is not what the documentation at /docs asks for", _describe_errors(error))
    return problem.to_response(request.scope)


def _describe_errors(error: RequestValidationError) -> list[dict[str, str]]:
    """Say where each error is and what should be there; what could be one of several things is told once."""
    told: dict[str, list[str]] = {}
    for one in error.errors():
        # Of the way to a value, the names and numbers; which type of value it was taken for is left out.
        way = [str(part) for part in one["loc"] if isinstance(part, int) or part in _FIELDS]
        what = "there is a key that is not known" if one["type"] == "extra_forbidden" else one["msg"]
        told.setdefault(".".join(way) or "the body", []).append(what)
    errors = list(told.items())[:_MOST_ERRORS]
    return [{"where": where, "what": ", or ".join(dict.fromkeys(what))} for where, what in errors]
