"""The schemas of an OpenAPI document, told in words and listed as fields."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from disconer.drawing.marked_text import escaped
from disconer.serve.reference.text import anchors, code, code_value

Schema = dict[str, Any]

_NUMBER_LIMITS = {
    "minimum": "at least",
    "exclusiveMinimum": "above",
    "maximum": "at most",
    "exclusiveMaximum": "below",
    "multipleOf": "a multiple of",
}
_SIZE_LIMITS = (
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
    ("minProperties", "maxProperties", "key"),
)


class Field(NamedTuple):
    """What an object may hold under a name; the name of an inner object's field says where it lies: `errors[].what`."""

    name: str
    schema: Schema
    is_required: bool


class Schemas:
    """All schemas of a document, by name, and where the page describes each."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self.named: dict[str, Schema] = document.get("components", {}).get("schemas", {})
        self.anchors = anchors(self.named, "schema")

    def name(self, schema: Schema) -> str | None:
        """Give the name of a schema that is only referred to, if the document has it."""
        name = _steps(schema.get("$ref", ""))[-1]
        return name if name in self.named else None

    def resolved(self, node: Any) -> dict[str, Any]:
        """Give what a reference refers to, and anything else as it is; what is not there is empty."""
        for _ in range(len(self.named) + 1):  # references may go round in circles
            if not isinstance(node, dict) or "$ref" not in node:
                return node if isinstance(node, dict) else {}
            node = self._target(node["$ref"])
        return {}

    def _target(self, reference: str) -> Any:
        node: Any = self._document
        for step in _steps(reference)[1:]:
            node = node.get(step) if isinstance(node, dict) else None
        return node

    def words(self, schema: Any) -> str:
        """Tell in words, as HTML, what fits a schema."""
        if not isinstance(schema, dict):
            return "nothing" if schema is False else "anything"
        kind, limits = self._kind(schema), ", ".join(_limits(schema))
        told = f' <span class="dn-limits">({limits})</span>' if limits else ""
        # Behind the items of an array, limits would seem to be theirs.
        return f"array{told}{kind.removeprefix('array')}" if schema.get("type") == "array" else kind + told

    def _kind(self, schema: Schema) -> str:
        if "$ref" in schema:
            return self._link(schema)
        if "const" in schema:
            return f"always {code_value(schema['const'])}"
        if "enum" in schema:
            return _either(map(code_value, schema["enum"]))
        for key, joined in (("anyOf", _either), ("oneOf", _either), ("allOf", " and ".join)):
            if key in schema:
                return joined(map(self.words, schema[key]))
        types = schema.get("type", "object" if "properties" in schema else "anything")
        return _either(self._plain(one, schema) for one in ([types] if isinstance(types, str) else types))

    def _link(self, schema: Schema) -> str:
        name = self.name(schema)
        if name is None:
            return code(_steps(schema["$ref"])[-1])
        return f'<a href="#{self.anchors[name]}">{escaped(name)}</a>'

    def _plain(self, kind: str, schema: Schema) -> str:
        if kind == "array":
            return f"array of {self._items(schema)}" if {"items", "prefixItems"} & schema.keys() else "array"
        if kind == "object" and "properties" not in schema:
            values = [schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()]
            told = [self.words(value) for value in values if isinstance(value, dict)]
            return f"object whose values are {_either(told)}" if told else "object with any keys"
        return escaped(kind)

    def _items(self, schema: Schema) -> str:
        if "prefixItems" in schema:
            return ", ".join(map(self.words, schema["prefixItems"]))
        words = self.words(schema["items"])
        return f"({words})" if " or " in words else words

    def fields(self, schema: Schema, prefix: str = "") -> Iterator[Field]:
        """List the fields of an object, and after each those of the objects without a name inside it."""
        for name, own in schema.get("properties", {}).items():
            yield Field(prefix + name, own, name in schema.get("required", ()))
            for inner_prefix, inner in _inner_objects(own, prefix + name):
                yield from self.fields(inner, inner_prefix)


def _steps(reference: str) -> list[str]:
    """Give the steps of a reference inside the document, the first of which is `#`."""
    return [unquote(step).replace("~1", "/").replace("~0", "~") for step in reference.split("/")]


def _either(words: Iterable[str]) -> str:
    return " or ".join(words)


def _inner_objects(schema: Any, name: str) -> Iterator[tuple[str, Schema]]:
    """Find the objects that are described in place inside a field, and how the names of their fields begin."""
    if not isinstance(schema, dict):
        return
    if "properties" in schema:
        yield f"{name}.", schema
    for key in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(key, ()):
            yield from _inner_objects(one, name)
    yield from _inner_objects(schema.get("items"), f"{name}[]")
    yield from _inner_objects(schema.get("additionalProperties"), f"{name}.*")


def _limits(schema: Schema) -> Iterator[str]:
    """Tell the limits of what fits a schema, as HTML."""
    yield from (f"{words} {_number(schema[key])}" for key, words in _NUMBER_LIMITS.items() if key in schema)
    for lowest, highest, unit in _SIZE_LIMITS:
        if lowest in schema or highest in schema:
            yield _size(schema.get(lowest), schema.get(highest), unit)
    if schema.get("uniqueItems"):
        yield "no two alike"
    if "pattern" in schema:
        yield f"matching {code(schema['pattern'])}"
    for key in ("format", "contentMediaType"):
        if key in schema:
            yield escaped(schema[key])
    if "discriminator" in schema:
        yield f"told apart by {code(schema['discriminator']['propertyName'])}"


def _size(lowest: int | None, highest: int | None, unit: str) -> str:
    if highest is None:
        return f"at least {_counted(lowest or 0, unit)}"
    if not lowest:
        return f"at most {_counted(highest, unit)}"
    return f"exactly {_counted(highest, unit)}" if lowest == highest else f"{lowest:,} to {_counted(highest, unit)}"


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def _number(value: float) -> str:
    return f"{value:,.15g}"
