"""Score predictions against gold, the way the literature does. No model is needed.

Examples:
  disconer score gold.jsonl predicted.jsonl
  disconer score gold/ predicted/ --json scores.json      two brat folders, results for a program too
  disconer score gold.jsonl predicted.jsonl --errors      every error too, by kind and drawn in its sentence

A predicted mention is right when its label and all its fragments equal a gold mention's.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from disconer.cli.error_list import add_errors_option, print_errors
from disconer.cli.options import add_input_options, add_json_option, add_quiet_option, as_path, wants_tables, write_json
from disconer.cli.tables import Rows, percent, print_table, whole
from disconer.exceptions import located
from disconer.formats import read
from disconer.report.cards import cards
from disconer.scoring import SCOPES, paired, score
from disconer.scoring.errors import count_errors, errors
from disconer.scoring.pairing import Pair

BREAKDOWN_TITLES = {
    "overlap": "discontinuous, by overlap",
    "interval": "discontinuous, by interval length",
    "span": "discontinuous, by span length",
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD", type=as_path, help="the annotated file or folder")
    parser.add_argument("predicted", metavar="PRED", type=as_path, help="the same documents with predicted mentions")
    add_errors_option(parser)
    add_input_options(parser)
    add_json_option(parser)
    add_quiet_option(parser, "the tables")


def run(arguments: Namespace) -> None:
    gold = read(arguments.gold, arguments.input_format, arguments.split)
    predicted = read(arguments.predicted, arguments.input_format, arguments.split)
    with located(f"{arguments.gold} and {arguments.predicted}"):
        pairs = paired(gold, predicted)
    show(arguments, pairs)


def show(arguments: Namespace, pairs: Sequence[Pair]) -> None:
    """Give scores, and errors if they are wanted, to whoever asked for them: programs, people or both."""
    results = score(pairs).as_json()
    found = [errors(*pair) for pair in pairs] if arguments.errors else []
    if arguments.errors:
        results["errors"] = count_errors(error for own in found for error in own)
    write_json(arguments, results)
    if wants_tables(arguments):
        print_table(("P", "R", "F1", "gold", "predicted", "correct"), _sections(results))
        if arguments.errors:
            print_errors(cards(pairs, found), results["errors"])


def _sections(results: dict[str, Any]) -> dict[str, Rows]:
    """Lay scores out for people."""
    scopes = {title: results[key] for key, title in (SCOPES | {"macro": "mean over labels"}).items()}
    groups = {"scope": scopes, "label": results["labels"]}
    groups |= {title: results[key] for key, title in BREAKDOWN_TITLES.items()}
    return {title: [_row(name, values) for name, values in group.items()] for title, group in groups.items()}


def _row(name: str, values: dict[str, float]) -> list[str]:
    gold, predicted = values["gold"], values["predicted"]
    of_something = {"precision": predicted, "recall": gold, "f1": gold + predicted}
    fractions = [percent(values[key]) if counted else "–" for key, counted in of_something.items()]
    return [name, *fractions, *(whole(values[key]) for key in ("gold", "predicted", "correct"))]
