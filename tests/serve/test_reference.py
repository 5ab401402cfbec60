"""The API's reference: complete, true, harmless, and readable on any screen."""

import json
import re
import shlex
from collections.abc import Iterator
from enum import StrEnum
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from fastapi import FastAPI, Header, Query, Response, Security
from fastapi.security import HTTPBearer
from fastapi.testclient import TestClient
from playwright.sync_api import Browser
from pydantic import BaseModel, ConfigDict, Field, RootModel

from disconer.drawing.style import style_sheet
from disconer.serve.reference import reference_page
from disconer.serve.reference.examples import readable_json
from disconer.serve.reference.schemas import Schemas
from tests.browser import Visit

VOID = {"meta", "link", "br"}
NAMES = {"height", "Leaf", "application/zip", "Retry-After"}
WORDS = {"description", "summary", "title", "version", "default", "const", "pattern", "example"}
HOSTILE = "</code></script><script>alert(1)</script><img src=x onerror=alert(2)> \"' & `<b>` \u2028 {{7*7}} javascript:"


class Shape(StrEnum):
    ROUND = "round"
    FLAT = "flat"


class Leaf(BaseModel):
    """The end of a branch."""

    kind: Literal["leaf"]
    veins: dict[str, int] = {}


class Branch(BaseModel):
    model_config = ConfigDict(extra="allow")

    kind: Literal["branch"]
    parts: "list[Annotated[Leaf | Branch, Field(discriminator='kind')]]" = []
    span: tuple[int, int] = Field((0, 1), description="Where it lies.")


class Names(RootModel[list[str] | str]):
    pass


class Tree(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"names": "it's a `tree`", "height": 0.5}})

    names: Names = Field(description="What it is called, say `oak`.")
    height: float = Field(gt=0, le=1)
    age: int | None = Field(None, ge=1, multiple_of=2, deprecated=True)
    shape: Shape = Field(Shape.FLAT, description="Seen from above.")
    branches: list[Branch] = Field([], max_length=1_000)
    rings: set[int] = Field(set(), description="No two alike.")
    mark: Literal["x", 1, None] = "x"
    anything: Any = None
    code: str = Field("ab", pattern="^[a-z]+$", min_length=2)


def forest() -> FastAPI:
    """Make an application with everything that FastAPI and pydantic write into a document."""
    app = FastAPI(
        title="Forest",
        version="2.1",
        description="Trees.\n\nOf all `kinds`.",
        openapi_tags=[{"name": "grow", "description": "Takes years."}],
    )
    key = Security(HTTPBearer(auto_error=False, description="Ask the `forester`."))

    full = {"schema": {"$ref": "#/components/schemas/Leaf"}, "example": {"code": "full"}}
    no_room = {
        "description": "No room.",
        "headers": {"Retry-After": {"schema": {"type": "integer"}, "description": "Years to wait."}},
        "content": {"application/problem+json": full},
    }

    @app.post("/trees/{place}", tags=["grow"], dependencies=[key], responses={503: no_room})
    def plant(
        tree: Tree, place: int, by: Annotated[str, Query()], x_wish: Annotated[str, Header()], often: int = 1
    ) -> list[Branch]:
        """Put a tree somewhere."""
        return []

    @app.get("/trees", response_class=Response, responses={200: {"content": {"application/zip": {}}}})
    def archive() -> Response:
        return Response(b"PK", media_type="application/zip")

    @app.delete("/trees", status_code=204, deprecated=True)
    def fell() -> None:
        """Never do that."""

    return app


class Parsed(HTMLParser):
    """What a page consists of; a page whose elements are not closed in order is refused."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, attribute: str) -> list[str]:
        return [found for _, attributes in self.tags if (found := attributes.get(attribute)) is not None]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return forest().openapi()


@pytest.fixture(scope="module")
def page(document: dict[str, Any]) -> str:
    return reference_page(document)


def section(page: str, anchor: str) -> str:
    """Give the text of what an anchor leads to, white space folded."""
    found = re.search(rf'<(section|div)[^>]*id="{anchor}".*?(?=<section|</main>)', page, re.DOTALL)
    assert found is not None
    spaced = re.sub(r"<(?=/?(t[dh]|p|pre|summary|br)\b)", " <", found[0])
    return " ".join(unescape(re.sub(r"<[^>]+>", "", spaced)).split())


def test_every_operation_and_schema_is_there_once(page: str, document: dict[str, Any]) -> None:
    identifiers = Parsed(page).values("id")
    expected = [
        f"request-{method}-{'-'.join(re.findall(r'[a-z]+', path))}"
        for path, item in document["paths"].items()
        for method in item
    ]
    expected += [f"schema-{name}" for name in document["components"]["schemas"]]
    assert len(expected) == 3 + 8
    assert sorted(identifiers) == sorted([*expected, "contents", "key"])


def test_links_lead_somewhere_on_the_page(page: str) -> None:
    parsed = Parsed(page)
    links = [link for link in parsed.values("href") if link.startswith("#")]
    assert {link[1:] for link in links} == set(parsed.values("id"))
    assert {link for link in parsed.values("href") if not link.startswith("#")} == {
        "./", "openapi.json", "assets/icon.svg", "assets/drawing.css", "assets/reference.css",
    }  # fmt: skip


def test_what_the_document_says_is_on_the_page(page: str, document: dict[str, Any]) -> None:
    shown = " ".join(Parsed(page).text.split())
    for said in descriptions(document):
        assert " ".join(said.replace("`", "").split()) in shown


def descriptions(node: Any) -> Iterator[str]:
    """Find every description and summary."""
    if isinstance(node, dict):
        yield from (node[key] for key in ("description", "summary") if isinstance(node.get(key), str))
        yield from (said for own in node.values() for said in descriptions(own))
    elif isinstance(node, list):
        yield from (said for own in node for said in descriptions(own))


def test_fields_are_told_in_words(page: str) -> None:
    tree = section(page, "schema-Tree")
    for told in (
        "names Names required What it is called, say oak.",
        "height number (above 0, at most 1) required",
        "age integer (at least 1, a multiple of 2) or null optional Deprecated.",
        'shape Shape default "flat" Seen from above.',
        "branches array (at most 1,000 items) of Branch-Input default []",
        "rings array (no two alike) of integer default [] No two alike.",
        'mark "x" or 1 or null default "x"',
        "anything anything optional",
        'code string (at least 2 characters, matching ^[a-z]+$) default "ab"',
        "Other keys are refused.",
    ):
        assert told in tree
    branch = section(page, "schema-Branch-Input")
    assert 'kind always "branch" required' in branch
    assert "parts array of (Leaf or Branch-Input (told apart by kind)) default []" in branch
    assert "span array (exactly 2 items) of integer, integer default [0, 1] Where it lies." in branch
    assert "Other keys may be anything." in branch
    assert "veins object whose values are integer default {}" in section(page, "schema-Leaf")
    assert "array of string or string" in section(page, "schema-Names")
    assert '"round" or "flat"' in section(page, "schema-Shape")


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "anything"),
        (True, "anything"),
        (False, "nothing"),
        ({"type": ["string", "null"], "maxLength": 1}, "string or null (at most 1 character)"),
        ({"type": "array"}, "array"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, 'array of ("a" or "b")'),
        ({"type": "string", "format": "date-time"}, "string (date-time)"),
        ({"type": "object"}, "object with any keys"),
        ({"type": "object", "patternProperties": {"^a": {"type": "null"}}}, "object whose values are null"),
        ({"type": "integer", "exclusiveMaximum": 2_000_000.0}, "integer (below 2,000,000)"),
        ({"type": "array", "items": True, "minItems": 2, "maxItems": 3}, "array (2 to 3 items) of anything"),
        ({"allOf": [{"type": "object"}, {"$ref": "#/components/schemas/Gone"}]}, "object with any keys and Gone"),
    ],
)
def test_any_schema_has_words(schema: Any, words: str) -> None:
    assert Parsed(Schemas({}).words(schema)).text == words


def test_objects_without_a_name_are_told_in_place() -> None:
    error = {"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}
    schema = {"properties": {"errors": {"anyOf": [{"type": "array", "items": error}, {"type": "null"}]}, "last": error}}
    fields = [(field.name, field.is_required) for field in Schemas({}).fields(schema)]
    assert fields == [("errors", False), ("errors[].what", True), ("last", False), ("last.what", True)]


def test_references_in_circles_end() -> None:
    schemas = Schemas(
        {"components": {"schemas": {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}}}
    )
    assert schemas.resolved({"$ref": "#/components/schemas/A"}) == {}


def commands(page: str) -> list[list[str]]:
    found = re.findall(r'<pre class="dn-command">(.*?)</pre>', page, re.DOTALL)
    words = [shlex.split(Parsed(f"<p>{command}</p>").text) for command in found]
    assert words[0] == ["SERVER=http://127.0.0.1:8000"]
    return words[1:]


def test_commands_do_what_they_show(document: dict[str, Any]) -> None:
    """Take the commands apart as a shell and curl do, and ask the application."""
    client = TestClient(forest(), base_url="http://forest.example.org")
    asked = commands(reference_page(document))
    statuses = []
    for words in asked:
        assert words[0] == "curl"
        url = next(word for word in words if word.startswith("$SERVER/"))
        options = list(pairwise(words))
        body = dict(options).get("--data")
        method = dict(options).get("--request", "GET" if body is None else "POST")
        headers = dict(value.split(": ", 1) for name, value in options if name == "--header")
        statuses.append(client.request(method, url.removeprefix("$SERVER"), headers=headers, content=body).status_code)
    assert statuses == [200, 200, 204]
    assert ["--remote-name" in words for words in asked] == [False, True, False]
    assert "Authorization: Bearer $KEY" in asked[0]


def test_an_example_has_the_order_of_its_schema(page: str) -> None:
    """Pydantic sorts an example's keys by the alphabet."""
    command = commands(page)[0]
    assert list(json.loads(command[command.index("--data") + 1])) == ["names", "height"]


def test_every_status_says_what_it_means(page: str) -> None:
    told = section(page, "request-post-trees-place")
    assert "Validation Error application/json: HTTPValidationError" in told
    assert "503 Service Unavailable No room. Retry-After: Years to wait." in told
    assert '{"code": "full"}' in told
    assert "This needs a key." in told
    assert "Deprecated." in section(page, "request-delete-trees")


def test_json_is_laid_out_for_people() -> None:
    value = {"spans": [[0, 6], [17, 30]], "texts": ["Severe joint and shoulder pain. " * 3], "none": {}}
    assert json.loads(readable_json(value)) == value
    assert '  "spans": [[0, 6], [17, 30]],\n  "texts": [\n    "Severe' in readable_json(value)


def hostile(node: Any) -> Any:
    """Put markup into everything that a document may say in its own words, names included."""
    if isinstance(node, list):
        return [hostile(own) for own in node]
    if not isinstance(node, dict):
        return node
    return {f"{HOSTILE}{key}" if key in NAMES else key: _hostile(key, own) for key, own in node.items()}


def _hostile(key: str, value: Any) -> Any:
    if key in WORDS:
        return HOSTILE
    if key == "$ref":
        return value.replace("schemas/Leaf", f"schemas/{HOSTILE.replace('/', '~1')}Leaf")
    return hostile(value)


def test_nothing_in_the_document_can_become_anything_else(document: dict[str, Any], page: str) -> None:
    parsed = Parsed(reference_page(hostile(document)))
    assert {tag for tag, _ in parsed.tags} <= {tag for tag, _ in Parsed(page).tags}
    allowed = {"class", "id", "href", "lang", "charset", "name", "content", "rel", "type", "aria-label", "scope"}
    assert {name for _, attributes in parsed.tags for name in attributes} <= allowed
    assert parsed.text.count("<script>alert(1)</script>") > 20
    assert {link[1:] for link in parsed.values("href") if link.startswith("#")} == set(parsed.values("id"))


def test_it_is_readable_on_any_screen(browser: Browser, document: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "drawing.css").write_text(style_sheet(), encoding="utf-8")
    for path in ("reference/reference.css", "page/icon.svg"):
        own = files("disconer.serve").joinpath(path)
        (tmp_path / "assets" / own.name).write_bytes(own.read_bytes())
    (tmp_path / "docs.html").write_text(reference_page(hostile(document)), encoding="utf-8")
    visit = Visit(browser, tmp_path / "docs.html")
    backgrounds = set()
    for width in (390, 800, 1400):
        for scheme in ("light", "dark"):
            visit.page.set_viewport_size({"width": width, "height": 900})
            visit.page.emulate_media(color_scheme=scheme)
            assert visit.page.evaluate("document.documentElement.scrollWidth") == width
            backgrounds.add(visit.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(backgrounds) == 2
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.hash") == "#contents"
    assert visit.page.locator(".dn-skip").bounding_box()["y"] >= 0  # type: ignore[index]
    visit.page.locator("nav a[href='#request-get-trees']").click()
    assert 0 <= visit.page.locator("#request-get-trees").bounding_box()["y"] < 450  # type: ignore[index]
    assert visit.problems == []
    asked = {request.rpartition("/")[2].partition("#")[0] for request in visit.requests}
    assert asked - {"icon.svg"} == {"docs.html", "drawing.css", "reference.css"}
    visit.page.close()
