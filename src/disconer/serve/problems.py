"""What a client is told when it does not get what it asked for: RFC 9457's `application/problem+json`."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from disconer.serve.exchange import get_exchange

MEDIA_TYPE = "application/problem+json"


class Problem(HTTPException):
    """A request that cannot be served, with a code for programs and a sentence for people.

    Neither holds anything of a text: answers end up in the logs of others.
    """

    def __init__(
        self,
        status: HTTPStatus,
        code: str,
        detail: str,
        errors: list[dict[str, str]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.code = code
        self.errors = errors

    def to_response(self, scope: Scope) -> Response:
        body: dict[str, Any] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status_code).phrase,
            "status": self.status_code,
            "code": self.code,
            "detail": self.detail,
            "request_id": get_exchange(scope).request_id,
        }
        if self.errors is not None:
            body["errors"] = self.errors
        get_exchange(scope).notes["code"] = self.code
        return Response(json.dumps(body), self.status_code, self.headers, MEDIA_TYPE)


def too_large(code: str, detail: str) -> Problem:
    """Say that there is more than a limit allows; what was not read yet never will be."""
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, code, detail, headers={"Connection": "close"})


def invalid(detail: str, errors: list[dict[str, str]] | None = None) -> Problem:
    """Say that a request is not what the documentation asks for."""
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", detail, errors)


def failed() -> Problem:
    """Say that it is our fault, and no more: what went wrong may hold text."""
    detail = "the server failed on this request; its log says more under this request id"
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "failed", detail)


def busy(detail: str, seconds: int, code: str = "busy") -> Problem:
    """Say when to come back; a connection that found no place is not kept open either."""
    headers = {"Retry-After": str(seconds), "Connection": "close"}
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, code, detail, headers=headers)


def stopping() -> Problem:
    """Say that the server goes before it could answer."""
    return busy("the server is being stopped: send the request again", 1, "stopping")
