"""A study: everything its plan says is trained, and then told in a report."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from disconer.exceptions import RunError
from disconer.report.contents import Contents
from disconer.report.evaluation import Evaluation, Report, System
from disconer.report.gathering import Data, evaluated
from disconer.report.shelf import Shelf
from disconer.report.sources import FileSource, Source, sources
from disconer.report.writing import write_numbers, write_page, write_tables
from disconer.study.crew import Crew
from disconer.study.job import Job
from disconer.study.plan import CorpusSettings, Plan, SystemPlan
from disconer.study.view import Overview, view
from disconer.tokenize import Split
from disconer.training.examples import Corpus

PAGE, NUMBERS, TABLES = "report.html", "report.json", "tables"
"""What the report is written to, in the study's folder."""


@dataclass(frozen=True)
class Study:
    """A plan, and how it is carried out."""

    plan: Plan
    out: Path
    at_once: int
    threads: int
    device: str = "auto"
    quiet: bool = False

    @cached_property
    def jobs(self) -> list[Job]:
        """Every training; the first seeds of all come first, so that there is something to see early."""
        plan = self.plan
        trained = [system for system in plan.systems.values() if system.predictions is None]
        return [
            Job(corpus, system.name, seed, system.config(settings, plan.settings.seeds), plan.folder, self.out)
            for seed in plan.settings.seeds
            for corpus, settings in plan.corpora.items()
            for system in trained
        ]

    def train(self) -> list[Job]:
        """Train what is not finished, and give the jobs that failed."""
        self._check_runs()
        looking = view(Overview(self.jobs, self.at_once), self.quiet)
        try:
            return Crew(self.at_once, self.threads, self.device, looking).work(self.jobs)
        finally:
            looking.close()

    def _check_runs(self) -> None:
        """Make sure that what is there already belongs to this study."""
        for corpus, settings in self.plan.corpora.items():
            own = [job for job in self.jobs if job.corpus == corpus and job.run.exists()]
            if own:
                parts = (Corpus.of(data.documents()) for data in self._data(settings, "train", "dev").values())
                fingerprint = "/".join(part.fingerprint for part in parts)
                for job in own:
                    job.check(fingerprint)

    def report(self, tell: Callable[[str], object], made_by: str) -> Contents:
        """Let everybody answer, and put the report together."""
        systems = [self._system(system) for system in self.plan.systems.values()]
        found = [self._evaluation(corpus, tell) for corpus in self.plan.corpora]
        evaluations = [evaluation for evaluation in found if evaluation.results]
        if not evaluations:
            raise RunError("no training is finished, so there is nothing to report")
        answered = {title for evaluation in evaluations for title in evaluation.results}
        shown = [system for system in systems if system.title in answered]
        return Contents(Report(self.plan.title, shown, evaluations, made_by))

    def write(self, contents: Contents) -> None:
        """Write the page, the numbers, the tables and the plots."""
        write_page(contents, self.out / PAGE)
        write_numbers(contents, self.out / NUMBERS)
        write_tables(contents, self.out / TABLES)

    def _system(self, system: SystemPlan) -> System:
        base = None if system.base is None else self.plan.systems[system.base].title
        return System(system.title, base, system.changes)

    def _evaluation(self, corpus: str, tell: Callable[[str], object]) -> Evaluation:
        settings = self.plan.corpora[corpus]
        results = {
            system.title: (own, Shelf(self.out / "predictions" / corpus / system.name, tell))
            for system in self.plan.systems.values()
            if (own := self._sources(corpus, system))
        }
        splits = self._data(settings, "train", "dev", "test")
        answered = "test" if settings.test else "dev"
        return evaluated(self.plan.corpus_title(corpus), splits, answered, results)

    def _sources(self, corpus: str, system: SystemPlan) -> list[Source]:
        if system.predictions is not None:
            data = self._data(self.plan.corpora[corpus], "dev")["dev"]
            paths = [self.plan.folder / path for path in system.predictions.get(corpus, [])]
            return [FileSource(path, path.name, data.format, data.split) for path in paths]
        own = [job for job in self.jobs if (job.corpus, job.system) == (corpus, system.name)]
        if not any(job.is_finished for job in own):
            return []
        return sources(own[0].run, device=self.device, threads=self.threads or None)

    def _data(self, settings: CorpusSettings, *names: str) -> dict[str, Data]:
        split = Split(settings.split) if settings.split else None
        return {
            name: Data(
                self.plan.folder / getattr(settings, name),
                settings.format or None,
                split,
                settings.every if name == "train" else 1,
            )
            for name in names
            if getattr(settings, name)
        }
