"""Print the data tables of corpora side by side, and how much of each the scheme can express.

Examples:
  disconer stats train.jsonl dev.jsonl test.jsonl
  disconer stats annotations/ --json stats.json           a brat folder, results for a program too
  disconer stats train.jsonl --scheme bioe                how much another system could ever find

The oracle is what a perfect model would score: what the scheme loses, no model can find.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from disconer.cli.options import (
    add_input_options,
    add_json_option,
    add_quiet_option,
    as_path,
    is_table_wanted,
    write_json,
)
from disconer.cli.tables import Rows, format_count, format_percent, print_table
from disconer.formats import read
from disconer.models.registry import SCHEMES
from disconer.scoring import statistics
from disconer.scoring.breakdowns import INTERVAL_BINS, OVERLAP_BINS, SPAN_BINS

Figures = dict[str, Any]
"""What `Statistics.as_json` gives of a corpus."""

SIZES = ("documents", "sentences", "words", "mentions", "discontinuous")
LENGTHS = {"max": "longest", "p999": "99.9% have at most", "p99": "99% have at most"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", type=as_path, nargs="+", help="annotated files or folders")
    parser.add_argument(
        "--scheme",
        choices=SCHEMES,
        default="grid",
        metavar="NAME",
        help="whose ceiling to compute: grid, the paper's (default), grid-gaps, with T2H edges, or another system's "
        f"({', '.join(list(SCHEMES)[2:])})",
    )
    add_input_options(parser)
    add_json_option(parser)
    add_quiet_option(parser, "the tables")


def run(arguments: Namespace) -> None:
    files: dict[str, Figures] = {}
    paths = list(dict.fromkeys(arguments.data))
    for path in paths:
        documents = read(path, arguments.input_format, arguments.split)
        files[str(path)] = statistics(documents, SCHEMES[arguments.scheme]()).as_json()
    write_json(arguments, {"scheme": arguments.scheme, "files": files})
    if is_table_wanted(arguments):
        print_table(_shorten_names(paths), build_sections(list(files.values())))


def build_sections(corpora: list[Figures]) -> dict[str, Rows]:
    """Lay statistics out for people, a column a corpus, as the paper does."""
    shares = ["% discontinuous", *(f"{figures['percent_discontinuous']:.1f}" for figures in corpora)]
    lengths = zip(LENGTHS.values(), _build_rows(corpora, "segment_length", LENGTHS), strict=True)
    return {
        "size": [*([name, *_format_counts(corpora, name)] for name in SIZES), shares],
        "discontinuous, by overlap": _build_rows(corpora, "overlap", OVERLAP_BINS),
        "discontinuous, by interval length": _build_rows(corpora, "interval", INTERVAL_BINS),
        "discontinuous, by span length": _build_rows(corpora, "span", SPAN_BINS),
        "fragments a mention": _build_rows(corpora, "fragments", sorted(_collect_names(corpora, "fragments"), key=int)),
        "labels": _build_rows(corpora, "labels", _collect_names(corpora, "labels")),
        "words a fragment": [[title, *row[1:]] for title, row in lengths],
        "what the scheme can express": list(_list_oracle_rows(corpora)),
    }


def _list_oracle_rows(corpora: list[Figures]) -> Iterator[list[str]]:
    yield ["mentions that cut words", *_format_counts(corpora, "widened")]
    yield ["mentions across sentences", *_format_counts(corpora, "cross_sentence")]
    if any(figures["oracle_cut"] for figures in corpora):
        yield ["sentences too complicated to decode in full", *_format_counts(corpora, "oracle_cut")]
    for key, title in (("oracle", "oracle F1"), ("oracle_words", "oracle F1, widened to words")):
        yield [title, *(_format_share(figures["mentions"], figures[key]["all"]) for figures in corpora)]
        disc = [_format_share(figures["discontinuous"], figures[key]["disc_mentions"]) for figures in corpora]
        yield [f"{title}, discontinuous", *disc]


def _format_share(count: int, fraction: float) -> str:
    return format_percent(fraction) if count else "–"


def _build_rows(corpora: list[Figures], key: str, names: Iterable[str]) -> list[list[str]]:
    return [[name, *(format_count(figures[key].get(name, 0)) for figures in corpora)] for name in names]


def _format_counts(corpora: list[Figures], key: str) -> list[str]:
    return [format_count(figures[key]) for figures in corpora]


def _collect_names(corpora: list[Figures], key: str) -> list[str]:
    """Collect every name under a key of any corpus, in the order of the first that has it."""
    return list(dict.fromkeys(name for figures in corpora for name in figures[key]))


def _shorten_names(paths: Sequence[Path]) -> list[str]:
    """Drop the folders that all paths begin with and the parts that all end with, as far as they stay distinct."""
    parts = [list(path.parts) for path in paths]
    for position in (0, -1):
        while len(parts) > 1 and min(map(len, parts)) > 1 and len({names[position] for names in parts}) == 1:
            for names in parts:
                names.pop(position)
    return [str(Path(*names)) for names in parts]
