"""Bodies of requests: JSON and nothing else, or plain text."""

import json
import re
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect

from disconer.exceptions import FormatError
from disconer.formats.json_records import parse_json
from disconer.serve.exchange import ClientGone
from disconer.serve.problems import Problem

JSON = "application/json"
TEXT = "text/plain"
_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


class StrictRequest(Request):
    """A request whose JSON has neither NaN nor half characters, and is not nested without end."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = await self._read_json()
        return self._json

    async def _read_json(self) -> Any:
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            detail = f"the body must be {JSON}, and the header Content-Type must say so"
            raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-json", detail)
        if self.headers.get("content-encoding", "identity").lower() != "identity":
            raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-json", "the body must not be compressed")
        text = await _read_utf8(self, "bad-json")
        try:
            value = parse_json(text)
            _check_whole_characters(text, value)
        except FormatError as error:
            raise Problem(HTTPStatus.BAD_REQUEST, "bad-json", error.message) from None
        return value


class StrictRoute(APIRoute):
    """A route whose requests are strict."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if request.method == "POST":
                await strict.json()
            return await handle(strict)

        return handle_strictly


async def read_text(request: Request) -> str:
    """Read a body that says it is plain text."""
    media_type, _, parameters = request.headers.get("content-type", "").lower().partition(";")
    charset = parameters.partition("charset=")[2].strip(' "')
    if media_type.strip() != TEXT or charset not in ("", "utf-8", "utf8"):
        detail = f"the body must be {TEXT} in UTF-8, and the header Content-Type must say so"
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-text", detail)
    return await _read_utf8(request, "bad-text")


async def _read_utf8(request: Request, code: str) -> str:
    """Read a body as UTF-8; `code` is the problem's where it is not."""
    try:
        return (await request.body()).decode("utf-8")
    except ClientDisconnect:
        raise ClientGone from None
    except UnicodeDecodeError as error:
        detail = f"the body is not valid UTF-8 from byte {error.start} on"
        raise Problem(HTTPStatus.BAD_REQUEST, code, detail) from None


def _check_whole_characters(text: str, value: Any) -> None:
    """Raise when some string has half a surrogate pair; only an escape can hold one."""
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise FormatError("a string has half a surrogate pair, which is not Unicode") from None
