"""Documents with what a model found in them, on their way out: written in a format, or drawn."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from disconer.cli.options import as_path, tell
from disconer.cli.tables import drawn
from disconer.document import Document
from disconer.exceptions import InputError
from disconer.formats import WRITABLE, write
from disconer.formats.files import is_stream


def add_answer_options(parser: ArgumentParser, what: str) -> None:
    """Add where documents go, and how."""
    parser.add_argument(
        "-o", "--output", type=as_path, default=Path("-"), metavar="OUT",
        help="a file or a new folder; standard output by default",
    )  # fmt: skip
    parser.add_argument(
        "--to", dest="output_format", choices=WRITABLE, metavar="FORMAT",
        help=f"the format of the output ({', '.join(WRITABLE)}); told from the name by default, else jsonl",
    )  # fmt: skip
    parser.add_argument("--draw", action="store_true", help=f"draw the {what} on standard output instead")


def check_answer_options(arguments: Namespace) -> None:
    if arguments.draw and not is_stream(arguments.output):
        raise InputError("--draw draws on standard output: leave out -o")


def give(documents: Iterable[Document], labels: tuple[str, ...], arguments: Namespace) -> None:
    """Draw documents or write them, and say what the format could not hold."""
    if arguments.draw:
        for document in documents:
            print(drawn(document, labels), end="\n\n")
        return
    losses = write(documents, arguments.output, arguments.output_format)
    if not arguments.quiet:
        for line in losses.lines():
            tell(f"not in the output: {line}")
