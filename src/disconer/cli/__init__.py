"""The command line: `disconer COMMAND …`, one file a command."""

import io
import os
import signal
import sys
from argparse import Action
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn

from disconer.cli.parser import Parser
from disconer.exceptions import DisconerError
from disconer.foundation.characters import printable

COMMANDS = {
    "augment": "show the coordinations that training makes of a corpus' own mentions",
    "check": "list what looks wrong in an annotated corpus",
    "compare": "compare finished runs or predictions on one page, as the paper does",
    "completion": "print what lets a shell complete disconer's commands and options",
    "convert": "turn one format into another",
    "corpus": "build a public corpus from its download",
    "evaluate": "predict annotated data with a model, and score that",
    "models": "list the ready models, which need no training",
    "predict": "find the mentions of texts with a model",
    "export": "write a model that needs no torch",
    "sample": "make a synthetic corpus to try disconer with",
    "score": "score predictions against gold, no model needed",
    "serve": "answer texts over HTTP, with a page to try models on",
    "split": "divide annotated data into train, dev and test",
    "stats": "print the data tables of a corpus and how much of it the scheme can express",
    "study": "train systems on corpora with several seeds, and report as the paper does",
    "suggest": "choose what to annotate next",
    "train": "train a model on annotated sentences",
}
"""Every command and what it is for; its module is only imported when it is called."""


GROUPS = {
    "with a model": ("models", "train", "predict", "evaluate", "suggest", "export", "serve"),
    "with data": ("convert", "split", "stats", "check", "augment", "corpus", "sample"),
    "with results": ("score", "study", "compare"),
    "with the shell": ("completion",),
}
"""What the commands work with, as `disconer --help` lists them."""
_EXAMPLES = """\
Examples:
  disconer predict adr --text 'Hepatic and renal failure were reported.' --draw
  disconer sample sample/                                 a synthetic corpus to begin with
  disconer train --train sample/train.jsonl --dev sample/dev.jsonl --out run/
  disconer evaluate run/ sample/test.jsonl --errors       scores, and every error drawn
  disconer convert annotations/ corpus.jsonl              a brat folder to JSONL

Every command has examples of its own: disconer COMMAND --help. NO_COLOR leaves colours out, FORCE_COLOR keeps them in
files and pipes, COLUMNS is how wide help and drawings are, and DISCONER_TRACEBACK=1 shows where a fault of ours is."""
TRACEBACK = "DISCONER_TRACEBACK"
"""The environment variable that shows where something that is our fault went wrong."""


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
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may follow
        from disconer.cli.completion import complete  # noqa: PLC0415 (argcomplete, which nothing else needs)

        complete(build_parser(*os.environ["COMP_LINE"].split()))
    sys.exit(main())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 done, 1 the run failed, 2 the input or the call is wrong."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        parsed = build_parser(*arguments).parse_args(arguments or ["--help"])
        import_module(f"disconer.cli.{parsed.command}").run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads our output has seen enough
        _silence_standard_output()
    except KeyboardInterrupt:
        return _fail("interrupted", 1)
    except Exception as error:
        return _report_error(error)
    return 0


def _report_error(error: Exception) -> int:
    """Say in a line what went wrong."""
    if isinstance(error, DisconerError):
        return _fail(str(error), error.exit_status)
    if isinstance(error, OSError) and error.strerror:
        _silence_standard_output()
        return _fail(f"{error.filename or 'standard output'}: {error.strerror}", 1)
    return _fail_unexpectedly(error)


def _silence_standard_output() -> None:
    """Keep Python from trying, and failing, to write the rest of the output at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    print("disconer: error:", printable(message), file=sys.stderr)
    return status


def _fail_unexpectedly(error: Exception) -> int:
    """Ask for a report of something that nobody expected; its message is not told, as it may hold somebody's text."""
    if os.environ.get(TRACEBACK):
        raise error
    package = Path(__file__).parents[1]
    frames = [frame for frame in extract_tb(error.__traceback__) if package in Path(frame.filename).parents]
    place = f"{Path(frames[-1].filename).relative_to(package.parent).as_posix()}:{frames[-1].lineno}"
    return _fail(
        f"this should not happen: {type(error).__name__} at {place}; please report it with what disconer --version "
        f"prints and what {TRACEBACK}=1 shows (look for private text before)",
        1,
    )


def build_parser(*names: str) -> Parser:
    """Build the parser of all commands; only those that are named get their arguments, and are imported."""
    parser = Parser("disconer", description="Named entity recognition where a mention may have gaps.")
    parser.add_argument("--version", action=_Version, help="print the versions that matter for a bug report")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, help="one of those below")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        if name in names:
            module = import_module(f"disconer.cli.{name}")
            command.description = module.__doc__
            module.add_arguments(command)
    parser.epilog = "\n".join((*_list_commands(), _EXAMPLES))
    return parser


def _list_commands() -> Iterable[str]:
    """List the commands by what they work with."""
    for title, names in GROUPS.items():
        yield f"commands that work {title}:"
        yield from (f"  {name:10}  {COMMANDS[name]}" for name in names)
        yield ""


class _Version(Action):
    """Prints versions, which are only looked up when somebody asks."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: Any, *_: Any) -> None:
        from disconer.cli.versions import describe_versions  # noqa: PLC0415 (hardly anybody asks)

        print(describe_versions())
        parser.exit()
