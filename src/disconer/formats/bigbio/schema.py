"""BigBIO's `kb` schema: what a record may hold, and making sure that a value is of that form."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from disconer.checks import check_encodable
from disconer.exceptions import FormatError
from disconer.spans import is_offset

Shape = Any
"""The form of a value: `str`, PAIR, a list with the form of its elements, or the forms of an object's keys."""
PAIR: Shape = "pair"
"""The form of two offsets."""

_INT32 = 2**31
_NORMALIZED = [{"db_name": str, "db_id": str}]
_PLACE: dict[str, Shape] = {"text": [str], "offsets": [PAIR]}
KB: dict[str, Shape] = {
    "id": str,
    "document_id": str,
    "passages": [{"id": str, "type": str, **_PLACE}],
    "entities": [{"id": str, "type": str, **_PLACE, "normalized": _NORMALIZED}],
    "events": [{"id": str, "type": str, "trigger": _PLACE, "arguments": [{"role": str, "ref_id": str}]}],
    "coreferences": [{"id": str, "entity_ids": [str]}],
    "relations": [{"id": str, "type": str, "arg1_id": str, "arg2_id": str, "normalized": _NORMALIZED}],
}


def arrow_type(shape: Shape) -> Any:
    """Give the Arrow type of a form, as the `datasets` library stores it."""
    import pyarrow as pa  # noqa: PLC0415 (only imported where it is needed)

    if isinstance(shape, dict):
        return pa.struct([(key, arrow_type(inner)) for key, inner in shape.items()])
    if isinstance(shape, list):
        return pa.list_(arrow_type(shape[0]))
    return pa.string() if shape is str else pa.list_(pa.int32())


def checked(value: Any, shape: Shape, name: str) -> Any:
    """Give a value of a form, or raise when it has another; keys that the schema does not know stay.

    Loaders are lax: numbers may stand for ids, and a bare string for a list of one.

    >>> checked({"id": 7, "entity_ids": "8", "note": None}, {"id": str, "entity_ids": [str]}, "a coreference")
    {'id': '7', 'entity_ids': ['8'], 'note': None}
    """
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            raise FormatError(f"{name} must be an object")
        return {key: _checked_if_known(inner, shape, key) for key, inner in value.items()}
    if isinstance(shape, list):
        elements = [value] if isinstance(value, str) and shape[0] is str else value
        if not isinstance(elements, list | tuple):
            raise FormatError(f"{name} must be a list")
        return [checked(element, shape[0], f"what {name} lists") for element in elements]
    return _checked_string(value, name) if shape is str else _checked_pair(value, name)


def _checked_if_known(value: Any, shape: dict[str, Shape], key: str) -> Any:
    return value if value is None or key not in shape else checked(value, shape[key], f"BigBIO's key {key!r}")


def _checked_string(value: Any, name: str) -> str:
    text = str(value) if is_offset(value) else value
    check_encodable(text, name)
    return str(text)


def _checked_pair(value: Any, name: str) -> list[int]:
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(map(_is_int32, value)):
        raise FormatError(f"{name} must be a pair of whole numbers, [start, end]")
    return list(value)


def _is_int32(value: Any) -> bool:
    return is_offset(value) and -_INT32 <= value < _INT32


def completed(value: Any, shape: Shape, strays: Counter[str]) -> Any:
    """Give a checked value with every key of its form and no other; the others are counted."""
    if isinstance(shape, dict):
        present = value or {}
        strays.update(present.keys() - shape.keys())
        return {key: completed(present.get(key), inner, strays) for key, inner in shape.items()}
    if isinstance(shape, list):
        return [completed(element, shape[0], strays) for element in value or ()]
    return value
