"""Divide annotated data into train, dev and test, so that no document has a part in two of them.

Examples:
  disconer split annotations/ data/                       70, 15 and 15 percent of the documents of a brat folder
  disconer split corpus.jsonl data/ --shares 80,10,10 --seed 7
  disconer split notes.jsonl data/ --by '^patient-[0-9]+'    all documents of a patient together
  disconer split annotations/ data/ --to brat             three brat folders

What belongs together is a document, also where `disconer corpus` cut it into sentences (`id:from-to`), or with --by all
whose ids have the same match of a regular expression. Who goes where follows from the seed and the names alone, so that
it stays when annotations change. OUT must be a new or an empty folder.
"""

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence

from disconer.cli.options import (
    add_input_options,
    add_json_option,
    add_quiet_option,
    as_path,
    is_table_wanted,
    tell,
    watch,
    write_json,
)
from disconer.cli.stats import build_sections
from disconer.cli.tables import print_table
from disconer.corpora.splits import SHARES, deal_groups
from disconer.document import Document
from disconer.exceptions import InputError, quote
from disconer.formats import FORMATS, WRITABLE, count_documents, read, write
from disconer.foundation.files import check_new_folder, create_folder, is_stream
from disconer.foundation.wording import count_of
from disconer.scoring import statistics

_CUT = re.compile(r":[0-9]+-[0-9]+$")
"""How the id of a sentence ends that was cut out of a document."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", type=as_path, help="an annotated file or folder")
    parser.add_argument("output", metavar="OUT", type=as_path, help="a new folder")
    parser.add_argument(
        "--by", default="document", metavar="GROUP",
        help="document (the default), or a regular expression: what it matches of an id names a group",
    )  # fmt: skip
    parser.add_argument(
        "--shares", type=_as_shares, default=SHARES, metavar="A,B,C",
        help="percent for train, dev and test (default: 70,15,15); with two numbers there is no test",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which of many divisions (default: 0)")
    add_input_options(parser)
    parser.add_argument(
        "--to", dest="output_format", choices=WRITABLE, default="jsonl", metavar="FORMAT",
        help=f"the format of the output ({', '.join(WRITABLE)}); jsonl by default",
    )  # fmt: skip
    parser.add_argument("--lossy", action="store_true", help="leave out what the format cannot hold")
    add_json_option(parser)
    add_quiet_option(parser, "the statistics and what was written")


def run(arguments: Namespace) -> None:
    if is_stream(arguments.output):
        raise InputError("train, dev and test cannot all go to standard output: name a folder")
    check_new_folder(arguments.output)
    reading = read(arguments.data, arguments.input_format, arguments.split)
    documents = list(watch(reading, "read", arguments, lambda: count_documents(arguments.data, arguments.input_format)))
    divided = _divide(documents, arguments)
    found = {split: statistics(own).as_json() for split, own in divided.items()}
    labels = {mention.label for document in documents for mention in document}
    output = FORMATS[arguments.output_format]
    suffix = "" if output.is_folder else output.suffixes[0]
    with create_folder(arguments.output) as folder:
        for split, own in divided.items():
            losses = write(own, folder / f"{split}{suffix}", output.name, arguments.lossy, labels)
            for line in losses.lines() if not arguments.quiet else ():
                tell(f"not in {split}: {line}")
        write_json(arguments, {"by": arguments.by, "seed": arguments.seed, "splits": found})
    if is_table_wanted(arguments):
        print_table(list(found), build_sections(list(found.values())))
    if not arguments.quiet:
        nameless = sum(document.id is None for document in documents)
        if nameless:
            tell(f"without an id, and so each by itself, whatever it belongs to: {count_of(nameless, 'document')}")
        tell(f"wrote {arguments.output}")


def _divide(documents: Sequence[Document], arguments: Namespace) -> dict[str, list[Document]]:
    groups = _name_groups(documents, arguments.by)
    split_of_group = deal_groups(groups, arguments.shares, arguments.seed)
    divided: dict[str, list[Document]] = {split: [] for split in arguments.shares}
    for document, group in zip(documents, groups, strict=True):
        divided[split_of_group[group]].append(document)
    empty = [split for split, own in divided.items() if not own]
    if empty:
        number = count_of(len(split_of_group), "group")
        message = f"{number} of documents are too few for these shares: nothing is left for {empty[0]}"
        raise InputError(message, path=arguments.data)
    return divided


def _name_groups(documents: Sequence[Document], by: str) -> list[str]:
    """Name the group of each document; one without an id is a group by itself."""
    if by == "document":
        names = [None if document.id is None else _CUT.sub("", str(document.id)) for document in documents]
        return [f"document {number}" if name is None else name for number, name in enumerate(names, start=1)]
    pattern = _compile(by)
    found = []
    for number, document in enumerate(documents, start=1):
        match = None if document.id is None else pattern.search(str(document.id))
        if match is None:
            raise InputError(f"--by matches nothing in the id of document {number}, {quote(str(document.id))}")
        found.append(match[0])
    return found


def _compile(by: str) -> re.Pattern[str]:
    try:
        return re.compile(by)
    except re.error as error:
        raise InputError(f"--by is neither document nor a regular expression: {error}") from None


def _as_shares(value: str) -> dict[str, int]:
    """Read percentages.

    >>> _as_shares("80,10,10"), _as_shares("90,10")
    ({'train': 80, 'dev': 10, 'test': 10}, {'train': 90, 'dev': 10})
    """
    shares = [int(part) for part in value.split(",") if part.strip().isdecimal()]
    if len(shares) != len(value.split(",")) or len(shares) not in (2, 3) or sum(shares) != 100 or 0 in shares:
        raise ArgumentTypeError("give two or three whole numbers that make 100, with commas between: 80,10,10")
    return dict(zip(SHARES, shares, strict=False))
