"""What people look at: the page, the files it consists of, the API's reference; read once and kept in memory."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi_swagger import resources as swagger
from starlette.exceptions import HTTPException

from disconer.drawing.looks import script, style_sheet

_MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    content: bytes
    media_type: str
    tag: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tag", f'"{hashlib.sha256(self.content).hexdigest()[:32]}"')

    def to_response(self, request: Request) -> Response:
        """Send it, unless the browser has it already."""
        headers = {"Cache-Control": "no-cache", "ETag": self.tag}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        return Response(self.content, headers=headers, media_type=self.media_type)


@cache
def load_assets() -> dict[str, Asset]:
    """Read every file by its name: ours, those of Swagger UI, and what drawings need."""
    folders = (files(swagger), files("disconer.serve").joinpath("page"))  # ours win
    contents = {file.name: file.read_bytes() for folder in folders for file in folder.iterdir() if file.is_file()}
    contents["drawing.css"], contents["drawing-lines.js"] = style_sheet().encode(), script().encode()
    endings = {name: name.rpartition(".")[2] for name in contents}
    return {
        name: Asset(content, _MEDIA_TYPES[endings[name]])
        for name, content in contents.items()
        if endings[name] in _MEDIA_TYPES
    }


def create_router(openapi: dict[str, Any]) -> APIRouter:
    """Make the paths of pages; `openapi` is the document that describes the others."""
    pages = APIRouter(include_in_schema=False)
    openapi_json = json.dumps(openapi, ensure_ascii=False)

    @pages.api_route("/", methods=["GET", "HEAD"])
    async def page(request: Request) -> Response:
        return load_assets()["index.html"].to_response(request)

    @pages.api_route("/docs", methods=["GET", "HEAD"])
    async def docs(request: Request) -> Response:
        return load_assets()["docs.html"].to_response(request)

    @pages.api_route("/assets/{name}", methods=["GET", "HEAD"])
    async def asset(name: str, request: Request) -> Response:
        if name not in load_assets():
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return load_assets()[name].to_response(request)

    @pages.api_route("/openapi.json", methods=["GET", "HEAD"])
    async def openapi_document() -> Response:
        return Response(openapi_json, media_type="application/json")

    return pages
