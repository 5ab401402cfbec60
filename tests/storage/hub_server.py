"""A stand-in for the Hugging Face hub, on this machine: repositories of models in memory, and who may see them."""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

OWNER = "somebody"
WRITING, READING = "hf_secret_that_may_write", "hf_secret_that_may_read"
"""The owner's two tokens."""
LARGE = (".safetensors", ".onnx")
"""What the files end in that are not sent inside a commit."""


class RefusedError(Exception):
    """An answer that is none."""

    def __init__(self, status: HTTPStatus, code: str = "", message: str = "", **told: str) -> None:
        super().__init__(status)
        self.status, self.code, self.message, self.told = status, code, message, told


NOT_FOUND = RefusedError(HTTPStatus.NOT_FOUND, "RepoNotFound", "Repository not found")


class Commit(NamedTuple):
    """The files of a repository at some time, and what was said of them."""

    files: dict[str, bytes]
    message: str

    @property
    def sha(self) -> str:
        parts = (f"{name}:{hashlib.sha1(content).hexdigest()}" for name, content in sorted(self.files.items()))
        return hashlib.sha1("\n".join((self.message, *parts)).encode()).hexdigest()


def beginning() -> dict[str, list[Commit]]:
    """Make the branches of a new repository."""
    return {"main": [Commit({".gitattributes": b"*.safetensors filter=lfs\n"}, "initial commit")]}


@dataclass
class Repository:
    """A model on the hub."""

    private: bool
    branches: dict[str, list[Commit]] = field(default_factory=beginning)

    @property
    def files(self) -> dict[str, bytes]:
        return self.branches["main"][-1].files

    def at(self, revision: str) -> Commit:
        """Find the commit that a branch or a commit's name stands for."""
        if revision in self.branches:
            return self.branches[revision][-1]
        for commit in (commit for history in self.branches.values() for commit in history):
            if commit.sha == revision:
                return commit
        raise RefusedError(HTTPStatus.NOT_FOUND, "RevisionNotFound", "Invalid rev id")


@dataclass
class Hub:
    """What the stand-in holds."""

    address: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    large_files: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """What was asked for, as `GET /path`."""
    failing: HTTPStatus | None = None
    """What every question is answered with instead."""


@dataclass
class Question:
    """What was asked, and by whom."""

    hub: Hub
    path: str
    options: dict[str, list[str]]
    token: str | None
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    def repository(self, name: str, writing: bool = False) -> Repository:
        """Find a repository, if whoever asks may see or change it."""
        found = self.hub.repositories.get(name)
        if found is None or (found.private and self.token is None):
            raise NOT_FOUND if self.token else RefusedError(HTTPStatus.UNAUTHORIZED, "RepoNotFound")
        if writing:
            self.check_writing()
        return found

    def check_writing(self) -> None:
        if self.token is None:
            raise RefusedError(HTTPStatus.UNAUTHORIZED, message="Invalid username or password.")
        if self.token != WRITING:
            raise RefusedError(HTTPStatus.FORBIDDEN, message="You don't have the required permissions")


class Answer(NamedTuple):
    """What is sent back."""

    content: bytes
    headers: Mapping[str, str]


def as_json(value: Any) -> Answer:
    return Answer(json.dumps(value).encode(), {"Content-Type": "application/json"})


def create(question: Question) -> Answer:
    question.check_writing()
    wanted = question.json
    name = f"{wanted['organization'] or OWNER}/{wanted['name']}"
    address = f"{question.hub.address}/{name}"
    if name in question.hub.repositories:
        raise RefusedError(HTTPStatus.CONFLICT, message="You already created this model repo", url=address)
    question.hub.repositories[name] = Repository(wanted.get("visibility") == "private" or bool(wanted.get("private")))
    return as_json({"url": address})


def information(question: Question, name: str, revision: str = "main") -> Answer:
    repository = question.repository(name)
    return as_json({"id": name, "private": repository.private, "sha": repository.at(revision).sha, "tags": []})


def tree(question: Question, name: str, revision: str) -> Answer:
    files = question.repository(name).at(revision).files
    return as_json([entry(path, content) for path, content in files.items()])


def entry(path: str, content: bytes) -> dict[str, Any]:
    large = {"lfs": {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 1}}
    oid = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    return {"type": "file", "path": path, "size": len(content), "oid": oid} | (large if path.endswith(LARGE) else {})


def validate(_: Question) -> Answer:
    return as_json({"errors": [], "warnings": []})


def preupload(question: Question, name: str, revision: str) -> Answer:
    question.repository(name, writing=True).at(revision)
    paths = [file["path"] for file in question.json["files"]]
    modes = {path: "lfs" if path.endswith(LARGE) else "regular" for path in paths}
    return as_json({"files": [{"path": path, "uploadMode": modes[path], "shouldIgnore": False} for path in paths]})


def large_files(question: Question, name: str) -> Answer:
    question.repository(name, writing=True)
    objects = question.json["objects"]
    for wanted in objects:
        wanted["actions"] = {"upload": {"href": f"{question.hub.address}/large-files/{wanted['oid']}"}}
    return as_json({"transfer": "basic", "objects": objects})


def upload(question: Question, oid: str) -> Answer:
    assert hashlib.sha256(question.content).hexdigest() == oid
    question.hub.large_files[oid] = question.content
    return Answer(b"", {})


def commit(question: Question, name: str, revision: str) -> Answer:
    repository = question.repository(name, writing=True)
    files = dict(repository.at(revision).files)
    head, *lines = map(json.loads, question.content.splitlines())
    for line in lines:
        value = line["value"]
        match line["key"]:
            case "file":
                files[value["path"]] = base64.b64decode(value["content"])
            case "lfsFile":
                files[value["path"]] = question.hub.large_files[value["oid"]]
            case "deletedFile":
                del files[value["path"]]
    made = Commit(files, head["value"]["summary"])
    is_proposal = question.options.get("create_pr") == ["1"]
    repository.branches.setdefault("refs/pr/1" if is_proposal else revision, []).append(made)
    address = f"{question.hub.address}/{name}"
    proposal = {"pullRequestUrl": f"{address}/discussions/1"} if is_proposal else {}
    return as_json({"commitUrl": f"{address}/commit/{made.sha}", "commitOid": made.sha, **proposal})


def branch(question: Question, name: str, revision: str) -> Answer:
    branches = question.repository(name, writing=True).branches
    if revision in branches:
        raise RefusedError(HTTPStatus.CONFLICT, message="Reference already exists")
    branches[revision] = list(branches["main"])
    return as_json({})


def resolve(question: Question, name: str, revision: str, path: str) -> Answer:
    found = question.repository(name).at(revision)
    if path not in found.files:
        raise RefusedError(HTTPStatus.NOT_FOUND, "EntryNotFound")
    content = found.files[path]
    return Answer(content, {"ETag": f'"{hashlib.sha256(content).hexdigest()}"', "X-Repo-Commit": found.sha})


NAME = r"([\w.-]+/[\w.-]+)"
PLACES: list[tuple[str, Callable[..., Answer]]] = [
    (r"POST /api/repos/create", create),
    (r"POST /api/validate-yaml", validate),
    (rf"GET /api/models/{NAME}", information),
    (rf"GET /api/models/{NAME}/revision/([^/]+)", information),
    (rf"GET /api/models/{NAME}/tree/([^/]+)", tree),
    (rf"POST /api/models/{NAME}/preupload/([^/]+)", preupload),
    (rf"POST /api/models/{NAME}/commit/([^/]+)", commit),
    (rf"POST /api/models/{NAME}/branch/([^/]+)", branch),
    (rf"POST /{NAME}\.git/info/lfs/objects/batch", large_files),
    (r"PUT /large-files/(\w+)", upload),
    (rf"(?:GET|HEAD) /{NAME}/resolve/([^/]+)/(.+)", resolve),
]


class Handler(BaseHTTPRequestHandler):
    """Speaks for the stand-in."""

    protocol_version = "HTTP/1.1"
    hub: Hub

    def answer(self) -> None:
        content = self._chunks() if "Transfer-Encoding" in self.headers else self._rest()
        address = urlsplit(self.path)
        self.hub.asked.append(f"{self.command} {address.path}")
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ") or None
        question = Question(self.hub, address.path, parse_qs(address.query), token, content)
        try:
            self._send(HTTPStatus.OK, self._answered(question))
        except RefusedError as refused:
            headers = {"X-Error-Code": refused.code, "X-Error-Message": refused.message}
            self._send(refused.status, Answer(json.dumps(refused.told).encode(), headers))

    def _rest(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _chunks(self) -> bytes:
        content = b""
        while size := int(self.rfile.readline(), 16):
            content += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return content

    def _answered(self, question: Question) -> Answer:
        if self.hub.failing is not None:
            raise RefusedError(self.hub.failing)
        is_known = question.token in (None, WRITING, READING) or question.path.startswith("/large-files/")
        if not is_known:
            raise RefusedError(HTTPStatus.UNAUTHORIZED, message="Invalid credentials in Authorization header")
        for pattern, function in PLACES:
            found = re.fullmatch(pattern, f"{self.command} {question.path}")
            if found:
                return function(question, *map(unquote, found.groups()))
        raise RefusedError(HTTPStatus.NOT_IMPLEMENTED)

    def _send(self, status: HTTPStatus, answer: Answer) -> None:
        self.send_response(status)
        for name, value in {**answer.headers, "Content-Length": str(len(answer.content))}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.content)

    do_GET = do_HEAD = do_POST = do_PUT = answer  # noqa: N815 (the names that the library asks for)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def running() -> Iterator[Hub]:
    """Run a hub of one's own."""
    hub = Hub()
    handler = type("OwnHandler", (Handler,), {"hub": hub})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        hub.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()
