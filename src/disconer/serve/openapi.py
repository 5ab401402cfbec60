"""The OpenAPI document, with what FastAPI cannot know: the limits of this server and how it refuses."""

from copy import deepcopy
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI

from disconer.serve.access import KEYED
from disconer.serve.bodies import TEXT
from disconer.serve.messages import ProblemDetails
from disconer.serve.problems import MEDIA_TYPE
from disconer.serve.settings import Limits

_PROBLEM = "ProblemDetails"
_UNKNOWN_HOST = "`unknown-host`: the Host header names another server."
_REFUSALS = {
    HTTPStatus.BAD_REQUEST: f"`bad-json`: the body is not JSON. {_UNKNOWN_HOST}",
    HTTPStatus.REQUEST_TIMEOUT: "`body-timeout`: the request took too long to arrive.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "`body-too-large`, `text-too-long`, `too-many-texts`: more than is taken.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "`not-json`: the header Content-Type does not say application/json.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "`invalid`: values that are not what they should be, up to 20 of them listed.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "`failed`: the server's own fault.",
    HTTPStatus.SERVICE_UNAVAILABLE: "`busy`: too many requests wait. `stopping`: the server is being stopped.",
}
"""How requests with a body may be refused."""
_REFUSALS_OF_TEXT = {
    HTTPStatus.BAD_REQUEST: f"`bad-text`: the body is not UTF-8. {_UNKNOWN_HOST}",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "`not-text`: the header Content-Type does not say text/plain.",
}
"""How it is told otherwise where the body is no JSON."""
_MODEL = "/{model}/"
"""What a path has that names a model."""
_KEY = {
    "type": "http",
    "scheme": "bearer",
    "description": "One of the keys in the file that the server was started with. It goes into this header only.",
}
_RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}}


def describe(app: FastAPI, models: list[str], limits: Limits, has_keys: bool) -> dict[str, Any]:
    """Describe the paths that an application has so far, for a server of these models."""
    document = deepcopy(app.openapi())  # which shares parts with other servers of this process
    schemas = document["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas |= _problem_schemas()
    _add_limits(schemas, limits)
    _describe_tools(document, models, limits)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            _add_refusals(operation, path, method)
            if has_keys and path.startswith(KEYED):
                _add_key(operation)
    if has_keys:
        document["components"]["securitySchemes"] = {"key": _KEY}
    _describe_files(document)
    return document


def _problem_schemas() -> dict[str, Any]:
    schema = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**schema.pop("$defs", {}), _PROBLEM: schema}


def _add_limits(schemas: dict[str, Any], limits: Limits) -> None:
    for name in ("Record", "AnnotatedRecord"):
        schemas[name]["properties"]["text"]["maxLength"] = limits.text_characters
    one, several = schemas["ExtractRequest"]["properties"]["texts"]["oneOf"]
    one["maxLength"] = several["items"]["oneOf"][0]["maxLength"] = limits.text_characters
    several["maxItems"] = schemas["ConvertRequest"]["properties"]["documents"]["maxItems"] = limits.texts


def _describe_tools(document: dict[str, Any], models: list[str], limits: Limits) -> None:
    """Say which models a path may name, and how much its body may hold."""
    document["components"]["schemas"]["PredictRequest"]["properties"]["tasks"]["maxItems"] = limits.texts
    for methods in (item for path, item in document["paths"].items() if _MODEL in path):
        for operation in methods.values():
            (parameter,) = operation["parameters"]
            parameter["schema"]["enum"] = models
            text = operation.get("requestBody", {"content": {}})["content"].get(TEXT)
            if text:
                text["schema"]["maxLength"] = limits.text_characters


def _add_refusals(operation: dict[str, Any], path: str, method: str) -> None:
    answers = operation["responses"]
    if method == "post":
        is_text = TEXT in operation["requestBody"]["content"]
        refusals = _REFUSALS | _REFUSALS_OF_TEXT if is_text else _REFUSALS
        answers |= {str(int(status)): _refusal(meaning) for status, meaning in refusals.items()}
        answers["503"]["headers"] = _RETRY_AFTER
    else:
        answers.pop("422", None)  # FastAPI's own, which a name in a path cannot cause
        answers["400"] = _refusal(_UNKNOWN_HOST)
    if path == "/v1/extract" or _MODEL in path:
        answers["404"] = _refusal("`unknown-model`: there is no model of this name.")
    if path == "/readyz":
        answers.pop("400")
        answers["503"] = {**answers["200"], "description": "The models cannot be asked."}
    if path == "/healthz":
        answers.pop("400")


def _refusal(meaning: str) -> dict[str, Any]:
    return {
        "description": meaning,
        "content": {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{_PROBLEM}"}}},
    }


def _add_key(operation: dict[str, Any]) -> None:
    operation["security"] = [{"key": []}]
    operation["responses"]["401"] = _refusal("`unauthorized`: this needs a key in the header Authorization.")


def _describe_files(document: dict[str, Any]) -> None:
    """Say what the answers that are no JSON are."""
    content: dict[str, Any] = {"application/x-ndjson": {}, "application/zip": {}}
    document["paths"]["/v1/convert"]["post"]["responses"]["200"]["content"] = content
    document["paths"]["/metrics"]["get"]["responses"]["200"]["content"] = {"text/plain": {"schema": {"type": "string"}}}
