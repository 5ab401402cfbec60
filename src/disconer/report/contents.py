"""The contents of a report: sections with tables and figures, and the files of these; `page.py` has the page."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from disconer.exceptions import InputError
from disconer.foundation.files import create_folder, replace_file, swap_folder
from disconer.report.corpus_charts import Figure, corpus_figures, draw_overview
from disconer.report.corpus_tables import corpus_tables
from disconer.report.evaluation import Comparison, Report
from disconer.report.paper_tables import data_tables, result_tables
from disconer.report.table import Table
from disconer.report.table_formats import TABLE_FORMATS
from disconer.scoring import SCOPES


@dataclass(frozen=True)
class Section:
    """A part of a report."""

    name: str
    title: str
    tables: list[Table]
    figures: list[Figure]


@dataclass(frozen=True)
class Contents:
    """All tables and figures of a report."""

    report: Report

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """How sure the differences between systems are, by corpus."""
        return {evaluation.corpus: Comparison(evaluation) for evaluation in self.report.evaluations}

    @cached_property
    def sections(self) -> list[Section]:
        report = self.report
        overviews = [draw_overview(report, evaluation) for evaluation in report.evaluations]
        return [
            Section("results", "Results", list(result_tables(report, self.comparisons)), overviews),
            Section("data", "Data", list(data_tables(report)), []),
            *(
                Section(
                    f"corpus-{report.slug(evaluation)}",
                    evaluation.corpus,
                    list(corpus_tables(report, evaluation, self.comparisons[evaluation.corpus])),
                    list(corpus_figures(report, evaluation)),
                )
                for evaluation in report.evaluations
            ),
        ]

    @property
    def tables(self) -> Iterator[Table]:
        return (table for section in self.sections for table in section.tables)

    @property
    def figures(self) -> Iterator[Figure]:
        return (figure for section in self.sections for figure in section.figures)

    def as_json(self) -> dict[str, object]:
        """Collect all numbers under documented keys."""
        return {
            **self.report.as_json(),
            "significance": {
                corpus: [
                    {"systems": [one, other]}
                    | {scope: comparison.difference(scope, one, other).as_json() for scope in SCOPES}
                    for one, other in comparison.pairs
                ]
                for corpus, comparison in self.comparisons.items()
            },
            "tables": {table.name: table.as_json() for table in self.tables},
        }


def write_numbers(contents: Contents, path: Path) -> None:
    """Write everything but the errors as JSON; none of the data's text is in it."""
    with replace_file(path) as stream:
        json.dump(contents.as_json(), stream, indent=2, ensure_ascii=False)
        stream.write("\n")


def write_tables(contents: Contents, folder: Path) -> None:
    """Write every table in every format and every figure, a file each, into a new or an empty folder."""
    with create_folder(folder) as new:
        _fill(contents, new)


def replace_tables(contents: Contents, folder: Path) -> None:
    """Write the same in the place of what an earlier report wrote there."""
    check_table_folder(folder)
    with swap_folder(folder) as new:
        _fill(contents, new)


def check_table_folder(folder: Path) -> None:
    """Raise when a folder has anything in it that no report wrote."""
    for path in folder.iterdir() if folder.is_dir() else ():
        is_figure = path.match("figure-*.svg")
        if not path.is_file() or not (is_figure or path.suffix.removeprefix(".") in TABLE_FORMATS):
            raise InputError("no report wrote this, and the next one would remove it: move it away", path=path)


def _fill(contents: Contents, folder: Path) -> None:
    for table in contents.tables:
        for ending, form in TABLE_FORMATS.items():
            with replace_file(folder / f"{table.name}.{ending}") as stream:
                stream.write(form(table))
    for figure in contents.figures:
        with replace_file(folder / f"figure-{figure.name}.svg") as stream:
            stream.write(figure.drawing)
