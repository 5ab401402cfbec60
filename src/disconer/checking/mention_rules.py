"""Rules about a mention by itself: its offsets, its gaps, and copies of it."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise, zip_longest
from typing import NamedTuple

from disconer.checking.finding import CheckedCorpus, Entry, RuleHit, identify
from disconer.document import Fragment, Mention
from disconer.exceptions import quote
from disconer.foundation.spans import Span
from disconer.tokenize import Layout

AFFIX_HABIT = 5
"""What is done so often may be no slip but the corpus's way: "natal" in "postnatal"."""
LEAST_AFFIX = 2
"""Cutting off fewer characters is never a habit, but a slip of the mouse or offsets that are all shifted."""
CLAUSE = 8
"""Mentions with more words, punctuation included, are clauses, which may well keep their punctuation."""
_CONTEXT, _MOST_SHOWN = 10, 50
"""Characters shown before a difference, and with what follows it."""
_STRAY_BEFORE = re.compile(r"[,;:]|\.(?![\d.])")
_STRAY_BEHIND = (",", ";", ":")
_ABBREVIATION = 3
"""A word of at most this many characters may well keep its full stop."""
_OPENING, _CLOSING = "([{“«", ")]}”»"
_ENUMERATOR = re.compile(r"\A(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})\)(?:\s|\Z)")
WIDE = 8
"""A gap of at least this many words, punctuation included, needs an explanation."""
_OPENING_BRACKETS, _CLOSING_BRACKETS = ("(", "[", "{"), (")", "]", "}")
SHARED_LABELS_HABIT = 5
"""Two labels that share at least this many mentions are meant to."""


class _Cut(NamedTuple):
    """A word of which only a part is marked."""

    word: str
    affixes: tuple[str, str]
    """What is not marked of it, before and behind."""

    @property
    def is_tiny(self) -> bool:
        return len("".join(self.affixes)) < LEAST_AFFIX


def find_blank_edges(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find fragments that begin or end with white space or something invisible."""
    for entry, mention in corpus.mentions():
        edges = {offset for start, end in mention.fragments for offset in (start, end - 1)}
        if any(_is_blank(mention.layout, offset) for offset in edges):
            yield RuleHit.of_mention(entry, mention, "begins or ends with a blank")


def find_differing_texts(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find mentions that came with a text of their own which is not the one at their offsets."""
    for entry in corpus.entries:
        for mention in entry.document:
            written = mention.extras.get("text")
            if isinstance(written, str) and written.split() != mention.text.split():
                here, there = _from_first_difference(mention.text, written)
                message = f"{mention.label} {here} is {there} in its file"
                yield RuleHit(entry, mention.fragments, mention.label, message, written, identify(mention))


def find_cut_words(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find fragments that begin or end inside a word, unless that is a habit of the corpus."""
    found = [(entry, mention, cuts) for entry, mention in corpus.mentions() if (cuts := list(_cuts(mention)))]
    times = Counter(cut.affixes for _, _, cuts in found for cut in cuts)
    for entry, mention, cuts in found:
        words = [quote(cut.word) for cut in cuts if times[cut.affixes] < AFFIX_HABIT or cut.is_tiny]
        if words:
            yield RuleHit.of_mention(entry, mention, f"cuts {' and '.join(words)}")


def find_punctuation_edges(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find fragments that took the punctuation beside them along, unless they are as long as a clause."""
    for entry, mention in corpus.mentions():
        says = (_stray_mark(fragment, mention.layout) for fragment in mention.fragments)
        stray = next(filter(None, says), None)
        if stray and len(mention.word_indices) <= CLAUSE:
            yield RuleHit.of_mention(entry, mention, stray)


def find_half_brackets(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find mentions with a bracket whose other half they leave out."""
    for entry, mention in corpus.mentions():
        brackets = _unmatched_brackets(_ENUMERATOR.sub("", mention.text))
        if brackets:
            yield RuleHit.of_mention(entry, mention, f"holds {quote(brackets)} without its other half")


def find_empty_gaps(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find gaps that hold neither letter nor digit nor bracket: nothing that a mention would leave out."""
    for entry, mention in corpus.mentions():
        for start, end in _gaps(mention):
            gap = mention.layout.text[start:end].strip()
            if not any(character.isalnum() or character in _OPENING_BRACKETS + _CLOSING_BRACKETS for character in gap):
                yield RuleHit.of_mention(entry, mention, f"has a gap of nothing but {quote(gap)}")


def find_wide_gaps(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find wide gaps that neither a coordination nor brackets explain."""
    for entry in corpus.entries:
        mentions = entry.document.unique_mentions
        if not any(mention.is_discontinuous for mention in mentions):
            continue
        covered = Counter((mention.label, index) for mention in mentions for index in mention.word_indices)
        for mention in mentions:
            width = max(map(len, _unexplained_gaps(mention)), default=0)
            # In a coordination, mentions share the words that their parts are joined to.
            if width >= WIDE and all(covered[mention.label, index] == 1 for index in mention.word_indices):
                yield RuleHit.of_mention(entry, mention, f"has a gap of {width} words")


def find_duplicates(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find mentions with the label and the fragments of another."""
    for entry in corpus.entries:
        seen: set[object] = set()
        for mention in entry.document:
            if mention.key in seen:
                yield RuleHit.of_mention(entry, mention, "stands here more than once")
            seen.add(mention.key)


def find_double_labels(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find mentions with two labels that seldom go together."""
    found = [pair for entry in corpus.entries for pair in _label_pairs(entry)]
    times = Counter((one.label, other.label) for _, one, other in found)
    for entry, one, other in found:
        count = times[one.label, other.label]
        if count < SHARED_LABELS_HABIT:
            mentions = "this mention" if count == 1 else f"{count} mentions"
            yield RuleHit.of_mention(entry, one, f"is {other.label} too, two labels that share only {mentions}")


def _from_first_difference(*texts: str) -> list[str]:
    """Show two texts that differ in more than spacing, from shortly before the first difference on."""
    spaced = [" ".join(text.split()) for text in texts]
    first = next(number for number, (one, other) in enumerate(zip_longest(*spaced)) if one != other)
    start = max(first - _CONTEXT, 0)
    before, end = "…" if start else "", start + _MOST_SHOWN
    return [repr(f"{before}{text[start:end]}{'…' if text[end:] else ''}") for text in spaced]


def _cuts(mention: Mention) -> Iterator[_Cut]:
    text = mention.layout.text
    for start, end in mention.fragments:
        touched = mention.layout.words_between(start, end)
        for index in dict.fromkeys((*touched[:1], *touched[-1:])):
            first, last = mention.layout.words[index]
            affixes = text[first:start].casefold(), text[end:last].casefold()
            if any(affixes):
                yield _Cut(text[first:last], affixes)


def _is_blank(layout: Layout, offset: int) -> bool:
    character = layout.text[offset]
    is_invisible = character.isspace() or unicodedata.category(character) == "Cf"
    # A joiner or the tag of a flag is a part of its word.
    return is_invisible and not layout.words_between(offset, offset + 1)


def _stray_mark(fragment: Fragment, layout: Layout) -> str | None:
    """Say which punctuation a fragment took along."""
    first, last = (_sentence_at(layout, offset) for offset in (fragment.start, fragment.end - 1))
    surface = layout.text[fragment.start : fragment.end]
    if (fragment.start, fragment.end) == (first[0], last[1]):  # whole sentences have their punctuation
        return None
    if _STRAY_BEFORE.match(surface):
        return f"begins with a stray {surface[0]!r}"
    if surface.endswith(_STRAY_BEHIND) or (fragment.end == last[1] and _ends_with_full_stop(surface)):
        return f"ends with a stray {surface[-1]!r}"
    return None


def _sentence_at(layout: Layout, offset: int) -> Span:
    index = layout.sentence_at(offset)
    return layout.sentences[index] if index >= 0 else (0, 0)


def _ends_with_full_stop(surface: str) -> bool:
    """Tell a full stop from the end of an abbreviation."""
    if not surface.endswith("."):
        return False
    word = surface.rsplit(maxsplit=1)[-1][:-1]
    return len(word) > _ABBREVIATION and "." not in word


def _unmatched_brackets(text: str) -> str:
    """Collect the brackets that close or open nothing; an interval like [1, 5) is whole."""
    unclosed: list[str] = []
    unopened: list[str] = []
    for character in text:
        if character in _OPENING:
            unclosed.append(character)
        elif character in _CLOSING and unclosed:
            unclosed.pop()
        elif character in _CLOSING:
            unopened.append(character)
    return "".join(unopened + unclosed)


def _gaps(mention: Mention) -> Iterator[Span]:
    return ((one.end, other.start) for one, other in pairwise(mention.fragments))


def _unexplained_gaps(mention: Mention) -> Iterator[range]:
    """Find the words of each gap that is no remark in brackets."""
    for start, end in _gaps(mention):
        gap = mention.layout.text[start:end].strip()
        if not (gap.startswith(_OPENING_BRACKETS) and gap.endswith(_CLOSING_BRACKETS)):
            yield mention.layout.words_between(start, end)


def _label_pairs(entry: Entry) -> Iterator[tuple[Entry, Mention, Mention]]:
    """Pair the mentions of a document that share all fragments, in the order of their labels."""
    at: dict[tuple[Fragment, ...], list[Mention]] = defaultdict(list)
    for mention in entry.document.unique_mentions:
        at[mention.fragments].append(mention)
    for mentions in at.values():
        for one, other in combinations(sorted(mentions, key=lambda mention: mention.label), 2):
            yield entry, one, other
