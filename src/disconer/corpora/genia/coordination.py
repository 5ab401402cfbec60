"""Terms that GENIA's coordinations hold, elided ones among them.

"NF-kappa B and AP-1 sites" is one constituent with two terms and two classes. Its `lex` spells the terms out, and what
they are made of is marked, with an asterisk where something is missing:

    <cons lex="(AND NF-kappa_B_site AP-1_site)" sem="(AND G#DNA_domain_or_region G#DNA_domain_or_region)">
      <cons lex="NF-kappa_B*">NF-kappa B</cons> and <cons lex="AP-1*">AP-1</cons> <cons lex="*site">sites</cons></cons>

A term is found again as the pieces that, in the order of the text, say what it says.
"""

import re
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from disconer.foundation.spans import Span

_OPERATOR = re.compile(r"\(+[A-Z][A-Z_/]*")
_COORDINATION = re.compile(rf"\s*{_OPERATOR.pattern}\s")
_NO_PART_OF_NAMES = re.compile(r"[\s_*]+")
_PREFIX = "G#"
"""Of the ontology, before a class."""
_MOST_PIECES = 100
"""More than any coordination has: the search stays short."""


class Piece(NamedTuple):
    """A stretch of the text and what it contributes to a term."""

    name: str
    span: Span


class _Chain(NamedTuple):
    """Pieces that say the beginning of a term."""

    end: int
    """Where the last of them ends."""
    said: int
    """How many characters of the term they say."""
    spans: tuple[Span, ...]


def is_coordination(expression: str) -> bool:
    """Tell an expression with several terms or classes from a single one."""
    return _COORDINATION.match(expression) is not None


def split_members(expression: str) -> list[str]:
    """Split an expression into its terms or classes, nested groups flattened.

    >>> split_members("(AND (OR T_cell B_cell) IL-2_(p15)_gene)")
    ['T_cell', 'B_cell', 'IL-2_(p15)_gene']
    """
    if not is_coordination(expression):
        return expression.split()
    tokens = (token for token in expression.split() if token.strip(")") and not _OPERATOR.fullmatch(token))
    return [_strip_closing(token) for token in tokens]


def read_class(written: str) -> str:
    """Strip the prefix off a class; nothing is left when there is only the prefix."""
    return written.replace(_PREFIX, "").strip()


def read_classes(sem: str, terms: Sequence[str]) -> list[str]:
    """Read the class of each term, a single one holding for all; empty when the numbers do not agree."""
    classes = [read_class(member) for member in split_members(sem)]
    if len(classes) == 1:
        return classes * len(terms)
    return classes if len(classes) == len(terms) else []


def normalize_name(written: str) -> str:
    """Reduce what is written to what can be compared: no blanks, underscores, asterisks, capitals."""
    return _NO_PART_OF_NAMES.sub("", written).casefold()


def select_pieces(pieces: Iterable[Piece]) -> list[Piece]:
    """Put the pieces that say something in the order of the text; none at all when there are too many to search."""
    found = sorted((piece for piece in pieces if piece.name), key=lambda piece: piece.span)
    return found if len(found) <= _MOST_PIECES else []


def find_spans(term: str, pieces: Iterable[Piece]) -> tuple[Span, ...]:
    """Find the usable pieces that together say what a term says, those closest to one another; none if there are none.

    Of all chains that say as much of the term before a piece, only the one that begins last is worth going on with: the
    work grows with the pieces times the characters of the term, whatever these are.
    """
    name = normalize_name(term)
    latest: dict[int, tuple[Span, ...]] = {0: ()}
    unfinished: list[_Chain] = []
    whole: list[tuple[Span, ...]] = []
    for piece in pieces if name else ():
        start, end = piece.span
        while unfinished and unfinished[0].end <= start:
            _, said, spans = heappop(unfinished)
            latest[said] = max(latest.get(said, spans), spans, key=lambda either: either[0])
        for said, spans in latest.items():
            if _is_same_but_for_number(piece.name, name[said:]):
                whole.append((*spans, piece.span))
            elif name.startswith(piece.name, said):
                heappush(unfinished, _Chain(end, said + len(piece.name), (*spans, piece.span)))
    return min(whole, key=lambda spans: spans[-1][1] - spans[0][0], default=())


def _is_same_but_for_number(name: str, other: str) -> bool:
    """Compare a singular with a plural: terms are spelt out in the singular, mostly."""
    return name.removesuffix("s") == other.removesuffix("s")


def _strip_closing(token: str) -> str:
    """Take off the brackets that close groups, and leave those of a name."""
    surplus = token.count(")") - token.count("(")
    closing = len(token) - len(token.rstrip(")"))
    return token[: len(token) - max(0, min(surplus, closing))]
