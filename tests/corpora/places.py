"""Where mentions are in whole documents, told from the sentences that these were cut into."""

from collections.abc import Iterable

from disconer import Document

Place = tuple[str, str, tuple[tuple[int, int], ...]]
"""Of a mention: its document, its label and its fragments."""


def places(sentences: Iterable[Document]) -> set[Place]:
    """Give mentions by the document that sentences were cut from and their places in that."""
    found: set[Place] = set()
    for sentence in sentences:
        document, _, offsets = str(sentence.id).rpartition(":")
        start = int(offsets.partition("-")[0])
        for mention in sentence:
            spans = tuple((first + start, last + start) for first, last in mention.fragments)
            found.add((document, mention.label, spans))
    return found
