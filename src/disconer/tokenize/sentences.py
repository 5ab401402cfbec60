"""Text into sentences: a small rule set for drug labels, patients' posts and clinical notes.

Such texts break lines at will, number their sections ("5.1"), list with bullets and abbreviate ("e.g.", "b.i.d."). A
boundary too many tears a mention apart, a boundary too few only makes a sentence longer, so in doubt there is none.
`benchmarks/sentences.py` compares these rules with maintained libraries; docs/explanation/words-and-sentences.md has
the figures.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from disconer.foundation.spans import Span

LINE_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")

_BULLET = re.compile(r"(?:[-*+•◦▪●○■□►·–—>]|o(?= )|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\d+(?:\.\d+)+\.?)\s")
_ENUMERATOR = re.compile(r"\s*\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})")
# What may end a sentence: terminators, closing quotes and brackets, and references like the labels' "( 5.1 )".
_TERMINATOR = re.compile(
    r"(?:(?<![.!?…])([.!?…]++)[\"'”’»)\]]*+(?=\s|\Z)|[。！？]++[”’」』）]*+)(?:\s*\(\s*\d[.,\s\d]*\))?\s*"
)
_LINE_END = re.compile(r"[.!?…:;。！？：；][\"'”’»)\]]*\Z")
_COLUMNS = re.compile(r"\S(?: {5,}|\t\s*)\S")  # a row of a table
_OPENING = "([\"'“‘"
_LOOK_BACK = 60  # how many characters before a full stop tell what it ends

# Abbreviations that never end a sentence, and those that only do when a capital or a bracket follows.
_ANNOUNCING = frozenset("e.g eg i.e ie vs v cf dr drs mr mrs ms prof st approx ca resp incl viz pt pts".split())
_OPEN_ENDED = frozenset(
    "no nos fig figs eq ref refs sec ch vol p pp wt ht temp etc al a.m p.m b.i.d t.i.d q.i.d q.d q.o.d q.h q.h.s h.s"
    " p.o p.r.n i.v i.m s.c s.q u.s u.k inc ltd co corp jr sr dept inj tab tabs cap caps sol susp soln oz lb lbs hr hrs"
    " min mins secs wk wks mo mos yr yrs mg ml mcg kg gm dl max avg est dx hx rx tx jan feb mar apr jun jul aug sept"
    " sep oct nov dec".split()
)
_ELLIPSES = ("...", "…", "..")
# A line that ends so goes on in the next one, whatever that begins with.
_OPEN_END = re.compile(r"(?:,|\b(?:and|or|the|a|an|of|with|to|in|on|for|by|from|at|as|is|was|were|are|that))\Z", re.I)

# How many characters the lines of a wrapped text hold.
_NARROWEST_PAGE = 40
_WIDEST_PAGE = 120


def split_sentences(text: str) -> list[Span]:
    r"""Find the sentences of `text`, in order, without the white space around them.

    >>> text = "5.1 Liver injury\n\nRare, e.g. in children. Stop at once!"
    >>> [text[a:b] for a, b in split_sentences(text)]
    ['5.1 Liver injury', 'Rare, e.g. in children.', 'Stop at once!']
    """
    return [
        sentence
        for start, end in _paragraphs(text)
        for piece in pairwise((start, *_stops(text, start, end), end))
        if (sentence := trim_span(text, *piece))
    ]


def trim_span(text: str, start: int, end: int) -> Span | None:
    """Narrow a stretch of text to what is not white space at its ends; None when it is all white space."""
    stretch = text[start:end]
    bare = stretch.strip()
    if not bare:
        return None
    start += len(stretch) - len(stretch.lstrip())
    return start, start + len(bare)


def _paragraphs(text: str) -> Iterator[Span]:
    """Join the lines that were only wrapped: each stretch is one or more whole sentences."""
    for block in _blocks(text):
        lines = [text[start:end].rstrip() for start, end in block]
        full = _full_lines(lines)
        prose = max(map(len, lines)) <= _WIDEST_PAGE and sum(full) > 1 and 3 * sum(full) >= 2 * len(full)
        start = block[0][0]
        for number, is_full in enumerate(full):
            if not (is_full and _goes_on(lines[number], lines[number + 1].lstrip(), prose)):
                yield start, block[number][1]
                start = block[number + 1][0]
        yield start, block[-1][1]


def _blocks(text: str) -> Iterator[list[Span]]:
    """Gather the lines that have no blank line between them."""
    block: list[Span] = []
    for start, end in _lines(text):
        if not text[start:end].isspace() and start < end:
            block.append((start, end))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for match in LINE_BREAK.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _full_lines(lines: list[str]) -> list[bool]:
    """Tell for each line but the last whether the next one's first word had no room left on it."""
    width = max(map(len, lines))
    if width < _NARROWEST_PAGE:  # a list of short items, none of which would fit beside its neighbour
        return [False] * (len(lines) - 1)
    return [len(line) + 1 + len(following.split(maxsplit=1)[0]) > width for line, following in pairwise(lines)]


def _goes_on(line: str, following: str, prose: bool) -> bool:
    """Tell whether a full line's sentence continues in the next line; most lines of wrapped prose are full."""
    if _BULLET.match(following) or _LINE_END.search(line) or _COLUMNS.search(line) or _COLUMNS.search(following):
        return False
    if _OPEN_END.search(line):
        return True
    return not line.isupper() and (prose or not following[0].isupper())


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    """Find where a sentence ends and another begins between two offsets."""
    for match in _TERMINATOR.finditer(text, start, end):
        if match.end() < end and _ends_sentence(text, start, match):
            yield match.end()
            start = match.end()


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    following = text[match.end()]
    if match[1] in _ELLIPSES:
        return not following.islower()
    return match[1] != "." or not _is_abbreviation(text, start, match.start(), following)


def _is_abbreviation(text: str, start: int, stop: int, following: str) -> bool:
    """Tell whether the full stop at `stop` ends a word and not the sentence that began at `start`."""
    near = max(start, stop - _LOOK_BACK)
    *preceding, last = text[near:stop].split() or [""]
    bare = last.lstrip(_OPENING)
    word = bare.lower()
    if near == start and _ENUMERATOR.fullmatch(text, start, stop):
        return True
    if word in _ANNOUNCING or _is_initial(bare, preceding):
        return True
    if not following.islower() and not following.isdigit():
        return False
    return word in _OPEN_ENDED or "." in word or (following.islower() and len(word) <= 3)


def _is_initial(word: str, preceding: list[str]) -> bool:
    """Tell the J of "Dr. J. Smith" from the B of "hepatitis B."."""
    return len(word) == 1 and word.isupper() and not (preceding and preceding[-1][0].islower())
