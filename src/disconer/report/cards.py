"""The cards of the error browser: every sentence in which a system errs, drawn by the one renderer."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from disconer.document import Document, Mention
from disconer.drawing.looks import Look, Looks
from disconer.drawing.marked_text import marked_text
from disconer.scoring.errors import Error
from disconer.scoring.keys import mention_keys
from disconer.scoring.pairing import Pair
from disconer.spans import Span
from disconer.tokenize import Layout

_MISSED, _FALSE, _FOUND = "missed", "false", "✓"
_MARKS = {_MISSED: Look(0, 0), _FALSE: Look(1, 2), _FOUND: Look(7, 1)}
"""What stands before a label, and how that looks: what gold alone has, what was predicted alone, and what both have."""


class SideLooks(Looks):
    """Looks that tell sides apart instead of labels."""

    def __getitem__(self, label: str) -> Look:
        return _MARKS[label.split(" ", 1)[0]]


@dataclass(frozen=True)
class Card:
    """A sentence in which a system errs."""

    name: str
    """Of the document, and of the sentence if there are several."""
    document: Document
    """The sentence with the mentions of both sides, each labelled by its side too."""
    errors: Sequence[Error]

    def drawing(self) -> tuple[str, int]:
        """Give the sentence with everything drawn under it, and how many mentions lay too deep for that."""
        return marked_text(self.document, SideLooks())


def cards(pairs: Iterable[Pair], errors_of: Iterable[Sequence[Error]]) -> Iterator[Card]:
    """Give the cards of predictions beside gold, and of the errors in each pair, in the order of the data."""
    for number, ((gold, predicted), errors) in enumerate(zip(pairs, errors_of, strict=True), start=1):
        if not errors:
            continue
        mentions = list(_of_both_sides(gold, predicted))
        starts = [mention.start for _, mention in mentions]
        for sentence, own in _by_sentence(errors).items():
            start, end = _extent(gold.layout, sentence, own)
            near = mentions[bisect_left(starts, start) : bisect_left(starts, end)]
            excerpt = Layout(gold.text[start:end])
            shown = [_moved(mention, side, excerpt, start) for side, mention in near if mention.end <= end]
            yield Card(_name(gold, number, sentence), Document(excerpt, shown, gold.id), own)


def error_text(error: Error) -> str:
    """Say which words an error is about, gaps shown as dots."""
    return " … ".join(error.mention.layout.text[start:end] for start, end in error.mention.fragments)


def _of_both_sides(gold: Document, predicted: Document) -> list[tuple[str, Mention]]:
    """Give the mentions of both sides, and which side each stands on, by where they begin."""
    gold_keys, predicted_keys = mention_keys(gold), mention_keys(predicted)
    mentions = [(_FOUND if one.key in predicted_keys else _MISSED, one) for one in gold.unique_mentions]
    mentions += [(_FALSE, one) for one in predicted.unique_mentions if one.key not in gold_keys]
    return sorted(mentions, key=lambda pair: pair[1].start)


def _extent(layout: Layout, sentence: int, errors: Iterable[Error]) -> Span:
    """Give where a sentence begins and ends, or a little more where an error reaches further."""
    spans = [(error.mention.start, error.mention.end) for error in errors]
    if 0 <= sentence < len(layout.sentences):
        spans.append(layout.sentences[sentence])
    return min(start for start, _ in spans), max(end for _, end in spans)


def _moved(mention: Mention, side: str, excerpt: Layout, start: int) -> Mention:
    fragments = [(fragment.start - start, fragment.end - start) for fragment in mention.fragments]
    return Mention(f"{side} {mention.label}", fragments, excerpt, mention.score if side == _FALSE else None)


def _by_sentence(errors: Iterable[Error]) -> dict[int, list[Error]]:
    by_sentence: dict[int, list[Error]] = {}
    for error in errors:
        by_sentence.setdefault(error.mention.home_sentence_index, []).append(error)
    return dict(sorted(by_sentence.items()))


def _name(document: Document, number: int, sentence: int) -> str:
    name = f"document {number}" if document.id is None else str(document.id)
    return name if len(document.layout.sentences) < 2 or sentence < 0 else f"{name}, sentence {sentence + 1}"
