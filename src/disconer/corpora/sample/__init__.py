"""A synthetic corpus to try disconer with: a seeded program invents every sentence, no patient wrote any of them.

It imitates posts of patients on a forum and sentences of drug labels, and has mentions with gaps of every kind beside
coordinations that must not be combined. Some words and some sentence patterns are kept out of the training split. It is
made for tutorials, tests and demonstrations: scores on it say nothing about real text, and nothing in it is a fact
about a drug.
"""

from collections.abc import Callable
from typing import NamedTuple

from disconer.corpora.sample import templates
from disconer.corpora.sample.chance import Choices, Writer, weighted
from disconer.document import Document

__all__ = ["SIZES", "sample"]

SIZES = {"train": 1500, "dev": 250, "test": 250}
"""The splits and how many sentences each has."""


Style = Callable[[str], str]
"""What a writer makes of a sentence, its letters staying where they are."""


class _Kind(NamedTuple):
    """A kind of sentence: its patterns, and how its writers care for capitals and full stops."""

    templates: Choices[str]
    styles: Choices[Style]


def _tidy(text: str) -> str:
    return text[0].upper() + text[1:]


def _excited(text: str) -> str:
    return _tidy(text).removesuffix(".") + "!!"


def _trailing(text: str) -> str:
    return text.lower().removesuffix(".") + "..."


def _unfinished(text: str) -> str:
    return _tidy(text).removesuffix(".")


_POSTED: Choices[Style] = weighted({_tidy: 14, str.lower: 3, _excited: 1, _trailing: 1, _unfinished: 1})
_PRINTED: Choices[Style] = weighted({_tidy: 1})
_KINDS = weighted(
    {
        _Kind(templates.FORUM, _POSTED): 9,
        _Kind(templates.LABEL, _PRINTED): 7,
        _Kind(templates.FORUM_WITHOUT_MENTIONS, _POSTED): 2,
        _Kind(templates.LABEL_WITHOUT_MENTIONS, _PRINTED): 2,
    }
)


def sample(seed: int = 0) -> dict[str, list[Document]]:
    """Make the splits, a sentence a document; a seed gives the same ones everywhere, and no sentence comes twice.

    >>> {split: len(documents) for split, documents in sample().items()}
    {'train': 1500, 'dev': 250, 'test': 250}
    """
    written: set[str] = set()
    return {split: _split(split, size, seed, written) for split, size in SIZES.items()}


def _split(split: str, size: int, seed: int, written: set[str]) -> list[Document]:
    writer = Writer(f"{split} {seed}", is_training=split == "train")
    documents: list[Document] = []
    while len(documents) < size:
        kind = writer.pick(_KINDS)
        sentence = templates.filled(writer.pick(kind.templates), writer)
        if sentence.text.lower() not in written:
            written.add(sentence.text.lower())
            text = writer.pick(kind.styles)(sentence.text)
            documents.append(sentence.document(text, f"{split}-{len(documents) + 1}"))
    return documents
