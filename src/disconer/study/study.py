"""A study: everything its plan says is trained, and then told in a report."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from disconer.exceptions import InputError, RunError
from disconer.formats import check_there
from disconer.report.contents import Contents
from disconer.report.evaluation import Evaluation, Report, System, by_family
from disconer.report.gathering import Data, evaluated
from disconer.report.shelf import Shelf
from disconer.report.sources import FileSource, Source, model_sources
from disconer.report.writing import check_replaceable, replace_tables, write_numbers, write_page
from disconer.settings import assignments, differing
from disconer.study.crew import Crew
from disconer.study.job import LOGS, Job
from disconer.study.plan import CorpusSettings, Plan, SystemPlan
from disconer.study.view import Overview, view
from disconer.training.examples import Corpus
from disconer.training.selection import install_best

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
        self._check_data()
        self._check_runs()
        looking = view(Overview(self.jobs, self.at_once), self.quiet)
        try:
            failed = Crew(self.at_once, self.threads, self.device, looking).work(self.jobs)
        finally:
            looking.close()
        for run in dict.fromkeys(job.run for job in self.jobs if job.is_finished):
            install_best(run)  # a process that was killed at its very end could not
        return failed

    def _check_data(self) -> None:
        """Find out before hours of training, and not afterwards, that something is not there or does not fit."""
        if self.out.exists() and not self.out.is_dir():
            raise InputError("this is a file: name a folder for the study with out, or with --out", path=self.out)
        check_replaceable(self.out / TABLES)
        for corpus, settings in self.plan.corpora.items():
            data = self._data(settings, "train", "dev", "test")
            for one in data.values():
                check_there(one.path)
            gold = data["test" if settings.test else "dev"]
            for system in self.plan.systems.values():
                if system.predictions is not None:
                    for source in self._sources(corpus, system):
                        source.predict(gold.documents())

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
            raise RunError(f"no training is finished, so there is nothing to report: see {self.out / LOGS}")
        answered = {title for evaluation in evaluations for title in evaluation.results}
        shown = by_family(system for system in systems if system.title in answered)
        return Contents(Report(self.plan.title, shown, evaluations, made_by))

    def write(self, contents: Contents) -> None:
        """Write the page, the numbers, the tables and the plots."""
        self.out.mkdir(parents=True, exist_ok=True)
        write_page(contents, self.out / PAGE)
        write_numbers(contents, self.out / NUMBERS)
        replace_tables(contents, self.out / TABLES)

    def _system(self, system: SystemPlan) -> System:
        if system.base is None:
            return System(system.title)
        base, corpus = self.plan.systems[system.base], next(iter(self.plan.corpora.values()))
        theirs, own = (one.config(corpus, self.plan.settings.seeds) for one in (base, system))
        return System(system.title, base.title, assignments(own, differing(theirs, own)))

    def _evaluation(self, corpus: str, tell: Callable[[str], object]) -> Evaluation:
        settings = self.plan.corpora[corpus]
        results = {
            system.title: (own, Shelf(self.out / "predictions" / corpus / system.name, tell))
            for system in self.plan.systems.values()
            if (own := self._sources(corpus, system))
        }
        splits = self._data(settings, "train", "dev", "test")
        answered = "test" if settings.test else "dev"
        found = evaluated(self.plan.corpus_title(corpus), splits, answered, results)
        return replace(found, was_chosen_on=not settings.test)

    def _sources(self, corpus: str, system: SystemPlan) -> list[Source]:
        if system.predictions is not None:
            paths = [self.plan.folder / path for path in system.predictions.get(corpus, [])]
            return [FileSource(path, path.name, self.plan.corpora[corpus].format or None) for path in paths]
        own = [job for job in self.jobs if (job.corpus, job.system) == (corpus, system.name)]
        if not any(job.is_finished for job in own):
            return []
        return model_sources(own[0].run, self.plan.settings.seeds, self.device, self.threads or None)

    def _data(self, settings: CorpusSettings, *names: str) -> dict[str, Data]:
        return {
            name: Data.of(
                self.plan.folder / getattr(settings, name),
                settings.format,
                settings.split,
                settings.every if name == "train" else 1,
            )
            for name in names
            if getattr(settings, name)
        }
