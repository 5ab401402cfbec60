"""The cards of the error browser: every sentence in which a system errs, drawn by the one renderer."""

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

_FOUND = "✓"
_MARKS = {"missed": Look(0, 0), "false": Look(1, 2), _FOUND: Look(7, 1)}
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

    @property
    def drawing(self) -> str:
        """The sentence with everything drawn under it."""
        return marked_text(self.document, SideLooks())[0]


def cards(pairs: Iterable[Pair], errors_of: Iterable[Sequence[Error]]) -> Iterator[Card]:
    """Give the cards of predictions beside gold, and of the errors in each pair, in the order of the data."""
    for number, ((gold, predicted), errors) in enumerate(zip(pairs, errors_of, strict=True), start=1):
        for sentence, own in _by_sentence(errors).items():
            yield Card(_name(gold, number, sentence), both_sides(gold, predicted, sentence, own), own)


def both_sides(gold: Document, predicted: Document, sentence: int, errors: Sequence[Error]) -> Document:
    """Give a sentence, or a little more where an error reaches further, with the mentions of both sides."""
    start, end = _extent(gold.layout, sentence, errors)
    gold_keys, predicted_keys = mention_keys(gold), mention_keys(predicted)
    found = {
        "missed": [mention for mention in gold.unique_mentions if mention.key not in predicted_keys],
        "false": [mention for mention in predicted.unique_mentions if mention.key not in gold_keys],
        _FOUND: [mention for mention in gold.unique_mentions if mention.key in predicted_keys],
    }
    excerpt = Layout(gold.text[start:end])
    mentions = [
        _moved(mention, side, excerpt, start)
        for side, own in found.items()
        for mention in own
        if start <= mention.start and mention.end <= end
    ]
    return Document(excerpt, mentions, gold.id)


def _extent(layout: Layout, sentence: int, errors: Iterable[Error]) -> Span:
    inside = 0 <= sentence < len(layout.sentences)
    start, end = layout.sentences[sentence] if inside else (len(layout.text), 0)
    mentions = [error.mention for error in errors]
    return min(start, *(mention.start for mention in mentions)), max(end, *(mention.end for mention in mentions))


def _moved(mention: Mention, side: str, excerpt: Layout, start: int) -> Mention:
    fragments = [(fragment.start - start, fragment.end - start) for fragment in mention.fragments]
    return Mention(f"{side} {mention.label}", fragments, excerpt, mention.score if side == "false" else None)


def _by_sentence(errors: Iterable[Error]) -> dict[int, list[Error]]:
    by_sentence: dict[int, list[Error]] = {}
    for error in errors:
        by_sentence.setdefault(error.mention.home_sentence_index, []).append(error)
    return dict(sorted(by_sentence.items()))


def _name(document: Document, number: int, sentence: int) -> str:
    name = f"document {number}" if document.id is None else str(document.id)
    return name if len(document.layout.sentences) < 2 else f"{name}, sentence {sentence + 1}"


def error_text(error: Error) -> str:
    """Say which words an error is about, gaps shown as dots."""
    return " … ".join(error.mention.layout.text[start:end] for start, end in error.mention.fragments)
