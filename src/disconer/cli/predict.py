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

from disconer.api import load
from disconer.cli.options import (
    add_context_option,
    add_input_options,
    add_model_options,
    add_output_options,
    add_quiet_option,
    add_threshold_option,
    as_path,
    check_output_options,
    tell,
    tell_if_cut,
    write_documents,
)
from disconer.document import Document
from disconer.drawing import html
from disconer.exceptions import InputError
from disconer.formats import detect_text_input, read
from disconer.formats.conversion import Conversion
from disconer.foundation.files import is_stream, replace_file


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a run, a model directory, or a name on the hub")
    parser.add_argument("input", metavar="INPUT", type=as_path, help="a file, a folder, or - for standard input")
    add_output_options(parser, "predictions")
    parser.add_argument(
        "--html", type=as_path, metavar="PAGE", help="also draw the predictions on a page for a browser"
    )
    add_threshold_option(parser)
    add_context_option(parser)
    add_input_options(parser)
    add_model_options(parser)
    add_quiet_option(parser, "what was written and what the output format could not hold")


def run(arguments: Namespace) -> None:
    check_output_options(arguments)
    if arguments.html is not None and is_stream(arguments.html) and is_stream(arguments.output):
        raise InputError("the page and the predictions cannot both go to standard output: name a file with --html")
    input_format = arguments.input_format or detect_text_input(arguments.input).name
    documents = read(arguments.input, input_format, arguments.split)
    recognizer = load(arguments.model, arguments.device, arguments.threads)
    counts = Conversion()
    predicted = counts.count(recognizer.pipe(documents, arguments.threshold, arguments.context))
    with ExitStack() as stack:
        if arguments.html is not None:
            page = stack.enter_context(replace_file(arguments.html))
            predicted = _draw_on_page(
                predicted, page, f"Predictions for {_name_input(arguments.input)}", recognizer.labels
            )
        write_documents(arguments, predicted, recognizer.labels)
    if not arguments.quiet:
        tell_if_cut(recognizer)
        tell(f"{counts.mentions:,} mentions in {counts.documents:,} documents")


def _name_input(path: Path) -> str:
    return "standard input" if is_stream(path) else path.name


def _draw_on_page(
    documents: Iterable[Document], stream: TextIO, title: str, labels: tuple[str, ...]
) -> Iterator[Document]:
    """Pass documents on, each after it was drawn on the page."""
    waiting: list[Document] = []

    def take_waiting() -> Iterator[Document]:
        while waiting:
            yield waiting.pop()

    parts = html.page(take_waiting(), title, labels)
    stream.write(next(parts))
    for document in documents:
        waiting.append(document)
        stream.write(next(parts))
        yield document
    stream.writelines(parts)
