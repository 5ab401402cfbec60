"""The keys of JSON records: lists that must be lists, and keys that disconer does not know, which survive."""

from collections.abc import Iterable, Mapping
from typing import Any

from disconer.exceptions import FormatError
from disconer.formats.losses import Losses


def list_at(record: Mapping[str, Any], key: str) -> list[Any]:
    """Give the list under a key, an empty one when there is nothing."""
    value = record.get(key)
    if value is not None and not isinstance(value, list):
        raise FormatError(f"the key {key!r} must hold a list")
    return value or []


def unknown(record: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Give what a record holds beside the keys that are known."""
    return {key: value for key, value in record.items() if key not in known}


def with_unknown(
    record: Mapping[str, Any], extras: Mapping[str, Any], known: frozenset[str], losses: Losses, owner: str = ""
) -> dict[str, Any]:
    """Add the unknown keys of a document or of one of `mentions'` to its record.

    Those that bear the name of a known key would be read as something else, and are counted as lost.
    """
    taken = known | record.keys()
    for key in extras.keys() & taken:
        losses.note(f"values of the {owner}key {key!r}")
    return {**record, **unknown(extras, taken)}
