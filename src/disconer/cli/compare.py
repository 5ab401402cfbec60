"""Compare finished runs, models and files of predictions: every table and plot of the paper, on one page.

Examples:
  disconer compare runs/mac runs/trans -o report.html                    on the dev data of the runs
  disconer compare runs/mac runs/trans --data test.jsonl -o report.html  on other data
  disconer compare Mac=runs/mac Theirs=theirs.jsonl --data test.jsonl -o report.html --tables tables/

RUN is a run, all of whose finished seeds count, a model directory, or predictions in any format, whoever made them;
NAME=RUN gives it a name, and several with one name are the seeds of one system. The first is what the others are
compared with. The page works offline and shows source text: mind who gets it.
"""

from argparse import ArgumentParser, Namespace
from collections import Counter

from disconer.cli.options import (
    add_input_options,
    add_json_option,
    add_model_options,
    add_quiet_option,
    as_path,
    format_command_line,
    make_teller,
)
from disconer.exceptions import InputError
from disconer.foundation.extras import require_extra
from disconer.foundation.files import is_stream


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="a run, a model or predictions, or NAME= and one of these"
    )
    parser.add_argument("-o", "--output", type=as_path, required=True, metavar="PAGE", help="the page to write")
    parser.add_argument("--data", type=as_path, metavar="F", help="annotated data (default: the dev data of each run)")
    parser.add_argument("--title", metavar="TEXT", help="what the page is called")
    parser.add_argument(
        "--tables", type=as_path, metavar="FOLDER",
        help="also write every table as CSV, LaTeX and Markdown, and every plot as SVG, into a new folder",
    )  # fmt: skip
    add_input_options(parser)
    add_json_option(parser)
    add_model_options(parser)
    add_quiet_option(parser, "what is done")


def run(arguments: Namespace) -> None:
    with require_extra("report"):
        from disconer.report.builder import Data, ReportBuilder, ReportEntry  # noqa: PLC0415 (numpy: most commands do without)
        from disconer.report.contents import Contents, write_numbers, write_tables  # noqa: PLC0415
        from disconer.report.page import write_page  # noqa: PLC0415
    _check_outputs(arguments)
    entries = [ReportEntry.parse(text) for text in arguments.runs]
    twice = [path for path, count in Counter(entry.path.resolve() for entry in entries).items() if count > 1]
    if twice:
        raise InputError("this is named twice", path=twice[0])
    data = None
    if arguments.data is not None:
        data = Data.from_settings(arguments.data, arguments.input_format or "", arguments.split or "")
    say = make_teller(arguments.quiet)
    builder = ReportBuilder(entries, data, arguments.device, arguments.threads, say)
    names = ", ".join(dict.fromkeys(entry.title for entry in entries))
    contents = Contents(builder.build(arguments.title or f"Comparison of {names}", format_command_line()))
    write_page(contents, arguments.output)
    if arguments.json is not None:
        write_numbers(contents, arguments.json)
    if arguments.tables is not None:
        write_tables(contents, arguments.tables)
    say(f"wrote {arguments.output}")


def _check_outputs(arguments: Namespace) -> None:
    """Find out before anything is predicted that something cannot be written."""
    files = [path for path in (arguments.output, arguments.json) if path is not None]
    if len(files) > 1 and (all(map(is_stream, files)) or files[0].resolve() == files[1].resolve()):
        raise InputError("the page and the numbers cannot go to the same place: name another file for one")
    for path in (*files, arguments.tables):
        if path is not None and not is_stream(path) and not path.resolve().parent.is_dir():
            raise InputError("there is no such folder to write into: make it first", path=path.parent)
    tables = arguments.tables
    if tables is not None and any(tables.resolve() in path.resolve().parents for path in files):
        raise InputError("the page and the numbers cannot go into the folder of --tables: name another", path=tables)
    if tables is not None and tables.exists() and (not tables.is_dir() or any(tables.iterdir())):
        raise InputError("this exists and is not an empty folder: name another for --tables", path=tables)
