"""The files of the page, read once and kept in memory."""

import hashlib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from disconer.drawing.style import style_sheet

_MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
PAGE = "index.html"


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    content: bytes
    media_type: str
    tag: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tag", f'"{hashlib.sha256(self.content).hexdigest()[:32]}"')

    def response(self, request: Request) -> Response:
        """Send it, unless the browser has it already."""
        headers = {"Cache-Control": "no-cache", "ETag": self.tag}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        return Response(self.content, headers=headers, media_type=self.media_type)


@cache
def assets() -> dict[str, Asset]:
    """Give every file by its name."""
    folders = (files("disconer.serve").joinpath(name) for name in ("page", "reference"))
    own = (file for folder in folders for file in folder.iterdir() if _ending(file.name) in _MEDIA_TYPES)
    found = {file.name: _asset(file.name, file.read_bytes()) for file in own}
    return {**found, "drawing.css": _asset("drawing.css", style_sheet().encode())}


def html_asset(page: str) -> Asset:
    """Make a page that was written by a program an asset."""
    return _asset(PAGE, page.encode())


def _asset(name: str, content: bytes) -> Asset:
    return Asset(content, _MEDIA_TYPES[_ending(name)])


def _ending(name: str) -> str:
    return name.rpartition(".")[2]
