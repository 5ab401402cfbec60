"""Find the mentions of texts with a model.

Examples:
  disconer predict run/ notes/ -o annotations/ --to brat      a folder of text files
  disconer predict run/ corpus.jsonl -o predicted.jsonl       one line out for every line in
  echo "Joint and back pain." | disconer predict run/ - --draw
  disconer predict run/ note.txt --html page.html             drawn, for a browser

MODEL is a run, a model directory, or the name of a model on the Hugging Face hub. INPUT is a file, a folder, or - for
standard input: plain text, one document a line, unless --from says otherwise. There is one output record for every
input record, in the same order; mentions in the input are replaced, everything else is kept.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from disconer.cli.options import (
    add_context_option,
    add_input_options,
    add_model_options,
    add_quiet_option,
    add_threshold_option,
    as_path,
    tell,
    tell_cut,
)
from disconer.cli.tables import drawn
from disconer.document import Document
from disconer.drawing import html
from disconer.exceptions import InputError
from disconer.formats import WRITABLE, detect_text_input, read, write
from disconer.formats.files import is_stream, replacing_file
from disconer.loading import load


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a run, a model directory, or a name on the hub")
    parser.add_argument("input", metavar="INPUT", type=as_path, help="a file, a folder, or - for standard input")
    parser.add_argument(
        "-o", "--output", type=as_path, default=Path("-"), metavar="OUT",
        help="a file or a new folder; standard output by default",
    )  # fmt: skip
    parser.add_argument(
        "--to", dest="output_format", choices=WRITABLE, metavar="FORMAT",
        help=f"the format of the output ({', '.join(WRITABLE)}); told from the name by default, else jsonl",
    )  # fmt: skip
    parser.add_argument(
        "--html", type=as_path, metavar="PAGE", help="also draw the predictions on a page for a browser"
    )
    parser.add_argument("--draw", action="store_true", help="draw the predictions on standard output instead")
    add_threshold_option(parser)
    add_context_option(parser)
    add_input_options(parser)
    add_model_options(parser)
    add_quiet_option(parser, "what was written and what the output format could not hold")


def run(arguments: Namespace) -> None:
    if arguments.draw and not is_stream(arguments.output):
        raise InputError("--draw draws on standard output: leave out -o")
    if arguments.html is not None and is_stream(arguments.html) and is_stream(arguments.output):
        raise InputError("the page and the predictions cannot both go to standard output: name a file with --html")
    input_format = arguments.input_format or detect_text_input(arguments.input).name
    documents = read(arguments.input, input_format, arguments.split)
    recognizer = load(arguments.model, arguments.device, arguments.threads)
    counter = _Counter()
    predicted = counter.passing(recognizer.pipe(documents, arguments.threshold, arguments.context))
    with ExitStack() as stack:
        if arguments.html is not None:
            page = stack.enter_context(replacing_file(arguments.html))
            predicted = _also_drawn(predicted, page, f"Predictions for {_named(arguments.input)}", recognizer.labels)
        if arguments.draw:
            _draw(predicted, recognizer.labels)
        else:
            _write(predicted, arguments)
    if not arguments.quiet:
        tell_cut(recognizer)
        tell(f"{counter.mentions:,} mentions in {counter.documents:,} documents")


def _named(path: Path) -> str:
    return "standard input" if is_stream(path) else path.name


def _write(documents: Iterable[Document], arguments: Namespace) -> None:
    losses = write(documents, arguments.output, arguments.output_format)
    if not arguments.quiet:
        for line in losses.lines():
            tell(f"not in the output: {line}")


def _also_drawn(
    documents: Iterable[Document], stream: TextIO, title: str, labels: tuple[str, ...]
) -> Iterator[Document]:
    """Pass documents on, each after it was drawn on the page."""
    waiting: list[Document] = []

    def arriving() -> Iterator[Document]:
        while waiting:
            yield waiting.pop()

    parts = html.page(arriving(), title, labels)
    stream.write(next(parts))
    for document in documents:
        waiting.append(document)
        stream.write(next(parts))
        yield document
    stream.writelines(parts)


def _draw(documents: Iterable[Document], labels: tuple[str, ...]) -> None:
    for document in documents:
        print(drawn(document, labels), end="\n\n")


class _Counter:
    """Counts what passes by on its way to the output."""

    def __init__(self) -> None:
        self.documents = 0
        self.mentions = 0

    def passing(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self.documents += 1
            self.mentions += len(document)
            yield document
