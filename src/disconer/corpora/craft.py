"""CRAFT: concepts of eleven ontologies in journal articles, in Knowtator's format."""

import re
from collections import defaultdict
from collections.abc import Iterator

from disconer.corpora.corpus import Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.corpora.standoff import read_annotation
from disconer.document import Document, Mention
from disconer.exceptions import InputError
from disconer.formats.knowtator.annotations import read_annotations
from disconer.tokenize import Layout, Split

_WEB_ADDRESS = "http://purl.obolibrary.org/obo/"
"""What concepts begin with in Knowtator 2."""
_ANNOTATIONS = (
    r"concept-annotation/(?P<ontology>\w+)/(?:(?P=ontology)|(?P=ontology)_without_genotype\w*)"
    r"/(?:(?P<version>knowtator(?:-2)?)/)?(?P<id>\d+)(?:\.txt)?(?:\.knowtator)?\.xml"
)
"""The sets without classes that the annotators made up, and of diseases without those in the names of genotypes."""


def read(download: Download, _request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read every article with the concepts of all ontologies."""
    _check_one_release(download)
    splits = _read_splits(download)
    texts = download.find_by_id(r"articles/txt/(?P<id>\d+)\.txt")
    annotations = _find_annotations(download)
    ontologies = {ontology for files in annotations.values() for ontology in files}
    for identifier in download.find_paired(texts, annotations):
        for ontology in sorted(ontologies - annotations[identifier].keys()):
            ledger.change("an article without annotations of an ontology", f"document {identifier} {ontology}")
        layout = Layout(download.text(texts[identifier]), split=Split.ALWAYS)
        found = _read_mentions(identifier, layout, annotations[identifier], download, ledger)
        ordered = sorted(found, key=lambda mention: (mention.fragments, mention.label))
        yield Article(Document(layout, ordered, identifier), identifier, splits.get(identifier))


def _check_one_release(download: Download) -> None:
    roots = {re.split("(?:articles|concept-annotation)/", name, flags=re.IGNORECASE)[0] for name in download.files}
    if len(roots) > 1:
        raise InputError(f"there are several releases here: name one of {', '.join(sorted(roots))}", path=download.path)


def _read_splits(download: Download) -> dict[str, str]:
    lists = download.find(r"articles/ids/craft-ids-(?P<split>train|dev|test)\.txt")
    return {line.strip(): match["split"].lower() for name, match in lists.items() for line in download.lines(name)}


def _find_annotations(download: Download) -> dict[str, dict[str, str]]:
    """Find the annotations of each article by their ontologies; those of Knowtator 2 where there are no others."""
    files: dict[str, dict[str, str]] = defaultdict(dict)
    found = sorted(download.find(_ANNOTATIONS).items(), key=lambda item: (item[1]["version"] or "", item[0]))
    for name, match in found:
        files[match["id"]].setdefault(match["ontology"], name)
    return files


def _read_mentions(
    identifier: str, layout: Layout, files: dict[str, str], download: Download, ledger: Ledger
) -> Iterator[Mention]:
    for ontology, name in files.items():
        for text in read_annotations(download.content(name), download.place(name)):
            for annotation in text.annotations:
                concept = _normalize_concept(annotation.label)
                mention = read_annotation(annotation, ontology, layout, identifier, ledger, concept=concept)
                if mention:
                    yield mention


def _normalize_concept(label: str) -> str:
    """Write the ids of concepts in one way.

    >>> _normalize_concept("http://purl.obolibrary.org/obo/MONDO_0005047"), _normalize_concept("CL:0000540")
    ('MONDO:0005047', 'CL:0000540')
    """
    return label.removeprefix(_WEB_ADDRESS).replace("_", ":", 1) if label.startswith(_WEB_ADDRESS) else label


CORPUS = PublicCorpus(
    name="craft",
    title="CRAFT, concepts of ten ontologies (version 4) or eleven (version 5) in 97 journal articles (Bada et al. "
    "2012)",
    licence="CC BY 3.0 for the annotations; every article under its own notice, articles/txt/*.copyright",
    source="https://github.com/UCDenver-ccp/CRAFT/releases",
    files="the source code of a release, zip or tar.gz, or a clone (articles/ and concept-annotation/ matter; of this "
    "the sets without extension classes, and without genotypes)",
    wanted=rf"articles/(?:txt/\d+|ids/craft-ids-\w+)\.txt|{_ANNOTATIONS}",
    read=read,
    split="the owner's lists, articles/ids/craft-ids-*.txt",
    published={"train": Figures(documents=60), "dev": Figures(documents=7), "test": Figures(documents=30)},
    published_in="the corpus's own lists of articles",
)
