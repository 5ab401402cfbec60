"""A sentence in type of one width, and bars under its words: the renderer's way to show mentions, as a picture."""

from collections.abc import Iterable
from itertools import pairwise

from disconer.drawing.lanes import assign_lanes
from disconer.passage import Segment, WordMention
from tools.pictures.canvas import MARGIN, WIDTH, Canvas
from tools.pictures.example import Example

HUES = (0, 2, 3, 4, 5, 6)
"""Of mentions, in turn; what is wrong has the one that is left out, a dashed line and a cross."""
WRONG = 1
_WIDEST = 10.5
"""Of a character, so that short sentences are not set in large type."""


class Strip:
    """A sentence across a picture."""

    def __init__(self, canvas: Canvas, example: Example, y: float) -> None:
        self.canvas = canvas
        self.example = example
        self.column = min((WIDTH - 2 * MARGIN) / len(example.document.text), _WIDEST)
        for word, (start, _) in zip(example.sentence.words, example.sentence.word_spans, strict=True):
            place = self.x(start), y
            canvas.fit_text(place, word, len(word) * self.column, size=self.column / 0.6)

    def x(self, offset: float) -> float:
        return MARGIN + offset * self.column

    def extent(self, segment: Segment) -> tuple[float, float]:
        """Tell where the words of a segment begin and end."""
        start, end = self.example.offsets(segment)
        return self.x(start), self.x(end)

    def middle(self, segment: Segment) -> float:
        return sum(self.extent(segment)) / 2

    def bars(self, mention: WordMention, y: float, dashed: bool = False) -> None:
        """Draw a mention: thick under its words, thin under its gaps."""
        extents = [self.extent(segment) for segment in mention.segments]
        for start, end in extents:
            self.canvas.bar(start, y, end - start)
        for (_, end), (start, _) in pairwise(extents):
            self.canvas.line((end, y + 3.5), (start, y + 3.5), dashed=dashed)

    def lane(self, mention: WordMention, y: float, number: int, is_right: bool = True, words: str = "") -> None:
        """Draw a mention, and say under it what it is, or what else there is to say."""
        mark = "" if is_right else "✗ "
        words = words or f"{mention.label} {self.example.mention_text(mention)}"
        with self.canvas.group(f"hue-{HUES[number % len(HUES)] if is_right else WRONG}"):
            self.bars(mention, y, dashed=not is_right)
            start, _ = self.extent(mention.segments[0])
            self.canvas.text((start, y + 23), f"{mark}{words}", size=13)

    def lanes(self, segments: Iterable[Segment]) -> dict[Segment, int]:
        """Put segments into lanes under the text, as the renderer does with mentions."""
        listed = list(segments)
        return dict(zip(listed, assign_lanes([self.example.offsets(segment) for segment in listed]), strict=True))
