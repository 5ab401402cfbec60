"""The keys of JSON records: values that must be lists or scores, and keys that disconer does not know, which survive.

Some of these have names that JSONL uses itself, and no extra may be called so: they stand below an extra key with the
name of the format.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from disconer.exceptions import FormatError
from disconer.formats.losses import Losses


def find_list(record: Mapping[str, Any], key: str) -> Any:
    """Find the list under a key; None when there is none."""
    value = record.get(key)
    if value is not None and not isinstance(value, list):
        raise FormatError(f"the key {key!r} must hold a list")
    return value


def list_at(record: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key, empty when there is none."""
    return find_list(record, key) or []


def drop_keys(record: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Copy a record without the keys that are known."""
    return {key: value for key, value in record.items() if key not in known}


def set_apart(record: Mapping[str, Any], reserved: frozenset[str], name: str) -> dict[str, Any]:
    """Make unknown keys extras; those that no extra may be called go below a key of their own.

    >>> set_apart({"source": "forum", "words": 3}, frozenset(("text", "words")), "w2ner")
    {'source': 'forum', 'w2ner': {'words': 3}}
    """
    apart = {key: value for key, value in record.items() if key in reserved or key == name}
    return {**drop_keys(record, apart), name: apart} if apart else dict(record)


def put_back(
    extras: Mapping[str, Any], reserved: frozenset[str], name: str, losses: Losses, owner: str = ""
) -> dict[str, Any]:
    """Undo `set_apart`; what stands below the key and does not come from there is counted as lost."""
    apart = extras.get(name, {})
    if isinstance(apart, dict) and apart.keys() <= reserved | {name}:
        return {**drop_keys(extras, (name,)), **apart}
    losses.note_keys((name,), owner)
    return drop_keys(extras, (name,))


def add_unknown(
    record: Mapping[str, Any], extras: Mapping[str, Any], known: frozenset[str], losses: Losses, owner: str = ""
) -> dict[str, Any]:
    """Add the unknown keys of a document or of one of `mentions'` to its record.

    Those with the name of a known key would be read as something else, and are counted as lost.
    """
    taken = known | record.keys()
    losses.note_keys(extras.keys() & taken, owner)
    return {**record, **drop_keys(extras, taken)}


def read_score(value: Any) -> float | None:
    """Read a score, a number or text; None when it is anything else."""
    try:
        score = float(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return score if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1 else None
