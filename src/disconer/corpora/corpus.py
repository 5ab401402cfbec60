"""What a public corpus is to disconer: where it comes from, and how its download is read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.document import Document

SPLITS = ("train", "dev", "test")
ALL = "all"
"""The name of the published figures of all splits together."""


@dataclass(frozen=True)
class Request:
    """What a user asks for."""

    types: tuple[str, ...] | None = None
    """Labels to keep; the corpus's own choice when None."""
    split_dir: Path | None = None
    """A folder of lists that say which document belongs to which split."""
    language: str | None = None
    """Which language, of a corpus that has several."""
    whole_documents: bool = False
    """Whether documents stay whole instead of being cut into sentences."""


@dataclass(frozen=True)
class Article:
    """A document of a corpus with all its mentions, as its owner has it."""

    document: Document
    group: str
    """Documents of a group, say the posts of a patient, stay in one split."""
    split: str | None = None
    """The split that the owner put it into."""


@dataclass(frozen=True)
class Figures:
    """What is published of a corpus, or of a split; None where nothing is."""

    documents: int | None = None
    sentences: int | None = None
    mentions: int | None = None
    discontinuous: int | None = None


@dataclass(frozen=True)
class PublicCorpus:
    """A corpus that others publish: where to ask for it, how to read it, and the figures to compare with."""

    name: str
    title: str
    licence: str
    source: str
    """Where to ask for it."""
    files: str
    """What to download and name as RAW."""
    wanted: str
    """A pattern of how the names of the files that matter end."""
    read: Callable[[Download, Request, Ledger], Iterator[Article]]
    split: str
    """How the splits come about, in words."""
    default_types: tuple[str, ...] | None = None
    """The labels that the literature uses; all when None."""
    has_languages: bool = False
    """Whether a user may have to choose a language."""
    published: Mapping[str, Figures] = field(default_factory=dict)
    """Figures to compare with, by split, or under `all` for the whole, or under `train + dev` for both."""
    published_in: str = ""
    """Where they are published."""
