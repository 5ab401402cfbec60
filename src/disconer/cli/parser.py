"""Parsers of arguments whose errors are one line and whose help suits any terminal."""

import re
from argparse import Action, ArgumentError, ArgumentParser, HelpFormatter
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from textwrap import fill, wrap
from typing import Any, NoReturn

from disconer.exceptions import quote
from disconer.foundation.characters import printable
from disconer.foundation.nearest import did_you_mean, did_you_mean_one_of

_COMMENT = re.compile(r"(  .*?\S) {2,}(\S.*)")
"""A line with two columns: a command, and what it does."""
_QUOTED = re.compile("'[^']*'|\"[^\"]*\"")
_ROOM_FOR_USAGE = 58
_INDENT = " " * 6
"""Before what did not fit into a line."""


class HelpLines(HelpFormatter):
    """Lays help out: paragraphs are filled, and lines that are indented stay lines, as long as they fit."""

    def add_usage(self, usage: Any, actions: Iterable[Action], groups: Any, prefix: str | None = None) -> None:
        """Leave out of the usage, where there is little room, the options that may be left out."""
        if self._width < _ROOM_FOR_USAGE:
            actions = [action for action in actions if action.required or not action.option_strings]
        super().add_usage(usage, actions, groups, prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(None if heading is None else fill(heading, self._width))

    def _iter_indented_subactions(self, action: Action) -> Generator[Action]:  # noqa: ARG002
        """Leave out argparse's list of commands: our help lists them by group."""
        yield from ()

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _fill(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        blocks = groupby(text.strip("\n").splitlines(), key=_classify)
        return "\n".join(indent + line for kind, lines in blocks for line in _lay_out(kind, list(lines), width))


def _fill(text: str, width: int) -> list[str]:
    """Break a text between words; the names of options and formats have hyphens, and stay whole."""
    return wrap(text, width, break_on_hyphens=False)


def _classify(line: str) -> str:
    """Tell a blank line, an indented one and one of a paragraph apart."""
    return "" if not line.strip() else "line" if line.startswith(" ") else "paragraph"


def _lay_out(kind: str, lines: Sequence[str], width: int) -> Iterator[str]:
    if kind == "paragraph":
        yield from _fill(" ".join(lines), width)
    for line in lines if kind != "paragraph" else ():
        yield from [line] if len(line) <= width else _break_line(line, width)


def _break_line(line: str, width: int) -> Iterator[str]:
    """Break a line that is too wide: what stands in its second column stays beside the first, or goes below it."""
    found = _COMMENT.fullmatch(line)
    if found is not None and found.start(2) <= width // 2:
        yield from wrap(line, width, subsequent_indent=" " * found.start(2))
        return
    yield from _break_command(line if found is None else found[1], width)
    if found is not None:
        yield from wrap(found[2], width, initial_indent=f"{_INDENT}# ", subsequent_indent=f"{_INDENT}# ")


def _break_command(command: str, width: int) -> Iterator[str]:
    """Break a command the way a shell takes it, never inside quotes."""
    held = _QUOTED.sub(lambda quoted: quoted[0].replace(" ", "\0"), command.strip())
    pieces = wrap(
        held, width - 2, initial_indent="  ", subsequent_indent=_INDENT, break_long_words=False, break_on_hyphens=False
    )
    for number, piece in enumerate(pieces, start=1):
        yield piece.replace("\0", " ") + (" \\" if number < len(pieces) else "")


class Parser(ArgumentParser):
    """A parser whose errors are one line, and suggest what somebody may have meant."""

    def __init__(self, prog: str | None = None, description: str | None = None) -> None:
        super().__init__(prog, description=description, formatter_class=HelpLines)

    def _parse_known_args(self, arg_strings: list[str], *rest: Any, **named: Any) -> Any:
        # Before anything is parsed, because what does not exist may be a required option, misspelt. Not in
        # parse_known_args, because completion, which replaces this method, is to go on behind such an option.
        for text in self._list_possible_options(arg_strings):
            name = text.partition("=")[0]
            is_known = any(known.startswith(name) for known in self._option_string_actions)
            if text.startswith("--") and " " not in text and not is_known:
                self.error(f"there is no option {quote(name)}{did_you_mean(name, self._option_string_actions)}")
        return super()._parse_known_args(arg_strings, *rest, **named)

    def _match_arguments_partial(self, actions: Sequence[Action], arg_strings_pattern: str) -> list[int]:
        # One that may be left out, such as predict's INPUT, is not left out for the options that stand before it.
        counts: list[int] = super()._match_arguments_partial(actions, arg_strings_pattern)
        while counts and not counts[-1] and "A" in arg_strings_pattern[sum(counts) :]:
            counts.pop()
        return counts

    def _list_possible_options(self, arguments: Sequence[str]) -> Iterator[str]:
        """List the arguments that may be options of this parser: those before a command, and before `--`."""
        end = "--" if self._subparsers is None else None
        return takewhile(lambda text: text != end if end else text.startswith("-"), arguments)

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            raise ArgumentError(action, f"invalid choice: {quote(value)}{did_you_mean_one_of(str(value), names)}")

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {printable(message)} (see {self.prog} --help)\n")
