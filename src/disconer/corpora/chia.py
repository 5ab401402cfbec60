"""Chia: eligibility criteria of clinical trials, in brat's format, with or without scopes."""

from collections.abc import Iterator

from disconer.corpora.corpus import ALL, Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.corpora.standoff import read_brat

TYPES = (
    "Condition", "Device", "Drug", "Measurement", "Mood", "Multiplier", "Negation", "Observation", "Person",
    "Procedure", "Qualifier", "Reference_point", "Temporal", "Value", "Visit",
)  # fmt: skip


def read(download: Download, _request: Request, _ledger: Ledger) -> Iterator[Article]:
    """Read the criteria of every trial, those of inclusion and of exclusion."""
    texts, annotations = (download.find_by_id(rf"(?P<id>NCT\d+_(?:inc|exc))\.{ending}") for ending in ("txt", "ann"))
    for document in read_brat(download, texts, annotations):
        yield Article(document, str(document.id).partition("_")[0])


CORPUS = PublicCorpus(
    name="chia",
    title="Chia, eligibility criteria of 1,000 clinical trials (Kury et al. 2020)",
    licence="CC BY 4.0",
    source="https://doi.org/10.6084/m9.figshare.11855817",
    files="chia_without_scope.zip, or chia_with_scope.zip, which also marks whole statements",
    wanted=r"\.(txt|ann)",
    read=read,
    split="70/15/15 by trial (the owner has none), or --split-dir",
    default_types=TYPES,
    published={ALL: Figures(mentions=41_487)},
    published_in="Kury et al. 2020",
)
