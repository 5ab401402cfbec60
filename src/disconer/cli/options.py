"""Options that several commands share."""

import json
import os
import shlex
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from disconer.document import Document
from disconer.exceptions import InputError
from disconer.formats import FORMATS, WRITABLE, write
from disconer.foundation.characters import printable
from disconer.foundation.device import Device
from disconer.foundation.files import is_stream, replace_file
from disconer.foundation.progress import CountStatus, TerminalDisplay, is_capable, track
from disconer.tokenize import Split

if TYPE_CHECKING:
    from disconer.recognizer import Recognizer

T = TypeVar("T")


def as_path(value: str) -> Path:
    """Read a path, or `-`; an empty one comes from a variable that is not set and never means this folder."""
    if not value:
        raise ArgumentTypeError("the path is empty")
    return Path(value)


def add_input_options(parser: ArgumentParser) -> None:
    """Add how input is read."""
    parser.add_argument(
        "--from", dest="input_format", choices=FORMATS, metavar="FORMAT",
        help=f"the format of the input ({', '.join(FORMATS)}); told from the path by default",
    )  # fmt: skip
    parser.add_argument(
        "--split", choices=[str(split) for split in Split], metavar="WHEN",
        help="split texts that do not say where their sentences are: auto (those with a line break; the default of "
        "jsonl), always (the default of brat) or never",
    )  # fmt: skip


def add_model_argument(parser: ArgumentParser) -> None:
    """Add the model that is asked."""
    parser.add_argument(
        "model", metavar="MODEL", help="a run, a model directory, or the name of a ready model or of one on the hub"
    )


def add_json_option(parser: ArgumentParser) -> None:
    """Add where results for programs go."""
    parser.add_argument(
        "--json", type=as_path, metavar="FILE",
        help="also write the results as JSON; with - to standard output, and nothing else",
    )  # fmt: skip


def add_output_options(parser: ArgumentParser, what: str) -> None:
    """Add where documents with predicted mentions go, and in which format."""
    parser.add_argument(
        "-o", "--output", type=as_path, metavar="OUT",
        help="a file or a new folder; standard output by default, unless they are drawn",
    )  # fmt: skip
    parser.add_argument(
        "--to", dest="output_format", choices=WRITABLE, metavar="FORMAT",
        help=f"the format of the output ({', '.join(WRITABLE)}); told from the name by default, else jsonl",
    )  # fmt: skip
    parser.add_argument("--draw", action="store_true", help=f"draw the {what} on standard output")


def add_errors_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--errors", action="store_true", help="also list every error with its kind, drawn in its sentence"
    )


def add_quiet_option(parser: ArgumentParser, silences: str) -> None:
    parser.add_argument("--quiet", action="store_true", help=f"do not print {silences}")


def add_model_options(parser: ArgumentParser) -> None:
    """Add where a model runs."""
    parser.add_argument(
        "--device", choices=[str(device) for device in Device], default=str(Device.AUTO), metavar="DEVICE",
        help="auto (the default), cpu, cuda or mps",
    )  # fmt: skip
    parser.add_argument("--threads", type=as_positive, metavar="N", help="how many threads of a processor to use")


def add_threshold_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--threshold", type=as_probability, metavar="T",
        help="lowest score of a mention, instead of the thresholds that were chosen on dev",
    )  # fmt: skip


def add_context_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--context", type=as_positive, default=1, metavar="N",
        help="read N sentences together, so that mentions may cross from one into the next; 1 by default",
    )  # fmt: skip


def as_positive(value: str) -> int:
    """Read a whole number from one on."""
    if not value.isdecimal() or int(value) < 1:
        raise ArgumentTypeError(f"{value!r} is not a whole number above 0")
    return int(value)


def as_probability(value: str) -> float:
    """Read a number above 0 and up to 1."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number <= 1:
        raise ArgumentTypeError(f"{value!r} is not a number above 0 and up to 1")
    return number


def is_table_wanted(arguments: Namespace) -> bool:
    """Tell whether people, not only programs, get to see the results."""
    return not arguments.quiet and (arguments.json is None or not is_stream(arguments.json))


def write_json(arguments: Namespace, results: dict[str, Any]) -> None:
    """Write the results where `--json` says, if it was given."""
    if arguments.json is not None:
        with replace_file(arguments.json) as stream:
            json.dump(results, stream, indent=2, ensure_ascii=False)
            stream.write("\n")


def is_drawn_only(arguments: Namespace) -> bool:
    """Whether documents are drawn, and nobody asked for them in a format too."""
    is_drawn = arguments.draw or getattr(arguments, "html", None) is not None
    return is_drawn and arguments.output is None and arguments.output_format is None


def is_on_standard_output(arguments: Namespace) -> bool:
    """Whether documents are written there, in a format."""
    return not is_drawn_only(arguments) and (arguments.output is None or is_stream(arguments.output))


def check_output_options(arguments: Namespace) -> None:
    if arguments.draw and is_on_standard_output(arguments):
        raise InputError("--draw draws on standard output: name a file for the rest with -o")


def write_documents(arguments: Namespace, documents: Iterable[Document], labels: Iterable[str]) -> None:
    """Draw documents, write them where `-o` says and tell what the format could not hold, or both."""
    if arguments.draw:
        is_written = arguments.output is not None or getattr(arguments, "html", None) is not None
        documents = _draw(documents, tuple(labels), is_written)
    if is_drawn_only(arguments):
        deque(documents, maxlen=0)
        return
    losses = write(documents, arguments.output or Path("-"), arguments.output_format, labels=labels)
    if not arguments.quiet:
        for line in losses.lines():
            tell(f"not in the output: {line}")


def watch(
    items: Iterable[T],
    title: str,
    arguments: Namespace,
    count: Callable[[], int | None] = lambda: None,
    noun: str = "document",
    is_printed: bool = False,
) -> Iterator[T]:
    """Pass things on; a person at a terminal sees how many are done, of how many where they can be counted.

    Nothing is shown where the things themselves are printed as they come, on the same terminal or through a pipe to
    something that may share it.
    """
    if arguments.quiet or not is_capable(sys.stderr) or (is_printed and not _is_file(sys.stdout)):
        return iter(items)
    return track(items, CountStatus(title, noun, count()), TerminalDisplay())


def _is_file(stream: TextIO) -> bool:
    """Tell whether what is written goes to a file, and so on nobody's screen."""
    try:
        return S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _draw(documents: Iterable[Document], labels: Sequence[str], is_written: bool) -> Iterator[Document]:
    """Pass documents on, each after it was drawn on standard output.

    Whoever looks may have seen enough before all are there: where they are written too, that goes on.
    """
    from disconer.cli.tables import draw  # noqa: PLC0415 (rich, which most commands do without)

    is_watched = True
    for document in documents:
        try:
            if is_watched:
                print(draw(document, labels), end="\n\n")
        except BrokenPipeError:
            if not is_written:
                raise
            is_watched = False
        yield document


def format_command_line() -> str:
    """Join the command that was called; bytes of file names that are not UTF-8 are escaped."""
    return shlex.join(["disconer", *sys.argv[1:]]).encode(errors="backslashreplace").decode()


def make_teller(quiet: bool) -> Callable[[str], None]:
    """Choose how to report on a run: on standard error, or not at all."""
    return (lambda _: None) if quiet else tell


def tell_if_cut(recognizer: "Recognizer") -> None:
    """Say when not everything could be looked for."""
    if cut := recognizer.describe_cut():
        tell(cut)


def tell(message: str) -> None:
    """Say something about the run, on standard error."""
    print(printable(message), file=sys.stderr)
