"""What a foreign format has no place for, kept inside its files under one name and said as a line of JSONL says it.

So the keys that neither format knows, and words, survive a trip through files that others can read.
"""

from collections.abc import Collection
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError
from disconer.formats.json_keys import unknown
from disconer.formats.jsonl import DOCUMENT_KEYS, MENTION_KEYS

NAME = "disconer"
_OF_LINES = DOCUMENT_KEYS - {"id", "sentences", "words"}


def document_leftovers(document: Document, held: Collection[str]) -> dict[str, Any]:
    """Give the words and the unknown keys of a document, but for the keys that its format holds."""
    words = document.layout.given_words
    return {**({} if words is None else {"words": words}), **unknown(document.extras, DOCUMENT_KEYS.union(held))}


def mention_leftovers(mention: Mention, held: Collection[str]) -> dict[str, Any]:
    """Give the unknown keys of a mention, but for the keys that its format holds."""
    return unknown(mention.extras, MENTION_KEYS.union(held))


def of_document(value: Any) -> dict[str, Any]:
    """Give what stands under the name in a document, which anybody may have written."""
    return _checked(value, _OF_LINES)


def of_mention(value: Any) -> dict[str, Any]:
    """Give what stands under the name in a mention."""
    return _checked(value, MENTION_KEYS)


def _checked(value: Any, reserved: frozenset[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or reserved & value.keys():
        raise FormatError(f"what stands under {NAME!r} here was not written by disconer: rename or remove it")
    return value
