"""What every command takes, as shells want to know it: read off the parsers."""

from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from disconer.checking import RULES
from disconer.cli import COMMANDS, parser_of
from disconer.cli.options import as_path
from disconer.encoders.names import ELMO, EMBEDDED
from disconer.settings import NUMBERS, described
from disconer.training.config import OF_THE_RUN, Config, shipped


class Place(StrEnum):
    """What a path may lead to."""

    NONE = "none"
    """It is no path."""
    FILES = "files"
    """Anything."""
    FOLDERS = "folders"


@dataclass(frozen=True)
class Argument:
    """An option, or an argument that stands in a command for itself."""

    names: tuple[str, ...]
    """None, where it is no option."""
    metavar: str
    help: str
    takes_value: bool
    words: tuple[str, ...]
    """Values to offer."""
    place: Place
    is_list: bool = False
    """Whether a value is several words with commas between."""
    is_named: bool = False
    """Whether a name and = may stand before a path."""
    may_repeat: bool = False


@dataclass(frozen=True)
class Command:
    """A command, what it is for and what it takes."""

    name: str
    summary: str
    options: tuple[Argument, ...]
    positionals: tuple[Argument, ...]


def grammar() -> list[Command]:
    """Give all commands."""
    parser = parser_of(*COMMANDS)
    commands = next(action for action in parser._actions if action.dest == "command").choices
    return [_command(name, commands[name]) for name in COMMANDS]  # type: ignore[index]


def _command(name: str, parser: ArgumentParser) -> Command:
    arguments = [_argument(action) for action in parser._actions]
    return Command(
        name,
        COMMANDS[name],
        tuple(argument for argument in arguments if argument.names),
        tuple(argument for argument in arguments if not argument.names),
    )


def _argument(action: Action) -> Argument:
    choices = action.choices if action.choices is not None else _WORDS.get(action.dest, tuple)()
    return Argument(
        tuple(action.option_strings),
        str(action.metavar or action.dest.upper()),
        action.help or "",
        action.nargs != 0,
        tuple(map(str, choices)),
        _place(action),
        action.dest in ("rules", "skip"),
        "NAME= and" in (action.help or ""),
        action.nargs in ("+", "*") or type(action).__name__ == "_AppendAction",
    )


def _place(action: Action) -> Place:
    if action.metavar in ("MODEL", "FOLDER") or action.dest == "encoder":
        return Place.FOLDERS
    is_path = action.type is as_path or action.metavar in ("F", "RUN", "C.toml")
    return Place.FILES if is_path else Place.NONE


def _assignments() -> Iterator[str]:
    """Give every setting with `=`, and with its values where these are few."""
    for name, _, kind in described(Config):
        if name not in OF_THE_RUN:
            yield from (f"{name}={value}" for value in _few_values(kind))


def _few_values(kind: type[Any]) -> Iterable[str]:
    if kind is bool:
        return "true", "false"
    return kind if kind != NUMBERS and issubclass(kind, StrEnum) else ("",)


_WORDS: dict[str, Callable[[], Iterable[str]]] = {
    "config": shipped,
    "encoder": lambda: (EMBEDDED, ELMO),
    "set": _assignments,
    "rules": lambda: RULES,
    "skip": lambda: RULES,
}
"""What to offer for values that parsers do not list, by the name of the argument."""
