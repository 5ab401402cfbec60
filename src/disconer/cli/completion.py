"""Print a script that lets a shell complete commands, options, their values and files when Tab is pressed.

Examples:
  disconer completion bash > ~/.local/share/bash-completion/completions/disconer
  disconer completion zsh > ~/.zsh/completions/_disconer
  disconer completion fish > ~/.config/fish/completions/disconer.fish

Make the folder first (mkdir -p), and begin a new shell afterwards. bash reads that folder when the package
bash-completion is installed; without it, write the script to any file and add `source FILE` to ~/.bashrc. zsh needs
`fpath+=(~/.zsh/completions)` in ~/.zshrc, above the line that calls compinit. The script asks disconer what fits, so
that it stays right after an upgrade.
"""

import os
import re
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import takewhile
from typing import Any

from argcomplete import autocomplete
from argcomplete.completers import BaseCompleter, FilesCompleter
from argcomplete.shell_integration import shellcode

from disconer.cli.options import as_path
from disconer.cli.parser import Parser

SHELLS = ("bash", "zsh", "fish")
_IN_ZSH = {
    # Only the command that is typed, not what stands before it on the line: `cat notes | disconer predict …`.
    "$BUFFER": "${(j: :)words[1,CURRENT]}",
    "$CURSOR": "${#${(j: :)words[1,CURRENT]}}",
    # As in bash, files where nothing else fits.
    '"${nospace[@]}"\n': '"${nospace[@]}" || _files\n',
}
"""What argcomplete's script for zsh has, and what stands there in ours."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")


def run(arguments: Namespace) -> None:
    code = shellcode(["disconer"], shell=arguments.shell)
    for theirs, ours in _IN_ZSH.items() if arguments.shell == "zsh" else ():
        code = code.replace(theirs, ours)
    print(code, end="")


def complete(parser: Parser) -> None:
    """Answer a shell that asks what may follow, and exit."""
    autocomplete(parser, always_complete_options=False, default_completer=ValueCompleter())


class ValueCompleter(BaseCompleter):
    """Offers values of arguments for which the parser has no choices: names that we know, and paths."""

    def __call__(self, *, prefix: str, action: Action, parser: ArgumentParser, parsed_args: Namespace) -> Iterator[str]:
        """List what an argument may be, given how it begins."""
        if _is_earlier_missing(action, parser, parsed_args):
            return
        before = prefix[: prefix.rfind(",") + 1] if action.dest in ("rules", "skip") else ""
        yield from (before + name for name in _list_names(action.dest))
        if action.metavar in ("MODEL", "FOLDER") or action.dest == "encoder":
            yield from (path for path in _list_paths(prefix, action.dest) if path.endswith("/"))
        elif action.type is as_path or action.metavar in ("F", "RUN", "C.toml"):
            yield from _list_paths(prefix, action.dest)


def _is_earlier_missing(action: Action, parser: ArgumentParser, parsed: Namespace) -> bool:
    """Tell whether another argument is still missing before this one, where all of them may be left out."""
    earlier = takewhile(lambda other: other is not action, parser._actions)
    return not action.option_strings and any(
        not other.option_strings and getattr(parsed, other.dest, None) is None for other in earlier
    )


def _list_names(argument: str) -> Iterable[str]:
    # Imported here because most arguments need none of these, and Tab should answer at once.
    if argument in ("rules", "skip"):
        from disconer.checking import RULES  # noqa: PLC0415

        return RULES
    if argument == "encoder":
        from disconer.encoders.settings import ELMO, EMBEDDED  # noqa: PLC0415

        return EMBEDDED, ELMO
    if argument == "config":
        from disconer.training.config import list_shipped_configs  # noqa: PLC0415

        return list_shipped_configs()
    return _list_assignments() if argument == "set" else ()


def _list_assignments() -> Iterator[str]:
    """List every setting with `=`, and with its values where these are few."""
    from disconer.foundation.settings import iterate_settings  # noqa: PLC0415
    from disconer.training.config import OF_THE_RUN, Config  # noqa: PLC0415

    for name, _, kind in iterate_settings(Config):
        if name not in OF_THE_RUN:
            yield from (f"{name}={value}" for value in _list_values(kind))


def _list_values(kind: Any) -> Iterable[str]:
    if kind is bool:
        return "true", "false"
    return kind if isinstance(kind, type) and issubclass(kind, StrEnum) else ("",)


def _list_paths(prefix: str, argument: str) -> list[str]:
    """List the paths that begin so; some arguments take a name and `=`, or `elmo:`, before a path."""
    if re.match(r"~|.*\$", prefix) and os.environ.get("_ARGCOMPLETE_SHELL") != "fish":
        return []  # bash and zsh know what this means, but would quote it if it came from us
    named = re.match(r"elmo:|[^/=]+=", prefix) if argument in ("runs", "models", "encoder") else None
    before = "" if named is None else named[0]
    return [before + path for path in FilesCompleter()(prefix.removeprefix(before))]
