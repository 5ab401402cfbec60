"""The reference of the configuration, from the settings themselves."""

from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass
from enum import StrEnum
from typing import Any, get_type_hints

from disconer.foundation.settings import NUMBERS, limits, toml_value
from disconer.training.config import Config, list_shipped_configs
from tools.site.tables import code, fence, table

_TYPES: dict[Any, str] = {bool: "truth", int: "whole number", float: "number", str: "text", NUMBERS: "whole numbers"}
_COLUMNS = ("setting", "type", "default", "range", "what it is for")


def markdown() -> str:
    """Describe every setting, and give the configurations that are shipped."""
    return "\n".join((*_tables(Config, ""), "## Shipped configurations\n", *_describe_shipped()))


def _tables(kind: type[Any], place: str) -> Iterator[str]:
    """Describe the settings of a table, and after them the tables inside it."""
    types = get_type_hints(kind)
    inner = [one.name for one in fields(kind) if is_dataclass(types[one.name])]
    yield f"## {code(f'[{place}]') if place else 'At the top'} {{ #{place or 'top'} }}\n\n{kind.__doc__}\n"
    own = [one for one in fields(kind) if one.name not in inner]
    yield table(_COLUMNS, [_row(one, types[one.name], place) for one in own])
    for name in inner:
        yield from _tables(types[name], f"{place}.{name}".lstrip("."))


def _row(one: Field[Any], kind: Any, place: str) -> tuple[str, ...]:
    name = f"{place}.{one.name}".lstrip(".")
    return code(name), _type(kind), code(toml_value(one.default)), _range(one), one.metadata["text"]


def _type(kind: Any) -> str:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return " or ".join(code(toml_value(value)) for value in kind)
    return _TYPES[kind]


def _range(one: Field[Any]) -> str:
    minimum, maximum = one.metadata["minimum"], one.metadata["maximum"]
    return "" if minimum is None and maximum is None else limits(minimum, maximum)


def _describe_shipped() -> Iterator[str]:
    for name, path in list_shipped_configs().items():
        yield f"### {code(name)} {{ #config-{name} }}\n\n{fence('toml', path.read_text(encoding='utf-8'))}"
