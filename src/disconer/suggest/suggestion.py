"""Sentences or documents to annotate next, in the order in which they teach the most."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from disconer.document import Document, Reading
from disconer.exceptions import InputError
from disconer.memory import enough_memory
from disconer.recognizer import Recognizer
from disconer.suggest.choice import Candidate, chosen
from disconer.suggest.doubts import Doubt, doubts
from disconer.tokenize import Layout

_OVERHEAD = 10
"""To turn to another sentence takes as long as to read so many words."""
_DIGITS = 4


@dataclass(frozen=True)
class Place:
    """Where something to annotate stands: a sentence of a document, or all of its sentences."""

    document: Document
    number: int
    """Of the document, from 1 on."""
    sentences: range
    is_whole: bool

    @property
    def readings(self) -> Sequence[Reading]:
        return [self.document.sentences[index] for index in self.sentences]

    def cut(self) -> Document:
        """Give it as a document of its own, without any mentions."""
        if self.is_whole:
            return self.document.with_mentions(())
        (sentence,) = self.readings
        return Document(_layout(sentence), id=f"{self.document_name}.{self.sentences[0] + 1}")

    @property
    def about(self) -> dict[str, object]:
        """Say where it was found."""
        start = self.readings[0].start if not self.is_whole else 0
        return {"document": self.document_name, "start": start}

    @property
    def document_name(self) -> str | int:
        return self.number if self.document.id in (None, "") else self.document.id


def suggestions(
    recognizer: Recognizer, documents: Iterable[Document], number: int | None = None, whole: bool = False
) -> Iterator[Document]:
    """Give what to annotate next, the best first, with what the model finds there.

    Sentences are cut out of their documents, unless those are wanted whole. The extra `suggestion` of each says how
    sure the model is of it: the bits that it is in doubt about, and what annotating it brings for its length.
    """
    if number is not None and number < 1:
        raise InputError(f"the number of suggestions must be at 1 or above, not {number}")
    places = [place for count, document in enumerate(documents, 1) for place in _places(document, count, whole)]
    with enough_memory("use --device cpu, or fewer texts at a time"):
        found = doubts(recognizer.engine, [reading for place in places for reading in place.readings])
    waiting = iter(found)
    own = [list(islice(waiting, len(place.sentences))) for place in places]
    order = list(islice(chosen(list(map(_candidate, places, own))), number))
    # A sentence is read without those around it, so that the rest of a document need not be read once more.
    cut = (places[index].cut() for index, _ in order)
    answers = recognizer.pipe(cut if whole else _told_apart(cut))
    for rank, ((index, gain), answer) in enumerate(zip(order, answers, strict=True), start=1):
        yield _suggestion(places[index], answer, {"rank": rank, "gain": round(gain, _DIGITS)}, own[index])


def _places(document: Document, number: int, whole: bool) -> list[Place]:
    worded = [index for index, sentence in enumerate(document.sentences) if sentence.word_spans]
    if whole:
        return [Place(document, number, range(len(document.sentences)), True)] if worded else []
    return [Place(document, number, range(index, index + 1), False) for index in worded]


def _candidate(place: Place, own: Sequence[Doubt]) -> Candidate:
    bits: dict[str, float] = {}
    for reading, doubt in zip(place.readings, own, strict=True):
        words = reading.words
        for index, amount in doubt.words.items():
            word = words[index].casefold()
            bits[word] = bits.get(word, 0.0) + amount
    length = sum(len(reading.word_indices) for reading in place.readings)
    return Candidate(bits, length + _OVERHEAD * len(place.readings))


def _suggestion(place: Place, answer: Document, about: dict[str, object], own: Sequence[Doubt]) -> Document:
    bits = {kind: round(sum(getattr(one, kind) for one in own), _DIGITS) for kind in ("nodes", "edges", "cliques")}
    extras = {**answer.extras, "suggestion": {**about, **place.about, "bits": bits}}
    return Document(answer.layout, answer.mentions, answer.id, extras)


def _told_apart(documents: Iterable[Document]) -> Iterator[Document]:
    """Give sentences of the same id, as where every line of a file bears its document's, a number besides."""
    seen: Counter[str | int | None] = Counter()
    for document in documents:
        seen[document.id] += 1
        name = document.id if seen[document.id] == 1 else f"{document.id}-{seen[document.id]}"
        yield Document(document.layout, id=name)


def _layout(sentence: Reading) -> Layout:
    """Give a sentence's own text with its words, which need not be said where the text alone tells them."""
    words = tuple((start - sentence.start, end - sentence.start) for start, end in sentence.word_spans)
    bare, whole = Layout(sentence.text), ((0, len(sentence.text)),)
    return bare if (bare.words, bare.sentences) == (words, whole) else Layout(sentence.text, words, whole)
