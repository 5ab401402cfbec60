"""Typed settings: dataclasses whose every field says what it is for, read from and written to TOML and JSON.

The text of a field stands where the field is defined, and serves the configuration file, the command line's help and
the documentation. A table of the file is a dataclass among the fields of another.
"""

import json
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, field, fields, is_dataclass
from enum import StrEnum
from functools import reduce
from math import inf, isfinite
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from disconer.exceptions import FormatError, InputError, locate_errors, quote
from disconer.foundation.checks import as_choice, check_encodable
from disconer.foundation.files import read_text
from disconer.foundation.nearest import did_you_mean_one_of, nearest

Settings = TypeVar("Settings")


class Checked:
    """Settings that hold nothing that does not fit, whoever makes them. A choice may be given by its name."""

    def __post_init__(self) -> None:
        types = get_type_hints(type(self))
        for one in fields(self):  # type: ignore[arg-type]
            value = getattr(self, one.name)
            if not is_dataclass(value):
                object.__setattr__(self, one.name, _check(one, types[one.name], value, ""))


def setting(
    default: Any,
    text: str,
    minimum: float | None = None,
    maximum: float | None = None,
    *,
    is_resolved: bool = False,
    is_chosen_anew: bool = False,
    earlier: Any = None,
) -> Any:
    """Define a field: its default, what it is for, the least and the greatest value it may take.

    One that is resolved has a default that a run replaces by what its data, its encoder and its machine say. One that
    is chosen anew may differ from that of the model that a run goes on from. `earlier` is what it was in models and
    runs that were written before there was a choice.
    """
    metadata = {"text": text, "minimum": minimum, "maximum": maximum}
    metadata |= {"is_resolved": is_resolved, "is_chosen_anew": is_chosen_anew, "earlier": earlier}
    return field(default=default, metadata=metadata)


def table(kind: type[Any]) -> Any:
    """Define a field that is a table of settings of its own."""
    return field(default_factory=kind)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file as it stands."""
    with locate_errors(path):
        try:
            return tomllib.loads(read_text(path).removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError as error:
            raise FormatError(f"this is not TOML: {error}") from None


def from_mapping(kind: type[Settings], values: Mapping[str, Any], place: str = "") -> Settings:
    """Make settings from names and values, such as a file's; what is not named keeps its default.

    Raises `InputError` for names there are not and for values that do not fit.
    """
    types = get_type_hints(kind)
    for name in values:
        if name not in types:
            raise InputError(f"there is no setting {quote(place + name)}{did_you_mean_one_of(name, types)}")
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: _check(known[name], types[name], value, place) for name, value in values.items()})


def earlier_values(kind: type[Any]) -> dict[str, Any]:
    """The settings that models and runs of before do not name, as these had them; table by table."""
    found: dict[str, Any] = {}
    for full_name, one, _ in iterate_settings(kind):
        if one.metadata["earlier"] is not None:
            *tables, name = full_name.split(".")
            reduce(lambda values, table: values.setdefault(table, {}), tables, found)[name] = one.metadata["earlier"]
    return found


def as_mapping(settings: Any) -> dict[str, Any]:
    """Settings as names and plain values: the inverse of `from_mapping`."""
    pairs = ((one.name, getattr(settings, one.name)) for one in fields(settings))
    return {name: as_mapping(value) if is_dataclass(value) else _plain(value) for name, value in pairs}


def as_toml(settings: Any) -> str:
    """Write settings as a TOML file that explains itself."""
    return "\n".join(_lines(settings, "")) + "\n"


def iterate_settings(kind: type[Any], place: str = "") -> Iterator[tuple[str, Field[Any], type[Any]]]:
    """Every setting of a kind, those of its tables included, as its full name, its field and its type."""
    types = get_type_hints(kind)
    for one in fields(kind):
        if is_dataclass(types[one.name]):
            yield from iterate_settings(types[one.name], f"{place}{one.name}.")
        else:
            yield place + one.name, one, types[one.name]


def find_differences(one: Any, other: Any) -> list[str]:
    """The full names of the settings in which two of a kind differ."""
    return [name for name, _, _ in iterate_settings(type(one)) if attrgetter(name)(one) != attrgetter(name)(other)]


def format_assignments(settings: Any, names: Iterable[str]) -> list[str]:
    """Write settings as assignments, the way a command line takes them: the inverse of `parse_assignment`."""
    return [f"{name}={_text(attrgetter(name)(settings))}" for name in names]


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def merge_tables(values: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """Put names and values over others, table by table."""
    both = dict(values)
    for name, value in others.items():
        below = both.get(name)
        both[name] = merge_tables(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return both


def parse_assignment(kind: type[Any], text: str) -> dict[str, Any]:
    """Read an assignment such as `training.epochs=5` as names and values."""
    name, equals, value = text.partition("=")
    types = {full_name: its_type for full_name, _, its_type in iterate_settings(kind)}
    if not equals:
        raise InputError(f"{quote(text)} is no setting with a value: write NAME=VALUE")
    if name not in types:
        raise InputError(f"there is no setting {quote(name)}{did_you_mean_one_of(_full(name, types), types)}")
    return nest(name, _read_as(types[name], value))


def find_setting(kind: type[Any], name: str, tables: Sequence[str], others: Collection[str] = ()) -> str:
    """Complete the name of a setting whose table was left out; where several have one, the first of these tables.

    The other tables, of models that are not trained, are not searched. A full name, and the name of a table, is
    returned as it is.
    """
    full_names = [full_name for full_name, _, _ in iterate_settings(kind)]
    if name in full_names or name in get_type_hints(kind):
        return name
    for table_name in tables:
        if f"{table_name}.{name}" in full_names:
            return f"{table_name}.{name}"
    ending = [one for one in full_names if one.endswith(f".{name}")]
    found = [one for one in ending if one.partition(".")[0] not in others]
    if ending and not found:
        raise InputError(f"the setting {quote(name)} is that of another model: {', '.join(ending)}")
    if len(found) > 1:
        raise InputError(f"there are several settings {quote(name)}: say which of {', '.join(found)}")
    if not found:
        raise InputError(f"there is no setting {quote(name)}{did_you_mean_one_of(_full(name, full_names), full_names)}")
    return found[0]


def nest(name: str, value: Any) -> dict[str, Any]:
    """Put a value below the tables of its full name.

    >>> nest("training.epochs", 5)
    {'training': {'epochs': 5}}
    """
    first, dot, rest = name.partition(".")
    return {first: nest(rest, value) if dot else value}


def _read_as(kind: type[Any], text: str) -> Any:
    """Read the text of a command line; what cannot be read stays text, and is refused where values are checked."""
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    if kind == NUMBERS:
        return [_read_as(int, part) for part in text.split(",")]
    try:
        return kind(text) if kind in (int, float) else text
    except ValueError:
        return text


def _check(one: Field[Any], kind: Any, value: Any, place: str) -> Any:
    name = place + one.name
    if is_dataclass(kind):
        if not isinstance(value, Mapping):
            raise InputError(f"{name} must be a table of settings")
        return from_mapping(kind, value, f"{name}.")  # type: ignore[arg-type]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return as_choice(kind, value, name)
    if kind is float and type(value) is int:
        value = float(value) if abs(value) < _GREATEST else inf
    if kind == NUMBERS and isinstance(value, list):
        value = tuple(value)
    if not _is_a(kind, value):
        raise InputError(f"{name} must be {_KINDS[kind]}, not {quote(value)}")
    if kind is str:
        check_encodable(value, name)
    minimum, maximum = one.metadata["minimum"], one.metadata["maximum"]
    for number in value if kind == NUMBERS else (value,):
        if (minimum is not None and not number >= minimum) or (maximum is not None and not number <= maximum):
            raise InputError(f"{name} must lie {limits(minimum, maximum)}, not at {quote(number)}")
    return value


_GREATEST = 2**1000
"""Whole numbers from here on are no numbers with a fraction any more."""
NUMBERS = tuple[int, ...]
"""The type of a setting that is a list of whole numbers."""
_KINDS: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text in quotes",
    NUMBERS: "a list of one or more whole numbers",
}


def _is_a(kind: Any, value: Any) -> bool:
    if kind == NUMBERS:
        return isinstance(value, tuple) and value != () and all(type(number) is int for number in value)
    return type(value) is kind and (kind is not float or isfinite(value))


def limits(minimum: float | None, maximum: float | None) -> str:
    """Say where a value must lie that has one limit or two."""
    if maximum is None:
        return f"at {minimum} or above"
    return f"at {maximum} or below" if minimum is None else f"between {minimum} and {maximum}"


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, StrEnum) else value


def _full(name: str, names: Iterable[str]) -> str:
    """The full name of a setting whose table somebody left out, or the name as it is."""
    tables = {full.rpartition(".")[2]: full for full in names}
    found = None if "." in name else nearest(name, tables)
    return name if found is None else tables[found]


def _lines(settings: Any, place: str) -> Iterator[str]:
    tables = []
    for one in fields(settings):
        value = getattr(settings, one.name)
        if is_dataclass(value):
            tables.append((place + one.name, value))
        else:
            yield f"# {one.metadata['text']}"
            yield f"{one.name} = {toml_value(value)}"
    for name, value in tables:
        yield ""
        yield f"[{name}]"
        yield from _lines(value, f"{name}.")


def toml_value(value: Any) -> str:
    """Write a value; TOML's strings, numbers and truths are JSON's, but for the delete character."""
    return json.dumps(_plain(value), ensure_ascii=False).replace("\x7f", "\\u007f")
