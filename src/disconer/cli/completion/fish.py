"""Completion in fish, with what every option is for."""

import re
from collections.abc import Iterable, Iterator

from disconer.cli.completion.grammar import Argument, Command, Place

_SCRIPT = r"""# Completion of disconer in fish: written by `disconer completion fish`.

set -g __disconer_valued @VALUED@

# Prints the command, if there is one already, and how many arguments that are no options follow it.
function __disconer_before
    set -l words (commandline -opc)[2..-1]
    set -l number 0
    set -l is_value 0
    for word in $words[2..-1]
        if test $is_value = 1
            set is_value 0
        else if string match -q -- '-?*' $word
            contains -- "$words[1]:$word" $__disconer_valued; and set is_value 1
        else
            set number (math $number + 1)
        end
    end
    printf '%s\n' $words[1] $number
end

function __disconer_has_none
    test (count (__disconer_before)) = 1
end

function __disconer_has -a command
    set -l before (__disconer_before)
    test "$before[1]" = $command
end

# Tells whether the next argument of a command that is no option is one of these.
function __disconer_at -a command first last
    set -l before (__disconer_before)
    test "$before[1]" = $command; and test $before[2] -ge $first; and test $before[2] -le $last
end

# Prints words behind those of a list that are there already.
function __disconer_list
    set -l typed (commandline -ct | string replace -r '[^,]*$' '')
    printf '%s\n' "$typed"$argv
end

complete -c disconer -e
complete -c disconer -f
complete -c disconer -n __disconer_has_none -s h -l help -d 'show help'
complete -c disconer -n __disconer_has_none -l version -d 'show versions'
"""


def script(commands: Iterable[Command]) -> str:
    """Write what fish is to find among its completions, or to source."""
    commands = list(commands)
    valued = [
        f"{command.name}:{name}"
        for command in commands
        for option in command.options if option.takes_value
        for name in option.names
    ]  # fmt: skip
    lines = [line for command in commands for line in _lines(command)]
    return _SCRIPT.replace("@VALUED@", " ".join(valued)) + "\n".join(lines) + "\n"


def _lines(command: Command) -> Iterator[str]:
    yield f"\ncomplete -c disconer -n __disconer_has_none -a {command.name} -d {_quoted(command.summary)}"
    for option in command.options:
        names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
        condition = _quoted(f"__disconer_has {command.name}")
        yield f"complete -c disconer -n {condition} {names}{_values(option)} -d {_quoted(option.help)}"
    for number, argument in enumerate(command.positionals):
        last = 999 if argument.may_repeat else number
        condition = _quoted(f"__disconer_at {command.name} {number} {last}")
        yield f"complete -c disconer -n {condition}{_values(argument)}"


def _values(argument: Argument) -> str:
    """Write where the values of an argument come from."""
    if not argument.takes_value:
        return ""
    words = " ".join(argument.words)
    if argument.is_list:
        words = f"(__disconer_list {words})"
    if argument.place is Place.FOLDERS and not argument.is_named:
        words = f"{words} (__fish_complete_directories)".strip()
    how = "-F" if argument.place is Place.FILES or argument.is_named else "-f"
    required = " -r" if argument.names else ""
    return f"{required} {how}" + (f" -a {_quoted(words)}" if words else "")


def _quoted(text: str) -> str:
    escaped = re.sub(r"(['\\])", r"\\\1", text)
    return f"'{escaped}'"
