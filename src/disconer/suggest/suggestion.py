"""Sentences or documents to annotate next, in the order in which they teach the most."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log1p

from disconer.document import Document
from disconer.exceptions import InputError
from disconer.foundation.device import advise_on_memory
from disconer.passage import Passage
from disconer.recognizer import Recognizer
from disconer.suggest.uncertainty import Uncertainty, measure_sentences
from disconer.tokenize import Layout

_OVERHEAD = 10
"""Words that could be read in the time that it takes to turn to another sentence."""
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
    def passages(self) -> Sequence[Passage]:
        return [self.document.sentences[index] for index in self.sentences]

    def cut(self) -> Document:
        """Make a document of its own, without any mentions."""
        if self.is_whole:
            return self.document.with_mentions(())
        (sentence,) = self.passages
        return Document(_layout(sentence), id=f"{self.document_name}.{self.sentences[0] + 1}")

    @property
    def about(self) -> dict[str, object]:
        """Say where it was found."""
        start = self.passages[0].start if not self.is_whole else 0
        return {"document": self.document_name, "start": start}

    @property
    def document_name(self) -> str | int:
        return self.number if self.document.id in (None, "") else self.document.id


@dataclass(frozen=True)
class Candidate:
    """Something to choose: the bits it holds on each word, and what it costs to annotate."""

    bits: Mapping[str, float]
    cost: float


def suggest_documents(
    recognizer: Recognizer, documents: Iterable[Document], number: int | None = None, whole: bool = False
) -> Iterator[Document]:
    """Choose what to annotate next, the best first, with what the model finds there.

    Sentences are cut out of their documents, unless those are wanted whole. The extra `suggestion` of each says how
    sure the model is of it: the bits that it is in doubt about, and what annotating it brings for its length.
    """
    if number is not None and number < 1:
        raise InputError(f"the number of suggestions must be at 1 or above, not {number}")
    places = [place for count, document in enumerate(documents, 1) for place in _places(document, count, whole)]
    with advise_on_memory("use the device cpu, or fewer texts at a time"):
        found = measure_sentences(recognizer.engine, [passage for place in places for passage in place.passages])
    waiting = iter(found)
    own = [list(islice(waiting, len(place.sentences))) for place in places]
    order = list(islice(rank_candidates(list(map(_candidate, places, own))), number))
    # A sentence is read without those around it, so that the rest of a document need not be read once more.
    cut = (places[index].cut() for index, _ in order)
    predictions = recognizer.pipe(cut if whole else _tell_apart(cut))
    for position, ((index, gain), predicted) in enumerate(zip(order, predictions, strict=True), start=1):
        yield _suggestion(places[index], predicted, {"rank": position, "gain": round(gain, _DIGITS)}, own[index])


def rank_candidates(candidates: Sequence[Candidate]) -> Iterator[tuple[int, float]]:
    """Yield the numbers of candidates, the best first, each with what it adds to those before it, for its cost.

    What is learned about a word grows with the logarithm of the bits that are chosen on it, so that the first sentence
    about a word counts in full, and the tenth hardly. Such a sum is submodular, so that greedily taking the best next
    candidate is a good way; and as gains only ever fall, most candidates need not be looked at again.

    >>> long, again, other = Candidate({"jaundice": 3}, 1), Candidate({"jaundice": 2}, 1), Candidate({"rash": 1}, 1)
    >>> [number for number, _ in rank_candidates([long, again, other])]
    [0, 2, 1]
    """
    known: dict[str, float] = {}
    waiting = [(-_gain(candidate, known), number) for number, candidate in enumerate(candidates)]
    heapq.heapify(waiting)
    while waiting:
        _, number = heapq.heappop(waiting)
        candidate = candidates[number]
        entry = (-_gain(candidate, known), number)
        if waiting and entry > waiting[0]:  # others may bring more by now
            heapq.heappush(waiting, entry)
            continue
        yield number, -entry[0]
        for word, bits in candidate.bits.items():
            known[word] = known.get(word, 0.0) + bits


def _places(document: Document, number: int, whole: bool) -> list[Place]:
    worded = [index for index, sentence in enumerate(document.sentences) if sentence.word_spans]
    if whole:
        return [Place(document, number, range(len(document.sentences)), True)] if worded else []
    return [Place(document, number, range(index, index + 1), False) for index in worded]


def _candidate(place: Place, own: Sequence[Uncertainty]) -> Candidate:
    bits: dict[str, float] = {}
    for passage, uncertainty in zip(place.passages, own, strict=True):
        words = passage.words
        for index, amount in uncertainty.words.items():
            word = words[index].casefold()
            bits[word] = bits.get(word, 0.0) + amount
    length = sum(len(passage.word_indices) for passage in place.passages)
    return Candidate(bits, length + _OVERHEAD * len(place.passages))


def _suggestion(place: Place, predicted: Document, about: dict[str, object], own: Sequence[Uncertainty]) -> Document:
    bits = {kind: round(sum(getattr(one, kind) for one in own), _DIGITS) for kind in ("nodes", "edges", "cliques")}
    extras = {**predicted.extras, "suggestion": {**about, **place.about, "bits": bits}}
    return Document(predicted.layout, predicted.mentions, predicted.id, extras)


def _tell_apart(documents: Iterable[Document]) -> Iterator[Document]:
    """Add a number to ids that come again, as where every line of a file bears its document's."""
    seen: Counter[str | int | None] = Counter()
    for document in documents:
        seen[document.id] += 1
        name = document.id if seen[document.id] == 1 else f"{document.id}-{seen[document.id]}"
        yield Document(document.layout, id=name)


def _layout(sentence: Passage) -> Layout:
    """Make a layout of a sentence's own text, with its words unless the text alone tells them."""
    words = tuple((start - sentence.start, end - sentence.start) for start, end in sentence.word_spans)
    bare, whole = Layout(sentence.text), ((0, len(sentence.text)),)
    return bare if (bare.words, bare.sentences) == (words, whole) else Layout(sentence.text, words, whole)


def _gain(candidate: Candidate, known: Mapping[str, float]) -> float:
    gains = (log1p(bits / (1 + known.get(word, 0.0))) for word, bits in candidate.bits.items())
    return sum(gains) / candidate.cost
