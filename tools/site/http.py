"""The reference of the server, from its OpenAPI document: what its own page at `/docs` says, under our headings."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from starlette.testclient import TestClient

from disconer.recognizer import Recognizer
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from disconer.serve.guards import Keys
from disconer.serve.reference.operations import Sections, operations
from disconer.serve.reference.schemas import Schemas
from disconer.serve.reference.tables import Tables
from tools.site.tables import code


def markdown() -> str:
    """Describe every request and every object of a server that wants keys, as it describes itself."""
    only_named = Catalogue({"run": cast("Recognizer", None)})  # nobody asks the model anything
    app = create_app(only_named, keys=Keys(["a key that nobody uses"]))
    answer = TestClient(app, base_url="http://localhost").get("/openapi.json")
    return "\n".join(_parts(answer.json()))


def _parts(document: Mapping[str, Any]) -> Iterator[str]:
    schemas = Schemas(document)
    tables = Tables(schemas)
    sections = Sections(schemas, tables)
    yield "## Requests\n"
    for operation in operations(document, schemas):
        title = f"{code(operation.method.upper())} {code(operation.path)}"
        yield f"### {title} {{ #{operation.anchor} }}\n\n{_framed(sections.body(operation))}"
    yield "## Objects\n"
    for name, anchor in schemas.anchors.items():
        if name not in tables.described:
            yield f"### {code(name)} {{ #{anchor} }}\n\n{_framed(tables.named(name))}"


def _framed(html: str) -> str:
    """Give HTML the style of the server's own page."""
    return f'<div class="dn-reference">\n{html}</div>\n'
