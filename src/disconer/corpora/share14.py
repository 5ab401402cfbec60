"""ShARe 2014: disorders in clinical notes, of task 2 of the CLEF eHealth evaluation lab 2014.

Its training set is train and test of 2013 together: who trains on it must not test on the test set of 2013.
"""

import re
from collections.abc import Iterator

from disconer.corpora.corpus import Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.corpora.share import LABEL, WANTED, ShareLine, Year, read_notes

_SPANS = re.compile("[0-9]{1,18}-[0-9]{1,18}(?:,[0-9]{1,18}-[0-9]{1,18})*")


def parse_line(line: str) -> ShareLine | None:
    """Take a line apart: note, offsets and concept of a disorder, and then its attributes, which are not read.

    >>> parse_line("00001-000001-ECG_REPORT.txt|0-6,16-20|C0030193|no|NULL|patient|NULL")
    ShareLine(note='00001-000001-ECG_REPORT.txt', label='Disease_Disorder', cui='C0030193', spans=[(0, 6), (16, 20)])
    """
    columns = line.split("|")
    if len(columns) < 3 or not _SPANS.fullmatch(columns[1]):
        return None
    pairs = (pair.split("-") for pair in columns[1].split(","))
    return ShareLine(columns[0], LABEL, columns[2], [(int(start), int(end)) for start, end in pairs])


def rank_file(name: str) -> int:
    """Prefer files of disorders to those that participants got to fill in, which have the same disorders."""
    return int(re.search("default_?values|templates", name, re.IGNORECASE) is not None)


def read(download: Download, _request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read every note with its disorders."""
    return read_notes(download, Year(parse_line, rank_file), ledger)


CORPUS = PublicCorpus(
    name="share14",
    title="ShARe/CLEF eHealth 2014 task 2, disorders in clinical notes of MIMIC-II (Mowery et al. 2014), one of the "
    "paper's corpora",
    licence="PhysioNet credentialed access: training and a data use agreement, no redistribution",
    source="https://physionet.org/content/shareclefehealth2014task2/1.0/",
    files="the whole download, or of it 2014ShAReCLEFeHealthTasks2_training_10Jan2014.zip, "
    "ShAReCLEFeHealth2014Task2_test_default_values.zip with the notes of the test set, and "
    "ShAReCLEFeHealth2014_test_data_gold.zip",
    wanted=WANTED,
    read=read,
    split="the owner's train, which is train and test of share13, and test, by the names of folders and archives; 10% "
    "of the training set's patients become dev, or --split-dir with the list that published work uses",
    default_types=(LABEL,),
    published={
        "train": Figures(sentences=17_407, mentions=10_354, discontinuous=1_004),
        "dev": Figures(sentences=1_361, mentions=771, discontinuous=80),
        "test": Figures(sentences=15_850, mentions=7_922, discontinuous=566),
    },
    published_in="Wang et al. 2021",
)
