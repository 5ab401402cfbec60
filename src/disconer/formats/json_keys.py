"""The keys of JSON records: lists that must be lists, and keys that disconer does not know, which survive.

Some of these bear names that JSONL uses itself, and no extra may be called so: they stand below an extra key with the
name of the format.
"""

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


def set_apart(record: Mapping[str, Any], reserved: frozenset[str], name: str) -> dict[str, Any]:
    """Give unknown keys as extras, those that no extra may be called below a key of their own.

    >>> set_apart({"source": "forum", "words": 3}, frozenset(("text", "words")), "w2ner")
    {'source': 'forum', 'w2ner': {'words': 3}}
    """
    apart = {key: value for key, value in record.items() if key in reserved or key == name}
    return {**unknown(record, apart), name: apart} if apart else dict(record)


def put_back(
    extras: Mapping[str, Any], reserved: frozenset[str], name: str, losses: Losses, owner: str = ""
) -> dict[str, Any]:
    """Undo `set_apart`; what stands below the key and does not come from there is counted as lost."""
    apart = extras.get(name, {})
    if isinstance(apart, dict) and apart.keys() <= reserved | {name}:
        return {**unknown(extras, (name,)), **apart}
    losses.note_keys((name,), owner)
    return unknown(extras, (name,))


def with_unknown(
    record: Mapping[str, Any], extras: Mapping[str, Any], known: frozenset[str], losses: Losses, owner: str = ""
) -> dict[str, Any]:
    """Add the unknown keys of a document or of one of `mentions'` to its record.

    Those that bear the name of a known key would be read as something else, and are counted as lost.
    """
    taken = known | record.keys()
    losses.note_keys(extras.keys() & taken, owner)
    return {**record, **unknown(extras, taken)}
