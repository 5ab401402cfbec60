"""Checks of values that come from outside: files, configurations, callers."""

from enum import Enum
from typing import TypeVar

from disconer.exceptions import InputError, quote
from disconer.foundation.nearest import did_you_mean

Choice = TypeVar("Choice", bound=Enum)


def check_encodable(value: object, what: str) -> None:
    """Raise when a value is not a string that UTF-8 can hold."""
    if not isinstance(value, str):
        raise InputError(f"{what} must be a string")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{what} has half a surrogate pair at character {error.start}, which is not Unicode") from None


def check_named(*paths: object) -> None:
    """Raise when a path is empty: it comes from a variable that is not set, and never means this folder."""
    if any(isinstance(path, str) and not path for path in paths):
        raise InputError("the path is empty")


def as_choice(choices: type[Choice], value: object, what: str) -> Choice:
    """The member of an enumeration that a value, say a string of a configuration, stands for."""
    try:
        return choices(value)
    except ValueError:
        names = [str(choice.value) for choice in choices]
        hint = did_you_mean(value, names) if isinstance(value, str) else ""
        raise InputError(f"{what} must be one of {', '.join(names)}, not {quote(value)}{hint}") from None
