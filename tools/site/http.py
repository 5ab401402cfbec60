"""The reference of the server's API, from its OpenAPI document."""

import json
import shlex
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, cast

from starlette.testclient import TestClient

from disconer.recognizer import Recognizer
from disconer.serve.access import Keys
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from tools.site.tables import code, fence, table

Node = Mapping[str, Any]

_LIMITS = {
    "minimum": "at least {:,}",
    "exclusiveMinimum": "above {:,}",
    "maximum": "at most {:,}",
    "minLength": "at least {:,} characters",
    "maxLength": "at most {:,} characters",
    "minItems": "at least {:,}",
    "maxItems": "at most {:,}",
}


def openapi_document() -> dict[str, Any]:
    """Ask a server that has a model and wants keys."""
    only_named = Catalogue({"run": cast("Recognizer", None)})  # nobody asks the model anything
    app = create_app(only_named, keys=Keys(["a key that nobody uses"]))
    document: dict[str, Any] = TestClient(app, base_url="http://localhost").get("/openapi.json").json()
    return document


def markdown() -> str:
    """Describe every request and every object."""
    document = openapi_document()
    schemas = document["components"]["schemas"]
    operations = [
        _describe_operation(method, path, operation, schemas)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    objects = (_describe_schema(name, schema) for name, schema in schemas.items())
    return "\n".join(["## Requests\n", *operations, "## Objects\n", *objects])


def _describe_operation(method: str, path: str, operation: Node, schemas: Node) -> str:
    parts = [
        f"### {code(method.upper())} {code(path)} {{ #{operation['operationId']} }}\n",
        f"{operation['summary']}. {operation.get('description', '')}\n",
        "This needs a [key](#key).\n" if "security" in operation else "",
        fence("sh", _command(path, operation, schemas)),
    ]
    if parameters := operation.get("parameters"):
        rows = [(code(one["name"]), _type(one["schema"]), one.get("description", "")) for one in parameters]
        parts.append(table(("parameter", "type", "meaning"), rows))
    for media, body in operation.get("requestBody", {}).get("content", {}).items():
        parts.append(f"Body: {_content(media, body)}.\n")
    if example := _answer_example(operation, schemas):
        parts += ["Answer:\n", fence("json", json.dumps(example, ensure_ascii=False, indent=2))]
    rows = [
        (f"{code(status)} {HTTPStatus(int(status)).phrase}", answer["description"], _contents(answer))
        for status, answer in sorted(operation["responses"].items())
    ]
    return "\n".join([*parts, table(("status", "meaning", "holds"), rows)])


def _command(path: str, operation: Node, schemas: Node) -> str:
    """Write a curl command that sends the request, with the example of its body."""
    lines = [f'curl "$SERVER"{path.replace("{model}", "run")}']
    if "security" in operation:
        lines.append('--header "Authorization: Bearer $KEY"')
    for media, body in operation.get("requestBody", {}).get("content", {}).items():
        example = body.get("example") or json.dumps(_example(body["schema"], schemas), ensure_ascii=False)
        lines += [f"--header 'Content-Type: {media}'", f"--data {shlex.quote(example)}"]
    return " \\\n  ".join(lines)


def _answer_example(operation: Node, schemas: Node) -> Any:
    content = operation["responses"]["200"].get("content", {}).get("application/json", {})
    return content.get("example") or (_example(content["schema"], schemas) if content else None)


def _example(schema: Node, schemas: Node) -> Any:
    """Take a body's own example, or else those of its fields."""
    whole = schemas[_name(schema)]
    fields = whole.get("properties", {}).items()
    return whole.get("example", {name: field["examples"][0] for name, field in fields if "examples" in field})


def _describe_schema(name: str, schema: Node) -> str:
    parts = [f"### {code(name)} {{ #{name.lower()} }}\n", f"{schema.get('description', '')}\n"]
    if "properties" in schema:
        needed = schema.get("required", ())
        rows = [_row(field, own, field in needed) for field, own in schema["properties"].items()]
        parts.append(table(("field", "type", "needed", "meaning"), rows))
    else:
        parts.append(f"{_type(schema)}\n")
    return "\n".join(parts)


def _row(name: str, schema: Node, is_required: bool) -> tuple[str, str, str, str]:
    default = f"default {code(json.dumps(schema['default']))}" if "default" in schema else "optional"
    return code(name), _type(schema), "required" if is_required else default, schema.get("description", "")


def _contents(answer: Node) -> str:
    return ", ".join(_content(media, content) for media, content in answer.get("content", {}).items())


def _content(media: str, content: Node) -> str:
    return code(media) + (f": {_type(content['schema'])}" if "schema" in content else "")


def _type(schema: Node) -> str:
    """Tell in words what fits a schema."""
    limits = ", ".join(_limits(schema))
    return _kind(schema) + (f" ({limits})" if limits else "")


def _limits(schema: Node) -> Iterator[str]:
    if schema.get("minItems") == schema.get("maxItems") is not None:
        yield f"exactly {schema['minItems']}"
        return
    yield from (words.format(schema[key]) for key, words in _LIMITS.items() if key in schema)


def _kind(schema: Node) -> str:
    if "$ref" in schema:
        return f"[{_name(schema)}](#{_name(schema).lower()})"
    if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return " or ".join(code(json.dumps(value)) for value in values)
    if branches := schema.get("anyOf", schema.get("oneOf")):
        return " or ".join(map(_type, branches))
    if schema.get("type") == "array":
        return f"array of {_type(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object whose values are {_type(schema['additionalProperties'])}"
    return str(schema.get("type", "anything"))


def _name(schema: Node) -> str:
    return str(schema["$ref"].rpartition("/")[2])
