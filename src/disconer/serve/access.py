"""Who is let in: the names that this server goes by, and the keys of its clients."""

import base64
import hashlib
import hmac
import ipaddress
import re
from collections.abc import Iterable
from pathlib import Path

from disconer.exceptions import InputError, quote
from disconer.foundation.files import read_text

PASSWORDS = ("/label-studio/",)
"""What is called by a program that has no way to send a key but as a password."""
KEYED = ("/v1/", "/metrics", "/brat/", *PASSWORDS)
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
                raise InputError(f"{quote(name)} is no name of a host: give it without a scheme, a port or a path")

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
        digest = _digest(_decode_password(key) if is_password else key.strip())
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


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _decode_password(credentials: str) -> str:
    """Read the password of basic authentication; empty where there is none."""
    try:
        return base64.b64decode(credentials.strip(), validate=True).decode("latin-1").partition(":")[2]
    except ValueError:
        return ""


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
