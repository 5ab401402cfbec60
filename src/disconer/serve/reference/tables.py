"""Schemas as tables of their fields."""

from collections.abc import Iterable, Mapping
from typing import Any

from disconer.drawing.marked_text import escaped
from disconer.serve.reference.schemas import Field, Schema, Schemas
from disconer.serve.reference.text import code, code_value, inline, prose

_PLACES = {"path": "in the path", "query": "in the query", "header": "a header", "cookie": "a cookie"}


class Tables:
    """The tables of a page. A schema is described once, where it first comes up as a body; all else leads there."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self.described: set[str] = set()

    def parameters(self, parameters: Iterable[Mapping[str, Any]]) -> str:
        """Describe what a request takes besides its body."""
        rows = [
            self._row(
                Field(one["name"], one.get("schema", {}), one.get("required", False)),
                one,
                f' <span class="dn-limits">{_PLACES[one["in"]]}</span>',
            )
            for one in parameters
        ]
        return _table("Parameters", rows)

    def content(self, media: str, content: Mapping[str, Any], title: str) -> str:
        """Describe a body; `title` is for those who cannot see where the table stands."""
        schema = content.get("schema", {})
        told = f"<p>{self.holds(media, content)}</p>\n"
        name = self._schemas.name(schema)
        if name is None:
            return told + self._fields(schema, title)
        if name in self.described:
            return told
        self.described.add(name)
        return f'<div id="{self._schemas.anchors[name]}">\n{told}{self.named(name)}</div>\n'

    def holds(self, media: str, content: Mapping[str, Any]) -> str:
        """Tell in a line what a body is."""
        return code(media) + (f": {self._schemas.words(content['schema'])}" if "schema" in content else "")

    def named(self, name: str) -> str:
        """Describe a schema that has a name."""
        schema = self._schemas.named[name]
        words = "" if "properties" in schema else f"<p>{self._schemas.words(schema)}</p>\n"
        return f"{prose(schema.get('description', ''))}{words}{self._fields(schema, name)}"

    def _fields(self, schema: Schema, title: str) -> str:
        rows = [self._row(field, field.schema) for field in self._schemas.fields(schema)]
        return _table(title, rows) + self._other_keys(schema)

    def _other_keys(self, schema: Schema) -> str:
        """Say what an object may hold besides its fields, if it says so itself."""
        if "properties" not in schema or "additionalProperties" not in schema:
            return ""
        others = schema["additionalProperties"]
        words = "are refused" if others is False else f"may be {self._schemas.words(others)}"
        return f'<p class="dn-limits">Other keys {words}.</p>\n'

    def _row(self, field: Field, about: Any, note: str = "") -> str:
        """Write a field; what there is to say `about` it may stand in its schema or beside it."""
        schema, about = (one if isinstance(one, dict) else {} for one in (field.schema, about))
        optional = f"default {code_value(schema['default'])}" if "default" in schema else "optional"
        old = "<b>Deprecated.</b> " if about.get("deprecated") else ""
        return (
            f'<tr><th scope="row">{code(field.name)}{note}</th><td>{self._schemas.words(field.schema)}</td>'
            f"<td>{'<b>required</b>' if field.is_required else optional}</td>"
            f"<td>{old}{inline(about.get('description', ''))}</td></tr>\n"
        )


def table(title: str, kind: str, columns: Iterable[str], rows: Iterable[str]) -> str:
    """Write a table that a narrow window shows row by row."""
    heads = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return (
        f'<table class="{kind}" aria-label="{escaped(title)}">\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody></table>\n"
    )


def _table(title: str, rows: list[str]) -> str:
    return table(title, "dn-fields", ("Name", "Type", "Needed", "Meaning"), rows) if rows else ""
