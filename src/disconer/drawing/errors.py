"""What goes wrong in predictions: every sentence in which a system errs, drawn with the mentions of both sides."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from disconer.document import Document, Mention
from disconer.drawing.html import draw_text, figure
from disconer.drawing.looks import Look, Looks, style_sheet
from disconer.foundation.spans import Span
from disconer.foundation.wording import count_of
from disconer.scoring.counts import mention_keys
from disconer.scoring.errors import Error, classify_errors, count_errors
from disconer.scoring.pairing import Pair
from disconer.tokenize import Layout

_MISSED, _FALSE, _FOUND = "missed", "false", "✓"
_MARKS = {_MISSED: Look(0, 0), _FALSE: Look(1, 2), _FOUND: Look(7, 1)}
"""What stands before a label, and how that looks: what gold alone has, what was predicted alone, and what both have."""

_MOST_DRAWN = 50
"""Sentences, in a notebook."""


class SideLooks(Looks):
    """Looks that tell sides apart instead of labels."""

    def __getitem__(self, label: str) -> Look:
        return _MARKS[label.split(" ", 1)[0]]


@dataclass(frozen=True)
class ErrorSentence:
    """A sentence in which a system errs."""

    name: str
    """Of the document, and of the sentence if there are several."""
    document: Document
    """The sentence with the mentions of both sides, each labelled by its side too."""
    errors: Sequence[Error]

    def draw(self) -> tuple[str, int]:
        """Draw the sentence with its mentions; also returns how many mentions lay too deep for that."""
        return draw_text(self.document, SideLooks())


class Errors:
    """The errors of a set of predictions: iterable, countable, and drawn in a notebook."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        by_pair = [classify_errors(*pair) for pair in pairs]
        self.sentences = list(collect_error_sentences(pairs, by_pair))
        """Every sentence with an error."""
        self.counts = count_errors(error for errors in by_pair for error in errors)
        """By kind and side."""

    def __iter__(self) -> Iterator[Error]:
        return (error for sentence in self.sentences for error in sentence.errors)

    def __len__(self) -> int:
        return sum(len(sentence.errors) for sentence in self.sentences)

    def __repr__(self) -> str:
        return f"<{self._count()}>"

    def _repr_html_(self) -> str:
        """Draw the first sentences."""
        drawn = "".join(figure(sentence.document, SideLooks()) for sentence in self.sentences[:_MOST_DRAWN])
        more = f", the first {_MOST_DRAWN} drawn" if len(self.sentences) > _MOST_DRAWN else ""
        return f"<style>{style_sheet()}</style><p>{self._count()}{more}</p>{drawn}"

    def _count(self) -> str:
        return f"{count_of(len(self), 'error')} in {count_of(len(self.sentences), 'sentence')}"


def collect_error_sentences(pairs: Iterable[Pair], errors_of: Iterable[Sequence[Error]]) -> Iterator[ErrorSentence]:
    """Cut out every sentence with an error, in the order of the data, with the mentions of both sides."""
    for number, ((gold, predicted), errors) in enumerate(zip(pairs, errors_of, strict=True), start=1):
        if not errors:
            continue
        mentions = list(_both_sides(gold, predicted))
        starts = [mention.start for _, mention in mentions]
        for sentence, own in _by_sentence(errors).items():
            start, end = _extent(gold.layout, sentence, own)
            near = mentions[bisect_left(starts, start) : bisect_left(starts, end)]
            excerpt = Layout(gold.text[start:end])
            shown = [_cut_out(mention, side, excerpt, start) for side, mention in near if mention.end <= end]
            yield ErrorSentence(_name(gold, number, sentence), Document(excerpt, shown, gold.id), own)


def _both_sides(gold: Document, predicted: Document) -> list[tuple[str, Mention]]:
    """Collect the mentions of both sides, and which side each stands on, by where they begin."""
    gold_keys, predicted_keys = mention_keys(gold), mention_keys(predicted)
    mentions = [(_FOUND if one.key in predicted_keys else _MISSED, one) for one in gold.unique_mentions]
    mentions += [(_FALSE, one) for one in predicted.unique_mentions if one.key not in gold_keys]
    return sorted(mentions, key=lambda pair: pair[1].start)


def _extent(layout: Layout, sentence: int, errors: Iterable[Error]) -> Span:
    """Find where a sentence begins and ends, or a little more where an error reaches further."""
    spans = [(error.mention.start, error.mention.end) for error in errors]
    if 0 <= sentence < len(layout.sentences):
        spans.append(layout.sentences[sentence])
    return min(start for start, _ in spans), max(end for _, end in spans)


def _cut_out(mention: Mention, side: str, excerpt: Layout, start: int) -> Mention:
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
