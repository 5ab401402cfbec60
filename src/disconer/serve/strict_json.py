"""Bodies of requests as JSON and nothing else, told in our own words where they are not."""

import json
import re
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from disconer.exceptions import FormatError
from disconer.formats.json_records import decoded
from disconer.serve.plain_text import utf8_body
from disconer.serve.problems import Problem

_MEDIA_TYPE = "application/json"
_BAD = "bad-json"
_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


class StrictRequest(Request):
    """A request whose JSON has no numbers that are none and no half characters, and is not nested without end."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = await self._decoded()
        return self._json

    async def _decoded(self) -> Any:
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != _MEDIA_TYPE:
            detail = f"the body must be {_MEDIA_TYPE}, and the header Content-Type must say so"
            raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-json", detail)
        if self.headers.get("content-encoding", "identity").lower() != "identity":
            raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-json", "the body must not be compressed")
        text = await utf8_body(self, _BAD)
        try:
            value = decoded(text)
            _check_whole_characters(text, value)
        except FormatError as error:
            raise Problem(HTTPStatus.BAD_REQUEST, _BAD, error.message) from None
        return value


class StrictRoute(APIRoute):
    """A route that reads such requests."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handling(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if request.method == "POST":
                await strict.json()
            return await handle(strict)

        return handling


def _check_whole_characters(text: str, value: Any) -> None:
    """Raise when some string has half a surrogate pair; only an escape can hold one."""
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise FormatError("a string has half a surrogate pair, which is not Unicode") from None
