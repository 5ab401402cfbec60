"""The application: every path, and what stands around them."""

import asyncio
import json
from dataclasses import asdict
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from disconer.document import Document
from disconer.drawing.html import figure
from disconer.exceptions import CannotHoldError
from disconer.serve import openapi, static
from disconer.serve.admission import Admission
from disconer.serve.catalogue import Catalogue
from disconer.serve.downloads import DOWNLOADS
from disconer.serve.envelope import Envelope
from disconer.serve.exchange import exchange_of
from disconer.serve.guards import Guard, Hosts, Keys
from disconer.serve.messages import (
    ConvertRequest,
    ExtractRequest,
    ExtractResponse,
    LimitsInformation,
    ModelInformation,
    ModelsResponse,
    State,
    extracted,
)
from disconer.serve.metrics import MEDIA_TYPE
from disconer.serve.problems import Problem, invalid
from disconer.serve.reference import reference_page
from disconer.serve.service import Service, documents_of
from disconer.serve.settings import Batching, Limits
from disconer.serve.strict_json import StrictRoute
from disconer.serve.tools import brat, label_studio
from disconer.serve.validation import described


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
        title="disconer", version=version("disconer"), lifespan=service.running, openapi_url=None, docs_url=None,
        redoc_url=None, summary="Named entity recognition where a mention may have gaps",
        openapi_tags=[label_studio.TAG, brat.TAG], redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )  # fmt: skip
    app.state.service = service
    for router in (_api(service), label_studio.router(service), brat.router(service), _watched(service)):
        app.include_router(router)
    description = openapi.description(app, list(catalogue), limits, has_keys=bool(keys))
    app.include_router(_pages(description))
    app.add_exception_handler(HTTPException, _on_refusal)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    # The last one added is the outermost.
    app.add_middleware(Admission, limits=limits, metrics=service.metrics, seconds_ahead=service.batcher.seconds_ahead)
    app.add_middleware(Guard, hosts=hosts or Hosts(), keys=keys)
    app.add_middleware(Envelope, metrics=service.metrics, paths=[*description["paths"], "/", "/docs", "/openapi.json"])
    return app


def _api(service: Service) -> APIRouter:
    """Give the paths that programs ask."""
    api = APIRouter(prefix="/v1", route_class=StrictRoute)

    @api.get("/models", summary="List the models", response_description="The models and the limits.")
    async def models() -> ModelsResponse:
        """Which models there are, what they find, and how much the server takes at once."""
        return ModelsResponse(
            models=[_information(name, service) for name in service.catalogue],
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
        wish = service.wish(question)
        found = await service.read(request, wish, question.records)
        labels = service.catalogue.labels if question.draw else None
        body = await asyncio.to_thread(_answer, wish.model, found, labels)
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
        download = DOWNLOADS[question.to]
        exchange_of(request.scope).notes.update(texts=len(question.documents), to=str(question.to))
        documents = await asyncio.to_thread(documents_of, question.documents)
        service.check_surface(documents)
        try:
            content = await asyncio.to_thread(download.content, documents)
        except CannotHoldError:  # which says the label or the id that is in the way
            raise invalid("brat has no blanks in labels, and a different id for every document") from None
        headers = {"Content-Disposition": f'attachment; filename="{download.name}"'}
        return Response(content, headers=headers, media_type=download.media_type)


def _watched(service: Service) -> APIRouter:
    """Give the paths for those who watch the server."""
    watched = APIRouter()

    @watched.head("/healthz", include_in_schema=False)
    @watched.get("/healthz", summary="Tell whether the server lives", response_description="It does.")
    async def healthz() -> State:
        """Answers as long as the server does."""
        return State(status="ok")

    @watched.head("/readyz", include_in_schema=False)
    @watched.get("/readyz", summary="Tell whether the server takes requests", response_description="It does.")
    async def readyz(response: Response) -> State:
        """Ready once the models are loaded; with the status 503 while they cannot be asked."""
        response.status_code = HTTPStatus.OK if service.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        return State(status="ready" if service.is_ready else "not ready")

    @watched.get(
        "/metrics",
        summary="Counts and times for Prometheus",
        response_class=Response,
        response_description="The metrics.",
    )
    async def metrics() -> Response:
        """Requests, texts, mentions, batches and times, none of them with a word of a text."""
        return Response(service.metrics.page(), media_type=MEDIA_TYPE)

    return watched


def _pages(description: dict[str, Any]) -> APIRouter:
    """Give what people look at: the page, what it consists of, and the documentation."""
    pages = APIRouter(include_in_schema=False)
    reference = static.html_asset(reference_page(description))
    openapi_json = json.dumps(description, ensure_ascii=False)

    @pages.api_route("/", methods=["GET", "HEAD"])
    async def page(request: Request) -> Response:
        return static.assets()[static.PAGE].response(request)

    @pages.api_route("/docs", methods=["GET", "HEAD"])
    async def docs(request: Request) -> Response:
        return reference.response(request)

    @pages.api_route("/assets/{name}", methods=["GET", "HEAD"])
    async def asset(name: str, request: Request) -> Response:
        if name not in static.assets():
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return static.assets()[name].response(request)

    @pages.api_route("/openapi.json", methods=["GET", "HEAD"])
    async def openapi_document() -> Response:
        return Response(openapi_json, media_type="application/json")

    return pages


def _information(name: str, service: Service) -> ModelInformation:
    engine = service.catalogue[name].engine
    return ModelInformation(
        name=name, labels=list(engine.labels), kind=engine.name, runtime=engine.runtime
    )  # fmt: skip


def _answer(model: str, documents: list[Document], labels: tuple[str, ...] | None) -> str:
    """Write the answer, with drawings if there are labels to tell apart."""
    answer: dict[str, Any] = {"model": model, "documents": [extracted(document) for document in documents]}
    if labels is not None:
        answer["drawings"] = [figure(document, labels) for document in documents]
    return json.dumps(answer, ensure_ascii=False)


async def _on_refusal(request: Request, error: Exception) -> Response:
    """Tell a refusal as we tell all of them, also one by what we are built on."""
    if isinstance(error, Problem):
        return error.response(request.scope)
    assert isinstance(error, HTTPException)  # noqa: S101 (what this handler is for)
    status = HTTPStatus(error.status_code)
    code = status.phrase.lower().replace(" ", "-")
    return Problem(status, code, _DETAILS.get(status, status.description), headers=error.headers).response(
        request.scope
    )


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    errors = described(error)
    return invalid("the request is not what the documentation at /docs asks for", errors).response(request.scope)


_DETAILS = {
    HTTPStatus.NOT_FOUND: "there is nothing here: /docs lists what there is",
    HTTPStatus.METHOD_NOT_ALLOWED: "this path does not take this method: /docs says which it takes",
}
