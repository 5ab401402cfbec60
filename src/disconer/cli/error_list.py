"""Errors for people: how many of each kind, and every one drawn in its sentence."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping

from disconer.cli.tables import drawn, filled, print_table, whole
from disconer.drawing.characters import printable
from disconer.report.cards import Card, SideLooks, error_text
from disconer.scoring.errors import Error, ErrorSide

_SIDES = {ErrorSide.FALSE_POSITIVE: "false positives", ErrorSide.MISS: "misses"}


def add_errors_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--errors", action="store_true", help="also list every error with its kind, drawn in its sentence"
    )


def print_errors(cards: Iterable[Card], counts: Mapping[str, Mapping[str, int]]) -> None:
    """Print the number of errors of each kind, and every sentence with an error."""
    rows = [
        [kind, *(whole(by_side[side]) if side in by_side else "–" for side in _SIDES)]
        for kind, by_side in counts.items()
    ]
    print_table(tuple(_SIDES.values()), {"errors": rows})
    for card in cards:
        print(f"{printable(card.name)}\n{drawn(card.document, SideLooks())}")
        for error in card.errors:
            print(filled(f"  {_line(error)}", indent=" " * 4))
        print()


def _line(error: Error) -> str:
    score = "" if error.mention.score is None else f", score {error.mention.score:.2f}"
    details = f"{error.side}, {error.mention.label}, {error.overlap}{score}"
    return printable(f"{error.kind}: {error_text(error)} ({details})")
