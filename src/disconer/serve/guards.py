"""Who is let in: requests that name this host, and clients that know a key."""

import base64
import hashlib
import hmac
import ipaddress
import re
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from disconer.exceptions import InputError, shown
from disconer.formats.files import read_text
from disconer.serve.problems import Problem

_PROBES = ("/healthz", "/readyz")
"""What those who watch the server ask, by whatever name they know it."""
_BASIC = ("/label-studio/",)
"""What is called by a program that has no way to send a key but as a password."""
KEYED = ("/v1/", "/metrics", "/brat/", *_BASIC)
"""What takes a key, where there is one; the page and the documentation hold nothing but themselves."""
_SHORTEST_KEY = 16
_HOST = re.compile(r"(?:(?P<name>[^\s:@/\[\].][^\s:@/\[\]]*?)\.?|\[(?P<address>[0-9a-f:.]+)\])(?::[0-9]{1,5})?")
_NAME = re.compile(r"\*|[\w.-]*\w|[0-9a-f:.]+")


class Hosts:
    """The names that this server goes by.

    A page of somebody else's can make its own name lead here, and a browser then takes us for a part of that page. The
    Host header still tells: it has that name. An address or `localhost` can be nobody else's.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names = {"localhost", *(name.lower() for name in names)}
        for name in self.names:
            if not _NAME.fullmatch(name):
                raise InputError(f"{shown(name)} is no name of a host: give it without a scheme, a port or a path")

    def admits(self, header: str) -> bool:
        """Tell whether a Host header names this server.

        >>> hosts = Hosts(["ner.example.org"])
        >>> [hosts.admits(one) for one in ("127.0.0.1:8000", "[::1]", "NER.example.org", "evil.example.org")]
        [True, True, True, False]
        """
        host = _HOST.fullmatch(header.lower())
        if host is None:
            return False
        return "*" in self.names or host["name"] in self.names or _is_address(host["name"] or host["address"])


class Keys:
    """The keys that clients may have. Only their digests are kept, and all are compared, in constant time."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._digests = [_digest(key) for key in keys]

    def __bool__(self) -> bool:
        return bool(self._digests)

    def admits(self, header: str, as_password: bool = False) -> bool:
        """Tell whether an Authorization header has a key, which may also be a password if that is allowed."""
        scheme, _, key = header.partition(" ")
        is_password = as_password and scheme.lower() == "basic"
        digest = _digest(_password(key) if is_password else key.strip())
        known = [hmac.compare_digest(digest, one) for one in self._digests]
        return (is_password or scheme.lower() == "bearer") and any(known)


def read_keys(path: Path) -> Keys:
    """Read a file of keys, one a line."""
    lines = [line.strip() for line in read_text(path).splitlines()]
    if not any(lines):
        raise InputError("there is no key in this file: write one, say of `openssl rand -hex 32`", path=path)
    for number, key in enumerate(lines, start=1):
        if key and (len(key) < _SHORTEST_KEY or not (key.isascii() and key.isprintable()) or " " in key):
            raise InputError(
                f"a key needs at least {_SHORTEST_KEY} characters of plain ASCII without a blank",
                path=path,
                line=number,
            )
    return Keys(filter(None, lines))


class Guard:
    """Lets requests pass that name this host and have a key, before anything of a body is read."""

    def __init__(self, app: ASGIApp, hosts: Hosts, keys: Keys) -> None:
        self.app = app
        self.hosts = hosts
        self.keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._problem(scope) if scope["type"] == "http" else None
        answer = self.app if problem is None else problem.response(scope)
        await answer(scope, receive, send)

    def _problem(self, scope: Scope) -> Problem | None:
        headers, path = Headers(scope=scope), scope["path"]
        if path not in _PROBES and not self.hosts.admits(headers.get("host", "")):
            detail = "this server does not go by the name in the Host header: start it with --allowed-host NAME"
            return Problem(HTTPStatus.BAD_REQUEST, "unknown-host", detail)
        is_open = not self.keys or not path.startswith(KEYED)
        if not is_open and not self.keys.admits(headers.get("authorization", ""), path.startswith(_BASIC)):
            detail = "this needs a key: send it in the header Authorization, as Bearer KEY"
            return Problem(
                HTTPStatus.UNAUTHORIZED, "unauthorized", detail, headers={"WWW-Authenticate": "Bearer"}
            )  # fmt: skip
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _password(credentials: str) -> str:
    """Give the password of basic authentication; nothing where there is none."""
    try:
        return base64.b64decode(credentials.strip(), validate=True).decode("latin-1").partition(":")[2]
    except ValueError:
        return ""


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
