"""What the corpora of ShARe/CLEF eHealth have in common: clinical notes, and disorders in pipe-delimited files or in
Knowtator's XML.

Notes are called like `00001-000001-ECG_REPORT.txt`, the patient first. A file of disorders has the same name, with or
without `.pipe` in front of the ending, so that its first line tells it from a note. The names of the folders, or of the
archives, tell the training set from the test set.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from disconer.corpora.corpus import Article
from disconer.corpora.download import Download, find_by_folder
from disconer.corpora.ledger import Ledger
from disconer.corpora.standoff import read_annotation
from disconer.document import Document, Mention
from disconer.formats.knowtator.annotations import KnowtatorAnnotation, read_annotations
from disconer.foundation.spans import Span
from disconer.tokenize import Layout, Split

LABEL = "Disease_Disorder"
WANTED = r"\d+-\d+-[a-z_]+(\.pipe|\.txt|\.pipe\.txt|(\.txt)?\.knowtator\.xml)"
_NAME = r"(?P<id>\d+-\d+-[a-z_]+)"
_CUI = re.compile(r"C\d{7}|CUI-?less", re.IGNORECASE)
_FOLDERS = {"(?<![a-z])test|gold_sn": "test", "(?<![a-z])train|allsaved|clefpipedelimited": "train"}
"""What the folders of a split are called, those inside the archives included."""


class ShareLine(NamedTuple):
    """What a line of a pipe-delimited file says."""

    note: str
    label: str
    cui: str
    spans: list[Span]


@dataclass(frozen=True)
class Year:
    """What differs from year to year."""

    parse_line: Callable[[str], ShareLine | None]
    """Takes a line of a pipe-delimited file apart; None when it is not one."""
    rank_file: Callable[[str], int | None]
    """Tells which of several annotation files of a note is the best, by their names: the lowest; None is none."""
    prefers_knowtator: bool = False
    """Whether Knowtator's file counts where a note has both kinds."""


@dataclass
class _Note:
    """The files about a note."""

    texts: list[str] = field(default_factory=list)
    pipes: list[str] = field(default_factory=list)
    knowtator: list[str] = field(default_factory=list)

    @property
    def split(self) -> str | None:
        """The set that the note belongs to, by the nearest folder that says so."""
        found = (find_by_folder(name, _FOLDERS) for name in (*self.texts, *self.pipes, *self.knowtator))
        return next(filter(None, found), None)


def read_notes(download: Download, year: Year, ledger: Ledger) -> Iterator[Article]:
    """Read every note with its disorders."""
    notes = _collect_notes(download, year)
    annotated = {note.split for note in notes.values() if note.pipes or note.knowtator}
    for identifier, note in sorted(notes.items()):
        if not note.texts:
            ledger.skip("annotations without a note", f"document {identifier}")
        elif note.split not in annotated:
            ledger.skip("a note of a set without annotations", f"document {identifier}")
        else:
            yield Article(
                _read_document(identifier, note, download, year, ledger), identifier.split("-")[0], note.split
            )


def _collect_notes(download: Download, year: Year) -> dict[str, _Note]:
    """Sort the files of a download by the notes they are about; of annotations only the best are there."""
    notes: dict[str, _Note] = defaultdict(_Note)
    for name, match in download.find(rf"{_NAME}(?P<ending>\.pipe|\.txt|\.pipe\.txt)").items():
        is_note = match["ending"].lower() == ".txt" and not _is_pipe_delimited(download.text(name))
        note = notes[match["id"]]
        (note.texts if is_note else note.pipes).append(name)
    for name, match in download.find(rf"{_NAME}(?:\.txt)?\.knowtator\.xml").items():
        notes[match["id"]].knowtator.append(name)
    for note in notes.values():
        note.pipes, note.knowtator = (_choose_best(names, year) for names in (note.pipes, note.knowtator))
    return notes


def _is_pipe_delimited(content: str) -> bool:
    """Tell a file of disorders from a note: its lines begin with the name of one, and it may have no lines."""
    return not content.strip() or re.match(rf"\s*\ufeff?{_NAME}\.txt\|", content, re.IGNORECASE) is not None


def _choose_best(names: list[str], year: Year) -> list[str]:
    ranks = {name: rank for name in names if (rank := year.rank_file(name)) is not None}
    return [name for name, rank in ranks.items() if rank == min(ranks.values())]


def _read_document(identifier: str, note: _Note, download: Download, year: Year, ledger: Ledger) -> Document:
    is_marked = bool(note.knowtator) and (year.prefers_knowtator or not note.pipes)
    annotations = note.knowtator if is_marked else note.pipes
    for names, what in ((note.texts, "texts"), (annotations, "annotations")):
        if len({download.content(name) for name in names}) > 1:
            ledger.change(f"a note with several {what} that differ, the first taken", f"document {identifier}")
    layout = Layout(download.text(note.texts[0]), split=Split.ALWAYS)
    if is_marked:
        return Document(layout, _read_knowtator(identifier, layout, download, annotations[0], ledger), identifier)
    if annotations:
        return Document(
            layout, _read_pipe_lines(identifier, layout, download.lines(annotations[0]), year, ledger), identifier
        )
    ledger.change("a note without annotations, taken for one without disorders", f"document {identifier}")
    return Document(layout, id=identifier)


def _read_pipe_lines(
    identifier: str, layout: Layout, lines: list[str], year: Year, ledger: Ledger
) -> Iterator[Mention]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"document {identifier} line {number}"
        found = year.parse_line(line.strip())
        if not found:
            ledger.skip("unparsable", place)
        elif found.note.removesuffix(".txt") != identifier:
            ledger.skip("a line about another note", place)
        else:
            if found.spans != sorted(found.spans):
                ledger.change("fragments out of order, sorted", place)
            mention = ledger.make_mention(found.label, found.spans, layout, place, {"cui": found.cui})
            if mention:
                yield mention


def _read_knowtator(
    identifier: str, layout: Layout, download: Download, name: str, ledger: Ledger
) -> Iterator[Mention]:
    for text in read_annotations(download.content(name), download.place(name)):
        for annotation in text.annotations:
            links = {"cui": cui} if (cui := _find_cui(annotation)) else {}
            mention = read_annotation(annotation, annotation.label, layout, identifier, ledger, **links)
            if mention:
                yield mention


def _find_cui(annotation: KnowtatorAnnotation) -> str:
    """Find the concept that an annotation is linked to, whatever the slot is called."""
    values = (value for slot in annotation.details.get("slots", ()) for value in slot["values"])
    return next((value for value in values if _CUI.fullmatch(value)), "")
