"""Compare finished runs, models and files of predictions: every table and plot of the paper, on one page.

Examples:
  disconer compare runs/mac runs/trans -o report.html                    on the dev data of the runs
  disconer compare runs/mac runs/trans --data test.jsonl -o report.html  on other data
  disconer compare Mac=runs/mac Theirs=theirs.jsonl --data test.jsonl -o report.html --tables tables/

RUN is a run, all of whose finished seeds count, a model directory, or predictions in any format, whoever made them;
NAME=RUN gives it a name, and several with one name are the seeds of one system. The first is what the others are
compared with. The page works offline and shows source text: mind who gets it.
"""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter

from disconer.cli.options import (
    add_input_options,
    add_json_option,
    add_model_options,
    add_quiet_option,
    as_path,
    tell,
)
from disconer.exceptions import InputError
from disconer.extras import installed
from disconer.formats.files import is_stream
from disconer.tokenize import Split


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="a run, a model or predictions, or NAME= and one of these"
    )
    parser.add_argument("-o", "--output", type=as_path, required=True, metavar="PAGE", help="the page to write")
    parser.add_argument("--data", type=as_path, metavar="F", help="annotated data (default: the dev data of each run)")
    parser.add_argument("--title", metavar="TEXT", help="what the page is called")
    parser.add_argument(
        "--tables", type=as_path, metavar="FOLDER",
        help="also write every table as CSV, LaTeX and Markdown, and every plot as SVG; replaces the folder",
    )  # fmt: skip
    add_input_options(parser)
    add_json_option(parser)
    add_model_options(parser)
    add_quiet_option(parser, "what is done")


def run(arguments: Namespace) -> None:
    with installed("report"):
        from disconer.report.contents import Contents  # noqa: PLC0415 (numpy, which most commands do without)
        from disconer.report.gathering import Data, Entry, Gathering  # noqa: PLC0415
        from disconer.report.shelf import Shelf  # noqa: PLC0415
        from disconer.report.writing import write_numbers, write_page, write_tables  # noqa: PLC0415
    if is_stream(arguments.output) and arguments.json is not None and is_stream(arguments.json):
        raise InputError("the page and the numbers cannot both go to standard output: name a file for one")
    entries = [Entry.named(text) for text in arguments.runs]
    twice = [path for path, count in Counter(entry.path.resolve() for entry in entries).items() if count > 1]
    if twice:
        raise InputError("this is named twice", path=twice[0])
    split = Split(arguments.split) if arguments.split else None
    data = None if arguments.data is None else Data(arguments.data, arguments.input_format, split)
    say = (lambda _: None) if arguments.quiet else tell
    gathering = Gathering(entries, data, Shelf(tell=say), arguments.device, arguments.threads)
    names = ", ".join(dict.fromkeys(entry.title for entry in entries))
    contents = Contents(gathering.report(arguments.title or f"Comparison of {names}", _command()))
    write_page(contents, arguments.output)
    if arguments.json is not None:
        write_numbers(contents, arguments.json)
    if arguments.tables is not None:
        write_tables(contents, arguments.tables)
    say(f"wrote {arguments.output}")


def _command() -> str:
    return shlex.join(["disconer", *sys.argv[1:]])
