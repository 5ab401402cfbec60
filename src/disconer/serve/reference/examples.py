"""Examples of what goes to an API and comes back: values that fit a schema, and commands that send them."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any
from urllib.parse import quote, urlencode

from disconer.serve.reference.schemas import Schema, Schemas

_ONE_LINE = 72
"""Characters of JSON that a command shows in one line."""


class Examples:
    """Examples for the schemas of a document: those that it gives itself, and where it gives none, invented ones."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas

    def of_content(self, content: Mapping[str, Any], whole: bool) -> Any:
        """Give an example of a body: its own, or else one of its schema."""
        named = [self._schemas.resolved(own) for own in content.get("examples", {}).values()]
        given = [content["example"]] if "example" in content else [own["value"] for own in named if "value" in own]
        schema = content.get("schema", {})
        return self._in_order(given[0] if given else self.of_schema(schema, whole), schema)

    def _in_order(self, value: Any, schema: Any) -> Any:
        """Put the keys of a value in the order of its schema: pydantic sorts those of examples by the alphabet."""
        schema = self._schemas.resolved(schema)
        if isinstance(value, list):
            return [self._in_order(one, schema.get("items")) for one in value]
        if not isinstance(value, dict):
            return value
        fields = schema.get("properties", {})
        return {
            key: self._in_order(value[key], fields.get(key)) for key in dict.fromkeys((*fields, *value)) if key in value
        }

    def of_schema(self, schema: Any, whole: bool, above: tuple[str, ...] = ()) -> Any:
        """Give a value that fits a schema; with `whole`, an object has all its fields, else those that it must have."""
        if not isinstance(schema, dict):
            return None
        if given := _given(schema):
            return given[0]
        name = self._schemas.name(schema)
        if name is not None:
            # What contains itself ends here.
            return None if name in above else self.of_schema(self._schemas.named[name], whole, (*above, name))
        branches = [one for key in ("anyOf", "oneOf", "allOf") for one in schema.get(key, ())]
        if branches:
            return self.of_schema(branches[0], whole, above)
        return self._of_type(schema, whole, above)

    def _of_type(self, schema: Schema, whole: bool, above: tuple[str, ...]) -> Any:
        types = schema.get("type", "object" if "properties" in schema else "null")
        match types if isinstance(types, str) else types[0]:
            case "object":
                return {
                    field: self.of_schema(own, whole, above)
                    for field, own in schema.get("properties", {}).items()
                    if whole or field in schema.get("required", ())
                }
            case "array":
                own = schema.get("prefixItems") or [schema.get("items")] * max(1, schema.get("minItems", 1))
                values = [self.of_schema(one, whole, above) for one in own]
                return [value for value in values if value is not None]
            case plain:
                return _plain_value(plain, schema)


def curl(method: str, path: str, headers: list[str], body: tuple[str, Any] | None, is_file: bool) -> str:
    """Write the command that sends a request from a shell, whose variable SERVER says where to.

    `headers` are quoted already, the body has its media type.

    What is a file is kept under the name that the server gives it.
    """
    is_usual = method == ("GET" if body is None else "POST")
    parts = [f'curl {"" if is_usual else f"--request {method} "}"$SERVER"{shlex.quote(path)}']
    parts += ["--remote-name --remote-header-name"] * is_file
    parts += [f"--header {header}" for header in headers]
    if body is not None:
        media, value = body
        parts += [f"--header {shlex.quote(f'Content-Type: {media}')}", f"--data {_data(media, value)}"]
    return " \\\n  ".join(parts)


def _data(media: str, value: Any) -> str:
    """Write a body for a shell; one that is neither JSON nor text comes from a file."""
    if is_json(media):
        return shlex.quote(readable_json(value))
    return shlex.quote(str(value)) if media.startswith("text/") else "@FILE"


def filled_path(path: str, parameters: Sequence[tuple[Mapping[str, Any], Any]]) -> str:
    """Put examples of its parameters into a path, and behind it those of the query that it cannot do without."""
    query = {}
    for parameter, value in parameters:
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", quote(str(value), safe=""))
        elif parameter["in"] == "query" and parameter.get("required"):
            query[parameter["name"]] = value
    return f"{path}?{urlencode(query, doseq=True)}" if query else path


def readable_json(value: Any, indent: str = "") -> str:
    """Write JSON for people: what is short in one line, everything else a line each."""
    line = json.dumps(value, ensure_ascii=False)
    if not value or not isinstance(value, list | dict) or len(indent) + len(line) <= _ONE_LINE:
        return line
    deeper = f"{indent}  "
    if isinstance(value, list):
        rows, (opening, closing) = [readable_json(one, deeper) for one in value], "[]"
    else:
        rows = [f"{json.dumps(key, ensure_ascii=False)}: {readable_json(one, deeper)}" for key, one in value.items()]
        opening, closing = "{}"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(rows) + f"\n{indent}{closing}"


def is_json(media: str) -> bool:
    """Tell whether a media type is one JSON value.

    >>> [is_json(media) for media in ("application/json", "application/problem+json", "application/x-ndjson")]
    [True, True, False]
    """
    return media.endswith(("/json", "+json"))


def shown_key(scheme: Mapping[str, Any]) -> str:
    """Show where a key stands in a request."""
    if scheme["type"] == "http":
        return f"Authorization: {scheme['scheme'].capitalize()} KEY"
    return f"{scheme.get('name', scheme['type'])}: KEY"


def key_header(scheme: Mapping[str, Any]) -> str:
    """Give the header that carries a key, quoted for a shell that has the key in a variable."""
    before = re.sub(r'(["$`\\])', r"\\\1", shown_key(scheme).removesuffix("KEY"))
    return f'"{before}$KEY"'


def _given(schema: Schema) -> list[Any]:
    """List the values that a schema itself names, the best example first."""
    given = [schema[key] for key in ("example", "const") if key in schema]
    given += [*schema.get("examples", ()), *schema.get("enum", ())]
    return given + ([schema["default"]] if schema.get("default") is not None else [])


def _plain_value(kind: str, schema: Schema) -> Any:
    match kind:
        case "string":
            return "text".ljust(schema.get("minLength", 0), ".")
        case "integer":
            return ceil(_between(schema))
        case "number":
            return _between(schema)
        case "boolean":
            return False
    return None


def _between(schema: Schema) -> float:
    """Give a number between the limits of a schema."""
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is None:
        return 1 if high is None else min(1, high - 1)
    return float(low + 1 if high is None else (low + high) / 2)
