"""The same string, annotated in one way here and in another way there.

Strings are compared word by word. Case does not matter, save in short words of capitals: ALL is a leukaemia.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from disconer.checking.finding import CheckedCorpus, Entry, RuleHit
from disconer.document import Document, Mention
from disconer.exceptions import quote
from disconer.foundation.spans import Span
from disconer.tokenize import Layout
from disconer.tokenize.words import split_words

USUAL_PLACES, USUAL_SHARE = 5, 0.8
"""What holds in this share of the places, if there are at least that many, is expected of the others."""
LEAST_LETTERS = 2
"""Strings with fewer letters are symbols and figures, which mean something else everywhere."""

_LONGEST_ACRONYM = 4
_CONTEXT = 25
"""Characters shown on either side of a place that is not annotated."""
_JOINING = frozenset("-‐‑–_'’")
"""Before or behind a word, these make it a part of another one."""

Surface = tuple[str, ...]
"""The words of a string, as they are compared."""


def find_differing_labels(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find mentions with another label than the string has almost everywhere else."""
    for places in _annotated_places(corpus).values():
        label, count = _usual_label(places)
        if not _is_usual(count, len(places)):
            continue
        right = {_where(*place) for place in places if place[1].label == label}
        for entry, mention in places:
            if _where(entry, mention) not in right:
                yield RuleHit.of_mention(entry, mention, f"is {label} in {count} of {len(places)} mentions")


def find_missed_surfaces(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find words that no mention touches, though they are a mention almost everywhere else."""
    annotated = _annotated_places(corpus)
    counts = {surface: _count_continuous(places) for surface, places in annotated.items()}
    for surface, places in _bare_places(corpus, counts).items():
        count, total = counts[surface], counts[surface] + len(places)
        if _is_usual(count, total):
            label, _ = _usual_label(annotated[surface])
            says = f"is a mention ({label}) in {count} of {total} places, but not in"
            for entry, span in places:
                yield RuleHit.of_span(entry, span, f"{_quote(entry, span)} {says} {_context(entry, span)}", label)


class _Lexicon:
    """Strings to look for in texts."""

    def __init__(self, surfaces: Iterable[Surface]) -> None:
        self._surfaces = frozenset(surfaces)
        lengths: dict[str, set[int]] = defaultdict(set)
        for surface in self._surfaces:
            lengths[surface[0]].add(len(surface))
        self._lengths = {word: sorted(own, reverse=True) for word, own in lengths.items()}
        """How many words the strings that begin with a word have, the longest first."""

    def bare_places(self, document: Document) -> Iterator[tuple[Surface, Span]]:
        """Find the longest strings, side by side, that stand on their own in a sentence and no mention touches."""
        layout = document.layout
        words = _normalise(layout.text[start:end] for start, end in layout.words)
        touched = {index for mention in document for index in mention.word_indices}
        position = 0
        while position < len(words):
            surface = self._longest(words, position)
            indices = range(position, position + len(surface))
            if surface and touched.isdisjoint(indices) and _stands_alone(layout, indices):
                yield surface, (layout.words[indices[0]][0], layout.words[indices[-1]][1])
            position += len(surface) or 1

    def _longest(self, words: Surface, position: int) -> Surface:
        """Find the longest string that begins at a word; empty when there is none."""
        candidates = (words[position : position + length] for length in self._lengths.get(words[position], ()))
        return next((candidate for candidate in candidates if candidate in self._surfaces), ())


def _annotated_places(corpus: CheckedCorpus) -> dict[Surface, list[tuple[Entry, Mention]]]:
    """Gather the mentions of whole words by their string."""
    places: dict[Surface, list[tuple[Entry, Mention]]] = defaultdict(list)
    for entry, mention in corpus.mentions():
        surface = _normalise(mention.words)
        letters = sum(map(str.isalpha, "".join(surface)))
        if letters >= LEAST_LETTERS and not mention.is_cutting_words:
            places[surface].append((entry, mention))
    return places


def _bare_places(corpus: CheckedCorpus, counts: Mapping[Surface, int]) -> dict[Surface, list[tuple[Entry, Span]]]:
    """Gather the places where strings that are annotated often enough are not."""
    lexicon = _Lexicon(surface for surface, count in counts.items() if count >= USUAL_SHARE * USUAL_PLACES)
    places: dict[Surface, list[tuple[Entry, Span]]] = defaultdict(list)
    for entry in corpus.entries:
        for surface, span in lexicon.bare_places(entry.document):
            places[surface].append((entry, span))
    return places


def _normalise(words: Iterable[str]) -> Surface:
    return tuple(word if word.isupper() and len(word) <= _LONGEST_ACRONYM else word.casefold() for word in words)


def _is_usual(count: int, places: int) -> bool:
    return places >= USUAL_PLACES and count >= USUAL_SHARE * places


def _usual_label(places: Sequence[tuple[Entry, Mention]]) -> tuple[str, int]:
    """Find the most frequent label and how often it comes; of several, the first in the alphabet."""
    labels = Counter(mention.label for _, mention in places)
    return min(labels.items(), key=lambda item: (-item[1], item[0]))


def _count_continuous(places: Iterable[tuple[Entry, Mention]]) -> int:
    """Count the places without a gap; one with several labels counts once."""
    return len({_where(*place) for place in places if not place[1].is_discontinuous})


def _where(entry: Entry, mention: Mention) -> object:
    return entry.file, entry.number, mention.fragments


def _stands_alone(layout: Layout, indices: range) -> bool:
    """Tell whether words lie in one sentence and are no part of a longer word."""
    text, start, end = layout.text, layout.words[indices[0]][0], layout.words[indices[-1]][1]
    sides = ((text[start], text[start - 1 : start]), (text[end - 1], text[end : end + 1]))
    is_part = any(_joins(edge, neighbour) for edge, neighbour in sides)
    return not is_part and layout.sentence_of_words(indices[0], indices[-1]) is not None


def _joins(edge: str, neighbour: str) -> bool:
    """Tell whether the character beside a string makes it a part of a longer word."""
    may_join = neighbour.isalnum() or neighbour in _JOINING
    return may_join and not any(map(_is_of_unspaced_script, (edge, neighbour)))


def _is_of_unspaced_script(character: str) -> bool:
    """Tell a letter whose script has no blanks between words: every such letter is a word."""
    return character.isalpha() and len(split_words(character * 2)) > 1


def _quote(entry: Entry, span: Span) -> str:
    return quote(entry.document.text[slice(*span)])


def _context(entry: Entry, span: Span) -> str:
    start, end = span
    around = entry.document.text[max(start - _CONTEXT, 0) : end + _CONTEXT]
    return repr(f"…{' '.join(around.split())}…")
