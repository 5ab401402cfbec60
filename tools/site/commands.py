"""The reference of the command line, from the parsers of its commands."""

import re
from argparse import Action, ArgumentParser
from collections.abc import Iterator
from importlib import import_module

from disconer.cli import COMMANDS
from tools.site.docstrings import as_markdown
from tools.site.tables import code, fence, table

_EXAMPLES = re.compile(r"^Examples:\n((?:  .*\n?)+)", re.MULTILINE)


def markdown() -> str:
    """Describe every command."""
    return "\n".join(_command(name, _parser(name)) for name in sorted(COMMANDS))


def _parser(name: str) -> ArgumentParser:
    module = import_module(f"disconer.cli.{name}")
    parser = ArgumentParser(f"disconer {name}", description=module.__doc__, add_help=False)
    module.add_arguments(parser)
    return parser


def _command(name: str, parser: ArgumentParser) -> str:
    about, examples = _describe(parser)
    needed = [action for action in parser._actions if not action.option_strings]
    options = [action for action in parser._actions if action.option_strings]
    parts = [f"## {code(name)} {{ #{name} }}\n", about, fence("text", _synopsis(parser))]
    parts += [table(("argument", "what it is"), map(_row, needed))] if needed else []
    parts += [table(("option", "what it does"), map(_row, options))] if options else []
    parts += ["Examples:\n", fence("bash", examples)] if examples else []
    return "\n".join(parts)


def _describe(parser: ArgumentParser) -> tuple[str, str]:
    """Split what a command says of itself, its arguments as code, from its examples."""
    text = parser.description or ""
    found = _EXAMPLES.search(text)
    examples = "\n".join(map(_example, found[1].splitlines())) if found else ""
    names = {word for action in parser._actions for name in _names(action) for word in name.split()}
    argument = rf"(?<![\w/.=-])({'|'.join(map(re.escape, sorted(names, reverse=True)))})(?![\w/-])"
    return as_markdown(re.sub(argument, r"`\1`", _EXAMPLES.sub("", text).strip() + "\n")), examples


def _example(line: str) -> str:
    """Write an example so that it can be copied: what is said of it becomes a comment.

    >>> _example("  disconer sample corpus/    2,000 sentences")
    'disconer sample corpus/  # 2,000 sentences'
    """
    return re.sub(r"(?<=\S) {2,}(?=\S)", "  # ", line.removeprefix("  "))


def _synopsis(parser: ArgumentParser) -> str:
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    return "\n".join(_wrap(usage, indent=" " * len(parser.prog + " ")))


def _wrap(usage: str, indent: str, width: int = 88) -> Iterator[str]:
    """Break a line between arguments, never inside of one."""
    line = ""
    for part in re.findall(r"\[[^][]*(?:\[[^]]*\][^][]*)*\]|\S+", usage):
        if line and len(line) + len(part) >= width:
            yield line
            line = indent + part
        else:
            line = f"{line} {part}".lstrip(" ") if not line.strip() else f"{line} {part}"
    yield line


def _row(action: Action) -> tuple[str, str]:
    return ", ".join(map(code, _names(action))), _help(action)


def _names(action: Action) -> list[str]:
    metavar = action.metavar if isinstance(action.metavar, str) else None
    if not action.option_strings:
        return [metavar or action.dest]
    value = "" if action.nargs == 0 else f" {metavar or _choices(action) or action.dest.upper()}"
    return [f"{name}{value}" for name in action.option_strings]


def _choices(action: Action) -> str:
    return "|".join(map(str, action.choices or ()))


def _help(action: Action) -> str:
    return (action.help or "").replace("%%", "%")
