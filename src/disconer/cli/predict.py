"""Find the mentions of texts with a model.

Examples:
  disconer predict adr --text 'Hepatic and renal failure were reported.' --draw
  disconer predict run/ notes/ -o annotations/ --to brat      a folder of text files
  disconer predict run/ corpus.jsonl -o predicted.jsonl       one line out for every line in
  disconer predict run/ note.txt --html page.html             drawn, for a browser
  disconer predict run/ many/ -o found/ --resume              cut off? call it again, and it goes on

MODEL is a run, a model directory, or the name of a ready model (disconer models) or of one on the Hugging Face hub.
INPUT is a file, a folder, or - for standard input: plain text, one document a line, unless --from says otherwise. There
is one output record for every input record, in the same order; mentions in the input are replaced, everything else is
kept. What is drawn, with --draw or --html, is written in a format too only where -o or --to asks for that.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TextIO

from disconer.api import load
from disconer.cli.journal import Journal
from disconer.cli.options import (
    add_context_option,
    add_input_options,
    add_model_argument,
    add_model_options,
    add_output_options,
    add_quiet_option,
    add_threshold_option,
    as_path,
    check_output_options,
    is_on_standard_output,
    tell,
    tell_if_cut,
    watch,
    write_documents,
)
from disconer.document import Document
from disconer.drawing import html
from disconer.exceptions import InputError
from disconer.formats import count_documents, detect_text_input, read
from disconer.formats.conversion import Conversion
from disconer.foundation.checks import check_encodable
from disconer.foundation.files import is_stream, replace_file
from disconer.foundation.wording import count_of
from disconer.tokenize import Layout, Split


def add_arguments(parser: ArgumentParser) -> None:
    add_model_argument(parser)
    parser.add_argument(
        "input", metavar="INPUT", type=as_path, nargs="?", help="a file, a folder, or - for standard input"
    )
    parser.add_argument(
        "--text", action="append", metavar="TEXT", help="a text, in the place of INPUT; may be given again"
    )
    add_output_options(parser, "predictions")
    parser.add_argument("--html", type=as_path, metavar="PAGE", help="draw the predictions on a page for a browser")
    parser.add_argument(
        "--resume", action="store_true",
        help="keep what is predicted in OUT.partial until all is done, and after an interruption go on from there",
    )  # fmt: skip
    add_threshold_option(parser)
    add_context_option(parser)
    add_input_options(parser)
    add_model_options(parser)
    add_quiet_option(parser, "what was written and what the output format could not hold")


def run(arguments: Namespace) -> None:
    check_output_options(arguments)
    is_busy = arguments.draw or is_on_standard_output(arguments)
    if arguments.html is not None and is_stream(arguments.html) and is_busy:
        raise InputError("the page and the predictions cannot both go to standard output: name a file with --html")
    documents, count = _find_input(arguments)
    journal = _open_journal(arguments)
    recognizer = load(arguments.model, arguments.device, arguments.threads)
    counts = Conversion()
    predict = partial(recognizer.pipe, threshold=arguments.threshold, context=arguments.context)
    predicted = counts.count(journal.predict(documents, predict) if journal else predict(documents))
    is_printed = arguments.draw or is_on_standard_output(arguments)
    predicted = watch(predicted, "predicted", arguments, count, is_printed=is_printed)
    with ExitStack() as stack:
        if arguments.html is not None:
            page = stack.enter_context(replace_file(arguments.html))
            predicted = _draw_on_page(
                predicted, page, f"Predictions for {_name_input(arguments.input)}", recognizer.labels
            )
        write_documents(arguments, predicted, recognizer.labels)
    if journal:
        journal.remove()
    if not arguments.quiet:
        tell_if_cut(recognizer)
        tell(f"{count_of(counts.mentions, 'mention')} in {count_of(counts.documents, 'document')}")


def _find_input(arguments: Namespace) -> tuple[Iterator[Document], Callable[[], int | None]]:
    """The documents of INPUT, or those that --text gives, and what counts them."""
    if (arguments.input is None) == (arguments.text is None):
        raise InputError("name one thing to read: an INPUT, or a text with --text")
    if arguments.text is None:
        input_format = arguments.input_format or detect_text_input(arguments.input).name
        path = arguments.input
        return read(path, input_format, arguments.split), lambda: count_documents(path, input_format)
    if arguments.input_format is not None:
        raise InputError("--from says how INPUT is read, and --text is always plain text: leave one of them out")
    split = Split(arguments.split or Split.ALWAYS)
    for text in arguments.text:
        check_encodable(text, "a text")
    return (Document(Layout(text, split=split)) for text in arguments.text), lambda: len(arguments.text)


def _open_journal(arguments: Namespace) -> Journal | None:
    """What keeps predictions until all are done, if that is asked for."""
    if not arguments.resume:
        return None
    from disconer.storage.directory import find_model_directory, fingerprint  # noqa: PLC0415 (numpy)

    if arguments.output is None or is_stream(arguments.output):
        raise InputError("--resume needs a place for what was predicted: name it with -o")
    settings = {name: getattr(arguments, name) for name in ("threshold", "context", "split", "input_format")}
    return Journal(arguments.output, {"model": fingerprint(find_model_directory(arguments.model)), **settings})


def _name_input(path: Path | None) -> str:
    if path is None:
        return "texts of the command line"
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
