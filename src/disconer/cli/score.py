"""Score predictions against gold, the way the literature does. No model is needed.

Examples:
  disconer score gold.jsonl predicted.jsonl
  disconer score gold/ predicted/ --json scores.json      two brat folders, results for a program too
  disconer score gold.jsonl predicted.jsonl --errors      every error too, by kind and drawn in its sentence

A predicted mention is right when its label and all its fragments equal a gold mention's.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence

from disconer.api import read_pairs
from disconer.cli.options import (
    add_errors_option,
    add_input_options,
    add_json_option,
    add_quiet_option,
    as_path,
    is_table_wanted,
    tell,
    write_json,
)
from disconer.cli.tables import draw, fill, format_count, print_table
from disconer.drawing.errors import ErrorSentence, SideLooks, collect_error_sentences
from disconer.drawing.looks import gapped_text
from disconer.foundation.characters import printable
from disconer.scoring import score_pairs
from disconer.scoring.errors import Error, ErrorSide, classify_errors, count_errors
from disconer.scoring.pairing import Pair
from disconer.scoring.scores import COLUMNS

_ERROR_SIDES = {ErrorSide.FALSE_POSITIVE: "false positives", ErrorSide.MISS: "misses"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD", type=as_path, help="the annotated file or folder")
    parser.add_argument("predicted", metavar="PRED", type=as_path, help="the same documents with predicted mentions")
    add_errors_option(parser)
    add_input_options(parser)
    add_json_option(parser)
    add_quiet_option(parser, "the tables")


def run(arguments: Namespace) -> None:
    show(arguments, read_pairs(arguments.gold, arguments.predicted, arguments.input_format, arguments.split))


def show(arguments: Namespace, pairs: Sequence[Pair]) -> None:
    """Write scores, and errors if `--errors` asks for them, as JSON, and print them as tables."""
    scores = score_pairs(pairs)
    results = scores.as_json()
    found = [classify_errors(*pair) for pair in pairs] if arguments.errors else []
    if arguments.errors:
        results["errors"] = count_errors(error for own in found for error in own)
    write_json(arguments, results)
    if is_table_wanted(arguments):
        print_table(COLUMNS, scores.sections())
        if arguments.errors:
            _print_errors(collect_error_sentences(pairs, found), results["errors"])
    if not arguments.quiet and not any(len(gold) for gold, _ in pairs):
        tell("nothing is annotated here, so these scores say nothing; disconer predict finds mentions")


def _print_errors(sentences: Iterable[ErrorSentence], counts: Mapping[str, Mapping[str, int]]) -> None:
    """Print the number of errors of each kind, and every sentence with an error."""
    rows = [
        [kind, *(format_count(by_side[side]) if side in by_side else "–" for side in _ERROR_SIDES)]
        for kind, by_side in counts.items()
    ]
    print_table(tuple(_ERROR_SIDES.values()), {"errors": rows})
    for sentence in sentences:
        print(f"{printable(sentence.name)}\n{draw(sentence.document, SideLooks())}")
        for error in sentence.errors:
            print(fill(f"  {_format_error(error)}", indent=" " * 4))
        print()


def _format_error(error: Error) -> str:
    score = "" if error.mention.score is None else f", score {error.mention.score:.2f}"
    details = f"{error.side}, {error.mention.label}, {error.overlap}{score}"
    return printable(f"{error.kind}: {gapped_text(error.mention)} ({details})")
