"""Terms that GENIA's coordinations hold, elided ones among them.

"NF-kappa B and AP-1 sites" is one constituent with two terms and two classes. Its `lex` spells the terms out, and what
they are made of is marked, with an asterisk where something is missing:

    <cons lex="(AND NF-kappa_B_site AP-1_site)" sem="(AND G#DNA_domain_or_region G#DNA_domain_or_region)">
      <cons lex="NF-kappa_B*">NF-kappa B</cons> and <cons lex="AP-1*">AP-1</cons> <cons lex="*site">sites</cons></cons>

A term is found again as the pieces that, in the order of the text, say what it says.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from disconer.spans import Span

_OPERATOR = re.compile(r"\(+[A-Z][A-Z_/]*")
_COORDINATION = re.compile(rf"\s*{_OPERATOR.pattern}\s")
_NO_PART_OF_NAMES = re.compile(r"[\s_*]+")
_MOST_PIECES = 100
"""More than any coordination has: the search stays short."""


class Piece(NamedTuple):
    """A stretch of the text and what it contributes to a term."""

    name: str
    span: Span


class _Chain(NamedTuple):
    """Pieces that say the beginning of a term."""

    said: int
    """How many characters of it."""
    spans: tuple[Span, ...]


def is_coordination(expression: str) -> bool:
    """Tell an expression with several terms or classes from a single one."""
    return _COORDINATION.match(expression) is not None


def members(expression: str) -> list[str]:
    """Give the terms or classes of an expression, those of groups within groups in one row with the others.

    >>> members("(AND (OR T_cell B_cell) IL-2_(p15)_gene)")
    ['T_cell', 'B_cell', 'IL-2_(p15)_gene']
    """
    if not is_coordination(expression):
        return expression.split()
    return [_without_closing(token) for token in expression.split() if not _OPERATOR.fullmatch(token)]


def classes_of(sem: str, terms: Sequence[str]) -> list[str]:
    """Give the class of each term, of which a single one holds for all; nothing when the numbers do not agree."""
    classes = members(sem)
    if len(classes) == 1:
        return classes * len(terms)
    return classes if len(classes) == len(terms) else []


def name_of(written: str) -> str:
    """Reduce what is written to what can be compared: no blanks, underscores, asterisks, capitals."""
    return _NO_PART_OF_NAMES.sub("", written).casefold()


def spans_of(term: str, pieces: Iterable[Piece]) -> tuple[Span, ...]:
    """Find the pieces that together say what a term says, those closest to one another; none when there are none."""
    name = name_of(term)
    usable = sorted((piece for piece in pieces if piece.name), key=lambda piece: piece.span)
    if len(usable) > _MOST_PIECES or not name:
        return ()
    chains: dict[tuple[int, int], _Chain] = {}
    whole: list[_Chain] = []
    for piece in usable:
        for chain in _continued(piece, name, chains):
            if chain.said == len(name):
                whole.append(chain)
            else:  # of the chains that end alike the closest one begins last
                key = (chain.said, piece.span[1])
                chains[key] = max(chains.get(key, chain), chain, key=lambda either: either.spans[0])
    return min(whole, key=lambda chain: chain.spans[-1][1] - chain.spans[0][0]).spans if whole else ()


def _continued(piece: Piece, name: str, chains: dict[tuple[int, int], _Chain]) -> list[_Chain]:
    """Put a piece behind all the chains, and behind nothing, where it says what comes next."""
    continued = []
    for said, spans in (_Chain(0, ()), *chains.values()):
        rest = name[said:]
        if spans and spans[-1][1] > piece.span[0]:
            continue
        if _is_same_but_for_number(piece.name, rest):
            continued.append(_Chain(len(name), (*spans, piece.span)))
        elif rest.startswith(piece.name):
            continued.append(_Chain(said + len(piece.name), (*spans, piece.span)))
    return continued


def _is_same_but_for_number(name: str, other: str) -> bool:
    """Compare a singular with a plural: terms are spelt out in the singular, mostly."""
    return name.removesuffix("s") == other.removesuffix("s")


def _without_closing(token: str) -> str:
    """Take off the brackets that close groups, and leave those of a name."""
    surplus = token.count(")") - token.count("(")
    closing = len(token) - len(token.rstrip(")"))
    return token[: len(token) - max(0, min(surplus, closing))]
