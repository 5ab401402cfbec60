"""Completion in zsh, with what every option is for."""

import re
from collections.abc import Iterable, Iterator
from shlex import quote

from disconer.cli.completion.grammar import Argument, Command, Place

_SCRIPT = r"""#compdef disconer
# Completion of disconer in zsh: written by `disconer completion zsh`.

_disconer_commands() {
    local -a commands=(
@COMMANDS@
    )
    _describe -t commands command commands
}

# Offers words, those that are only a beginning without a blank behind them, and the paths that a function finds.
_disconer_either() {
    local place=$1 found=1
    shift
    compadd -S '' -- ${(M)@:#*[=:]} && found=0
    compadd -- ${@:#*[=:]} && found=0
    compset -P '*:'
    ${=place} && found=0
    return found
}

# Offers paths behind a name and =, or without.
_disconer_named() {
    compset -P '[^/]#='
    _files
}

_disconer() {
    setopt local_options extended_glob
    local curcontext=$curcontext state line
    local -A opt_args
    _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)--version[show versions]' \
        '1: :_disconer_commands' '*:: :->arguments'
    [[ $state == arguments ]] || return
    curcontext=${curcontext%:*:*}:disconer-$line[1]:
    case $line[1] in
@ARGUMENTS@
    esac
}

if [[ $funcstack[1] == _disconer ]]; then
    _disconer "$@"
else
    compdef _disconer disconer
fi
"""
_PLACES = {Place.FILES: "_files", Place.FOLDERS: "_files -/"}


def script(commands: Iterable[Command]) -> str:
    """Write what zsh is to find in its `fpath`, or to source."""
    commands = list(commands)
    listed = "\n".join(f"        {quote(f'{command.name}:{command.summary}')}" for command in commands)
    return _SCRIPT.replace("@COMMANDS@", listed).replace("@ARGUMENTS@", "\n".join(map(_case, commands)))


def _case(command: Command) -> str:
    specifications = [*_options(command), *(_positional(argument) for argument in command.positionals)]
    lines = "".join(f" \\\n                {one}" for one in specifications)
    return f"        {command.name})\n            _arguments -s{lines}\n            ;;"


def _options(command: Command) -> Iterator[str]:
    for option in command.options:
        value = f":{option.metavar}:{_action(option)}" if option.takes_value else ""
        text = quote(f"[{_escaped(option.help)}]{value}")
        how_often = "*" if option.may_repeat else f"({' '.join(option.names)})"
        names = ",".join(f"{name}=" if option.takes_value and len(name) > 2 else name for name in option.names)
        yield f"{quote(how_often)}{f'{{{names}}}' if len(option.names) > 1 else names}{text}"


def _positional(argument: Argument) -> str:
    return quote(f"{'*' if argument.may_repeat else ''}:{argument.metavar}:{_action(argument)}")


def _action(argument: Argument) -> str:
    """Write where the values of an argument come from."""
    words = " ".join(map(_escaped, argument.words))
    if argument.is_list:
        return f" _sequence compadd - {words}"
    if argument.is_named:
        return " _disconer_named"
    if argument.words and (argument.place is not Place.NONE or any(word.endswith("=") for word in argument.words)):
        return f' _disconer_either "{_PLACES.get(argument.place, "false")}" {words}'
    return f"({words})" if words else _PLACES.get(argument.place, "")


def _escaped(text: str) -> str:
    """Write out what means something between brackets or colons."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text)
