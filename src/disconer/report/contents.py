"""What a report is made of: its sections, and in each the tables and the figures."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from disconer.report.comparison import Comparison
from disconer.report.corpus_charts import Figure, corpus_figures
from disconer.report.corpus_tables import corpus_tables
from disconer.report.data_tables import data_tables
from disconer.report.evaluation import Report
from disconer.report.result_tables import result_tables
from disconer.report.table import Table
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
        return [
            Section("results", "Results", list(result_tables(report, self.comparisons)), []),
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
        """Give the numbers of everything under stable keys."""
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
