"""The command line: `disconer COMMAND …`, one file a command."""

import io
import os
import platform
import signal
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from disconer.drawing.characters import printable
from disconer.exceptions import DisconerError

COMMANDS = {
    "check": "list what looks wrong in an annotated corpus",
    "compare": "compare finished runs or predictions on one page, as the paper does",
    "convert": "turn one format into another",
    "corpus": "build a public corpus from its download",
    "evaluate": "predict annotated data with a model, and score that",
    "predict": "find the mentions of texts with a model",
    "export": "write a model that needs no torch",
    "sample": "make a synthetic corpus to try disconer with",
    "score": "score predictions against gold, no model needed",
    "serve": "answer texts over HTTP, with a page to try models on",
    "stats": "print the data tables of a corpus and how much of it the scheme can express",
    "study": "train systems on corpora with several seeds, and report as the paper does",
    "train": "train a model on annotated sentences",
}
"""Every command and what it is for; its module is only imported when it is called."""


class Parser(ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {printable(message)} (see {self.prog} --help)\n")


def program() -> NoReturn:
    """Run as a program: with streams that are there and take any text, and signals that let us tidy up."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # somebody closed it before us
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (open until the end)
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks for
            signal.signal(number, signal.default_int_handler)
    sys.exit(main())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status: 0 done, 1 the run failed, 2 the input or the call is wrong."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        parsed = _parser(arguments).parse_args(arguments)
        import_module(f"disconer.cli.{parsed.command}").run(parsed)
        sys.stdout.flush()
    except DisconerError as error:
        return _fail(str(error), error.exit_status)
    except BrokenPipeError:  # whoever reads our output has seen enough
        _silence_standard_output()
        return 0
    except OSError as error:
        _silence_standard_output()
        return _fail(f"{error.filename or 'standard output'}: {error.strerror}", 1)
    except KeyboardInterrupt:
        return _fail("interrupted", 1)
    return 0


def _silence_standard_output() -> None:
    """Keep Python from trying, and failing, to write the rest of the output at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    print("disconer: error:", printable(message), file=sys.stderr)
    return status


def _parser(arguments: Sequence[str]) -> Parser:
    parser = Parser("disconer", description="Named entity recognition where a mention may have gaps.")
    parser.add_argument("--version", action="version", version=_versions())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, formatter_class=RawDescriptionHelpFormatter)
        if name in arguments:
            module = import_module(f"disconer.cli.{name}")
            command.description = module.__doc__
            module.add_arguments(command)
    return parser


def _versions() -> str:
    return f"disconer {version('disconer')} (Python {platform.python_version()}, {platform.platform()})"
