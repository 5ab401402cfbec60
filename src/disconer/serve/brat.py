"""Taggers for brat, which sends a document's text and adds the annotations that come back."""

import asyncio
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, RootModel

from disconer.document import Document
from disconer.exceptions import CannotHoldError
from disconer.formats.brat import split_by_line
from disconer.serve.batcher import PredictOptions
from disconer.serve.bodies import TEXT, read_text
from disconer.serve.exchange import get_exchange
from disconer.serve.messages import EXAMPLE_TEXT, ModelPath, Pair
from disconer.serve.problems import invalid
from disconer.serve.service import Service

TAG = {
    "name": "brat",
    "description": "Taggers for the section `[annotators]` of a collection's `tools.conf`.",
}
_BODY = {
    "requestBody": {
        "required": True,
        "description": "A document's text.",
        "content": {TEXT: {"schema": {"type": "string"}, "example": EXAMPLE_TEXT}},
    }
}

_CONTINUOUS = {
    "content": {
        "application/json": {"example": {"T1": {"type": "ADR", "offsets": [[17, 30]], "texts": ["shoulder pain"]}}}
    }
}


class Annotation(BaseModel):
    """A mention as brat takes it."""

    type: str = Field(description="Its label.")
    offsets: list[Pair] = Field(description="Its fragments, which end with their line.")
    texts: list[str] = Field(description="The text of each.")


class Annotations(RootModel[dict[str, Annotation]]):
    """Mentions by an id, which brat replaces by one of its own."""

    model_config = {
        "json_schema_extra": {
            "example": {"T1": {"type": "ADR", "offsets": [[0, 6], [17, 30]], "texts": ["Severe", "shoulder pain"]}}
        }
    }


def create_router(service: Service) -> APIRouter:
    """Make the paths that brat calls."""
    taggers = APIRouter(prefix="/brat/{model}", tags=[TAG["name"]])

    @taggers.post(
        "/tagger", summary="Find mentions in a document", response_model=Annotations, openapi_extra=_BODY,
        response_description="The mentions.",
    )  # fmt: skip
    async def brat_tagger(model: ModelPath, request: Request) -> Response:
        """Give all mentions; one with gaps has several offsets."""
        return await _tag(service, model, request, has_gaps=True)

    @taggers.post(
        "/continuous-tagger", summary="Find mentions without gaps in a document", response_model=Annotations,
        openapi_extra=_BODY, response_description="The mentions.", responses={200: _CONTINUOUS},
    )  # fmt: skip
    async def brat_continuous_tagger(model: ModelPath, request: Request) -> Response:
        """Give the mentions of one piece only, for releases of brat that refuse everything where one has several."""
        return await _tag(service, model, request, has_gaps=False)

    return taggers


async def _tag(service: Service, model: str, request: Request, has_gaps: bool) -> Response:
    service.check_model(model)
    (document,) = await service.extract(request, PredictOptions(model), [await read_text(request)])
    try:
        annotations = await asyncio.to_thread(_to_annotations, document)
    except CannotHoldError:  # which says the label
        raise invalid("brat has no blanks in labels, and this model has") from None
    kept = [one for one in annotations if has_gaps or len(one["offsets"]) == 1]
    get_exchange(request.scope).notes["left_out"] = len(annotations) - len(kept)
    answer = {f"T{number}": one for number, one in enumerate(kept, start=1)}
    return Response(json.dumps(answer, ensure_ascii=False), media_type="application/json")


def _to_annotations(document: Document) -> list[dict[str, Any]]:
    found = ((mention.label, *zip(*split_by_line(mention), strict=True)) for mention in document)
    return [{"type": label, "offsets": offsets, "texts": texts} for label, offsets, texts in found]
