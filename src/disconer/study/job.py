"""A job of a study: the training of one system with one seed on one corpus, a normal run of `disconer train`."""

import sys
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from disconer.exceptions import InputError
from disconer.foundation.files import replace_file
from disconer.foundation.settings import as_toml, find_differences, from_mapping, read_toml
from disconer.storage.paths import METRICS, MODEL, RUN_CONFIG, seed_folder
from disconer.training.config import OF_THE_RUN, RESOLVED, Config, read_config
from disconer.training.metrics import Epoch, is_finished, read_metrics

LOGS = "logs"
"""In the folder of the study: the output of its processes."""


@dataclass(frozen=True)
class Job:
    """One training."""

    corpus: str
    system: str
    seed: int
    config: Config
    folder: Path
    """Of the study's file, where all paths are seen from."""
    out: Path
    """Of the study."""

    @property
    def name(self) -> str:
        return f"{self.corpus}/{self.system} seed {self.seed}"

    @property
    def run(self) -> Path:
        """The run that this seed belongs to; the other seeds of the system are in it too."""
        return self.out / "runs" / self.corpus / self.system

    @property
    def log(self) -> Path:
        """The output of its process."""
        return self.out / LOGS / self.corpus / self.system / f"{seed_folder(self.seed)}.log"

    @property
    def epochs(self) -> list[Epoch]:
        """Those that are done."""
        return read_metrics(self.run / seed_folder(self.seed) / METRICS)

    @property
    def is_finished(self) -> bool:
        has_model = (self.run / seed_folder(self.seed) / MODEL).is_dir()
        return has_model and is_finished(self.epochs, self.config.training)

    @property
    def config_file(self) -> Path:
        return self.out / "configs" / self.corpus / f"{self.system}.toml"

    def prepare(self) -> None:
        """Make the folders, and write the settings down for the process to read."""
        for folder in (self.run.parent, self.log.parent, self.config_file.parent):
            folder.mkdir(parents=True, exist_ok=True)
        with replace_file(self.config_file) as stream:
            stream.write(as_toml(self.config))

    def command(self, device: str, threads: int) -> list[str]:
        """Put together the command that trains it, or resumes it; to be run in the study's folder."""
        return [
            *(sys.executable, "-m", "disconer", "train", "--config", str(self.config_file.resolve())),
            *("--out", str(self.run.resolve()), "--seed", str(self.seed), "--resume"),
            *("--device", device, "--threads", str(threads)),
        ]

    def last_line(self) -> str:
        """Read the last line of the log."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").split("\n") if self.log.is_file() else []
        return next((line for line in reversed(lines) if line.strip()), "")

    def check(self, fingerprint: str) -> None:
        """Raise when the run that is there was made with other settings or from other data than the study says."""
        if not (self.run / RUN_CONFIG).is_file():
            return
        config = read_config(self.run)
        changed = [name for name in find_differences(config, self.config) if not self._may_differ(name)]
        if self.config_file.is_file():  # what the study said when the run began, before the run settled anything
            said = from_mapping(Config, read_toml(self.config_file))
            changed += [name for name in find_differences(said, self.config) if name not in (*OF_THE_RUN, *changed)]
        if changed:
            raise InputError(f"this run has another {', '.join(changed)} than the study: delete it", path=self.run)
        if config.data.fingerprint != fingerprint:
            raise InputError("this run learned from other data than there is now: delete it", path=self.run)

    def _may_differ(self, name: str) -> bool:
        return name in OF_THE_RUN or (name in RESOLVED and attrgetter(name)(self.config) == RESOLVED[name])
