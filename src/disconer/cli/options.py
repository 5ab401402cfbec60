"""Options that several commands share."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from disconer.formats import FORMATS
from disconer.formats.files import is_stream, replacing_file
from disconer.tokenize import Split


def add_input_options(parser: ArgumentParser) -> None:
    """Add how input is read."""
    parser.add_argument(
        "--from", dest="input_format", choices=FORMATS, metavar="FORMAT",
        help=f"the format of the input ({', '.join(FORMATS)}); told from the path by default",
    )  # fmt: skip
    parser.add_argument(
        "--split", type=Split, choices=list(Split), metavar="WHEN",
        help="split texts that do not say where their sentences are: auto (those with a line break; the default of "
        "jsonl), always (the default of brat) or never",
    )  # fmt: skip


def add_json_option(parser: ArgumentParser) -> None:
    """Add where results for programs go."""
    parser.add_argument(
        "--json", type=Path, metavar="FILE",
        help="also write the results as JSON; with - to standard output, and nothing else",
    )  # fmt: skip


def add_quiet_option(parser: ArgumentParser, silences: str) -> None:
    parser.add_argument("--quiet", action="store_true", help=f"do not print {silences}")


def wants_tables(arguments: Namespace) -> bool:
    """Tell whether people, not only programs, get to see the results."""
    return not arguments.quiet and (arguments.json is None or not is_stream(arguments.json))


def write_json(arguments: Namespace, results: dict[str, Any]) -> None:
    """Write the results where `--json` says, if it was given."""
    if arguments.json is not None:
        with replacing_file(arguments.json) as stream:
            json.dump(results, stream, indent=2, ensure_ascii=False)
            stream.write("\n")


def tell(message: str) -> None:
    """Say something about the run, on standard error."""
    print(message, file=sys.stderr)
