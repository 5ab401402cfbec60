"""ShARe 2013: disorders in clinical notes, of task 1 of the CLEF eHealth evaluation lab 2013.

Published work reads the training set from Knowtator's files, which have a few disorders more than the pipe-delimited
ones, so they count where a note has both.
"""

import re
from collections.abc import Iterator

from disconer.corpora.corpus import Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download
from disconer.corpora.ledger import Ledger
from disconer.corpora.share import LABEL, WANTED, ShareLine, Year, read_notes

_OFFSET = re.compile("[0-9]{1,18}")


def parse_line(line: str) -> ShareLine | None:
    """Take a line apart.

    >>> parse_line("00001-000001-ECG_REPORT.txt||Disease_Disorder||C0030193||0||6||16||20")
    ShareLine(note='00001-000001-ECG_REPORT.txt', label='Disease_Disorder', cui='C0030193', spans=[(0, 6), (16, 20)])
    """
    columns = line.split("||")
    if len(columns) < 5 or len(columns) % 2 == 0 or not all(map(_OFFSET.fullmatch, columns[3:])):
        return None
    note, label, cui = columns[:3]
    offsets = [int(offset) for offset in columns[3:]]
    return ShareLine(note, label or LABEL, cui, list(zip(offsets[::2], offsets[1::2], strict=True)))


def rank_file(name: str) -> int | None:
    """Prefer the gold standard that links to SNOMED CT of 2012 to that of 2011; task 2 is about abbreviations."""
    lowered = name.lower()
    return None if "task2" in lowered else int("sn2011" in lowered)


def read(download: Download, _request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read every note with its disorders."""
    return read_notes(download, Year(parse_line, rank_file, prefers_knowtator=True), ledger)


CORPUS = PublicCorpus(
    name="share13",
    title="ShARe/CLEF eHealth 2013 task 1, disorders in clinical notes of MIMIC-II (Pradhan et al. 2015), one of the "
    "paper's corpora",
    licence="PhysioNet credentialed access: training and a data use agreement, no redistribution",
    source="https://physionet.org/content/shareclefehealth2013/1.0/",
    files="the whole download, or of it the notes, Task1TrainSetCorpus199.zip and Task1TestSetCorpus100.zip, the "
    "Task1TrainSetGOLD199 archive with knowtatorehost files, or else with pipe-delimited ones, and "
    "Task1Gold_SN2012.tar.bz2",
    wanted=WANTED,
    read=read,
    split="the owner's train and test, by the names of folders and archives; 10% of the training set's patients become "
    "dev, or --split-dir with the list that published work uses",
    default_types=(LABEL,),
    published={
        "train": Figures(sentences=8_508, mentions=5_146, discontinuous=581),
        "dev": Figures(sentences=1_250, mentions=669, discontinuous=71),
        "test": Figures(sentences=9_009, mentions=5_333, discontinuous=436),
    },
    published_in="Wang et al. 2021",
)
