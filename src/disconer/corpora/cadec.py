"""CADEC: what patients write about drugs in a forum, in a format like brat's."""

from collections.abc import Iterator

from disconer.corpora.corpus import Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.corpora.standoff import read_brat


def read(download: Download, _request: Request, _ledger: Ledger) -> Iterator[Article]:
    """Read every post with its original annotations; those linked to vocabularies say less."""
    texts, annotations = (
        download.find_by_id(r"text/(?P<id>[^/]+)\.txt"),
        download.find_by_id(r"original/(?P<id>[^/]+)\.ann"),
    )
    for document in read_brat(download, texts, annotations):
        yield Article(document, str(document.id))


CORPUS = PublicCorpus(
    name="cadec",
    title="CADEC, patients' posts about adverse drug reactions (Karimi et al. 2015), one of the paper's corpora",
    licence="CSIRO Data Licence: research only, no redistribution",
    source="https://doi.org/10.4225/08/570FB102BDAD2",
    files="CADEC.v2.zip (text/ and original/ matter)",
    wanted=r"(text/[^/]+\.txt|original/[^/]+\.ann)",
    read=read,
    split="70/15/15 by post, or --split-dir with the lists that published work uses",
    default_types=("ADR",),
    published={
        "train": Figures(sentences=5_340, mentions=4_430, discontinuous=491),
        "dev": Figures(sentences=1_097, mentions=898, discontinuous=94),
        "test": Figures(sentences=1_160, mentions=990, discontinuous=94),
    },
    published_in="Wang et al. 2021",
)
