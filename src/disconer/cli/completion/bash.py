"""Completion in bash, from version 3.2 on."""

from collections.abc import Iterable, Iterator
from shlex import quote

from disconer.cli.completion.grammar import Argument, Command, Place

_SCRIPT = r"""# Completion of disconer in bash: written by `disconer completion bash`.

# Sets `words` and `place` to the values of an argument, as COMMAND:OPTION or COMMAND:NUMBER; fails if it takes none.
_disconer_values() {
    words= place=none
    case $1 in
@VALUES@
        *) return 1 ;;
    esac
}

_disconer_options() {
    case $1 in
@OPTIONS@
    esac
}

_disconer() {
    local IFS=$' \t\n' words place typed word key= option= number=0 index last
    local -a line=()
    # Bash takes what is before and after = and : for words of their own.
    for ((index = 1; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]} last=$((${#line[@]} - 1))
        if ((last >= 0)) && [[ $word == [=:]* || ${COMP_WORDS[index - 1]} == [=:] ]]; then
            line[last]+=$word
        else
            line+=("$word")
        fi
    done
    last=$((${#line[@]} - 1)) word=${line[last]} COMPREPLY=()
    for ((index = 1; index < last; index++)); do
        if [[ -n $option ]]; then
            option=
        elif [[ ${line[index]} == -?* ]]; then
            _disconer_values "${line[0]}:${line[index]}" && option=${line[index]}
        else
            ((number++))
        fi
    done
    typed=${word%"${word##*[=:]}"}
    if ((last == 0)); then
        COMPREPLY=($(compgen -W '@COMMANDS@' -- "$word"))
    elif [[ -z $option && $word == --*=* ]]; then
        key=${line[0]}:${word%%=*} word=${word#*=} typed=${typed#*=}
    elif [[ -z $option && $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_disconer_options "${line[0]}")" -- "$word"))
    else
        key=${line[0]}:${option:-$number}
    fi
    place=none
    if [[ -n $key ]] && _disconer_values "$key" && [[ -n $words ]]; then
        if [[ $place == list ]]; then
            COMPREPLY=($(compgen -P "${word%"${word##*,}"}" -W "$words" -- "${word##*,}"))
        else
            COMPREPLY=($(compgen -W "$words" -- "$word"))
            COMPREPLY=("${COMPREPLY[@]#"$typed"}")
        fi
    fi
    [[ ${COMPREPLY[0]-} == *[=:] ]] && compopt -o nospace 2> /dev/null
    # Without a match, readline completes the names of files: it knows best how to quote them.
    [[ $place == files ]] || compopt +o default 2> /dev/null
    [[ $place == folders ]] && compopt -o dirnames 2> /dev/null
    return 0
}

complete -o default -F _disconer disconer
"""


def script(commands: Iterable[Command]) -> str:
    """Write what bash is to source."""
    commands = list(commands)
    parts = {
        "@VALUES@": "\n".join(line for command in commands for line in _values(command)),
        "@OPTIONS@": "\n".join(f"        {command.name}) echo {quote(_options(command))} ;;" for command in commands),
        "@COMMANDS@": " ".join(("--help", "--version", *(command.name for command in commands))),
    }
    text = _SCRIPT
    for mark, part in parts.items():
        text = text.replace(mark, part)
    return text


def _options(command: Command) -> str:
    return " ".join(name for option in command.options for name in option.names if name.startswith("--"))


def _values(command: Command) -> Iterator[str]:
    for option in command.options:
        if option.takes_value:
            yield _case("|".join(f"{command.name}:{name}" for name in option.names), option)
    for number, argument in enumerate(command.positionals):
        yield _case(f"{command.name}:{'[0-9]*' if argument.may_repeat else number}", argument)


def _case(pattern: str, argument: Argument) -> str:
    settings = [f"words={quote(' '.join(argument.words))}"] if argument.words else []
    place = "list" if argument.is_list else argument.place
    settings += [f"place={place}"] if place != Place.NONE else []
    return f"        {pattern}) {' '.join(settings)} ;;".replace(")  ;;", ") ;;")
