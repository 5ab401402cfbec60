"""A study: everything its plan says is trained, several processes at a time, and then put into a report."""

import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from disconer.exceptions import InputError, RunError
from disconer.formats import check_exists
from disconer.foundation.progress import choose_display
from disconer.foundation.settings import find_differences, format_assignments
from disconer.report.builder import Data, evaluate_systems
from disconer.report.contents import Contents, check_table_folder, replace_tables, write_numbers
from disconer.report.evaluation import Evaluation, Report, System, order_by_family
from disconer.report.page import write_page
from disconer.report.predictions import FileSource, PredictionCache, Source, model_sources
from disconer.study.job import LOGS, Job
from disconer.study.plan import CorpusSettings, Plan, SystemPlan
from disconer.study.view import Overview, View
from disconer.training.dataset import Dataset
from disconer.training.metrics import install_best

PAGE, NUMBERS, TABLES = "report.html", "report.json", "tables"
"""What the report is written to, in the study's folder."""
_POLL_SECONDS = 0.5
"""Between two looks at the processes."""


@dataclass(frozen=True)
class Study:
    """A plan, and how to carry it out."""

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
        """Train what is not finished; returns the jobs that failed."""
        self._check_data()
        self._check_runs()
        progress = View(Overview(self.jobs, self.at_once), choose_display(self.quiet))
        try:
            failed = ProcessPool(self.at_once, self.threads, self.device, progress).run(self.jobs)
        finally:
            progress.close()
        for run in dict.fromkeys(job.run for job in self.jobs if job.is_finished):
            install_best(run)  # a process that was killed at its very end could not
        return failed

    def _check_data(self) -> None:
        """Find out before hours of training, and not afterwards, that something is not there or does not fit."""
        if self.out.exists() and not self.out.is_dir():
            raise InputError("this is a file: name a folder for the study with out, or with --out", path=self.out)
        check_table_folder(self.out / TABLES)
        for corpus, settings in self.plan.corpora.items():
            data = self._data(settings, "train", "dev", "test")
            for one in data.values():
                check_exists(one.path)
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
                parts = (
                    Dataset.from_documents(data.documents()) for data in self._data(settings, "train", "dev").values()
                )
                fingerprint = "/".join(part.fingerprint for part in parts)
                for job in own:
                    job.check(fingerprint)

    def report(self, tell: Callable[[str], object], made_by: str) -> Contents:
        """Predict with everything that is finished, and put the report together."""
        systems = [self._system(system) for system in self.plan.systems.values()]
        found = [self._evaluate(corpus, tell) for corpus in self.plan.corpora]
        evaluations = [evaluation for evaluation in found if evaluation.results]
        if not evaluations:
            raise RunError(f"no training is finished, so there is nothing to report: see {self.out / LOGS}")
        evaluated = {title for evaluation in evaluations for title in evaluation.results}
        shown = order_by_family(system for system in systems if system.title in evaluated)
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
        return System(system.title, base.title, format_assignments(own, find_differences(theirs, own)))

    def _evaluate(self, corpus: str, tell: Callable[[str], object]) -> Evaluation:
        settings = self.plan.corpora[corpus]
        systems = {
            system.title: (own, PredictionCache(self.out / "predictions" / corpus / system.name))
            for system in self.plan.systems.values()
            if (own := self._sources(corpus, system))
        }
        splits = self._data(settings, "train", "dev", "test")
        split = "test" if settings.test else "dev"
        evaluation = evaluate_systems(self.plan.corpus_title(corpus), splits, split, systems, tell)
        return replace(evaluation, was_chosen_on=not settings.test)

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
            name: Data.from_settings(
                self.plan.folder / getattr(settings, name),
                settings.format,
                settings.split,
                settings.every if name == "train" else 1,
            )
            for name in names
            if getattr(settings, name)
        }


@dataclass(frozen=True)
class _Worker:
    """A job and its process."""

    job: Job
    process: subprocess.Popen[bytes]


class ProcessPool:
    """Runs jobs as processes, a number of them at a time, each with a share of the cores."""

    def __init__(self, at_once: int, threads: int, device: str, view: View) -> None:
        self.at_once = at_once
        self.threads = threads or max(1, (os.cpu_count() or 1) // at_once)
        self.device = device
        self.view = view
        self.workers: list[_Worker] = []

    def run(self, jobs: Sequence[Job]) -> list[Job]:
        """Run the jobs that are not finished; returns those that failed.

        An interruption is passed on to all processes, which save what they have; the same call goes on from there.
        """
        waiting = deque(job for job in jobs if not job.is_finished)
        failed: list[Job] = []
        try:
            while waiting or self.workers:
                while waiting and len(self.workers) < self.at_once:
                    self._start(waiting.popleft())
                time.sleep(_POLL_SECONDS)
                self.view.look([worker.job for worker in self.workers])
                failed += self._collect()
        except KeyboardInterrupt:
            raise RunError("interrupted; the same command goes on where it was") from None
        finally:
            self._stop()
        return failed

    def _start(self, job: Job) -> None:
        job.prepare()
        self.view.report_start(job)
        with job.log.open("ab") as log:
            log.write(b"begins\n")
            log.flush()
            process = subprocess.Popen(  # noqa: S603 (our own program)
                job.command(self.device, self.threads), cwd=job.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=log, start_new_session=True,
            )  # fmt: skip
            self.workers.append(_Worker(job, process))

    def _collect(self) -> list[Job]:
        """Let go of the processes that ended; returns the jobs that failed."""
        ended = [worker for worker in self.workers if worker.process.poll() is not None]
        for worker in ended:
            self.workers.remove(worker)
            self.view.report_end(worker.job, worker.process.returncode)
        return [worker.job for worker in ended if worker.process.returncode]

    def _stop(self) -> None:
        """Leave no process running, whatever happened."""
        for worker in self.workers:
            worker.process.send_signal(signal.SIGTERM)
        for worker in self.workers:
            worker.process.wait()
