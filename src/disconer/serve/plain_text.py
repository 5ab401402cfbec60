"""Bodies of requests as plain text."""

from http import HTTPStatus

from fastapi import Request
from starlette.requests import ClientDisconnect

from disconer.serve.departure import ClientGone
from disconer.serve.problems import Problem

MEDIA_TYPE = "text/plain"


async def plain_text(request: Request) -> str:
    """Read a body that says it is text."""
    media_type, _, parameters = request.headers.get("content-type", "").lower().partition(";")
    charset = parameters.partition("charset=")[2].strip(' "')
    if media_type.strip() != MEDIA_TYPE or charset not in ("", "utf-8", "utf8"):
        detail = f"the body must be {MEDIA_TYPE} in UTF-8, and the header Content-Type must say so"
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-text", detail)
    return await utf8_body(request, "bad-text")


async def utf8_body(request: Request, code: str) -> str:
    """Read a body as UTF-8; the code is of the refusal where it is not."""
    try:
        return (await request.body()).decode("utf-8")
    except ClientDisconnect:
        raise ClientGone from None
    except UnicodeDecodeError as error:
        detail = f"the body is not valid UTF-8 from byte {error.start} on"
        raise Problem(HTTPStatus.BAD_REQUEST, code, detail) from None
