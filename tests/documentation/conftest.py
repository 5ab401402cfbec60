"""What pages need to be tried out: commands that start at once, a folder with data and a model, and a server."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from disconer.corpora.sample import sample
from disconer.formats import write
from disconer.training.config import Config, DataSettings, TrainingSettings
from tests.documentation.blocks import ROOT
from tests.documentation.warm import command

DOCUMENTS = 12
"""Of each part of the sample corpus: enough to try things, and quick."""


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a `disconer` that is quick to start."""
    with command(tmp_path_factory.mktemp("bin")) as folder:
        yield folder


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the folder in which the blocks of a page run."""
    folder = tmp_path_factory.mktemp("scratch") / "page"
    shutil.copytree(ROOT / "examples", folder / "examples")
    for split, documents in sample().items():
        write(documents[:DOCUMENTS], folder / f"{split}.jsonl")
    (folder / "notes").mkdir()
    for number, line in enumerate((folder / "examples" / "sentences.txt").read_text(encoding="utf-8").splitlines(), 1):
        (folder / "notes" / f"{number}.txt").write_text(line, encoding="utf-8")
    train(folder / "run", DataSettings(str(folder / "train.jsonl"), str(folder / "dev.jsonl")))
    return folder


def train(run: Path, data: DataSettings) -> None:
    """Train for a moment, and then put a model there that finds something."""
    from disconer.encoders.settings import EncoderSettings  # noqa: PLC0415 (most tests do without torch)
    from disconer.models.settings import InnerKind, MacSettings  # noqa: PLC0415
    from disconer.schemes import GridScheme  # noqa: PLC0415
    from disconer.training.run import Run  # noqa: PLC0415
    from tests.models.given import talkative  # noqa: PLC0415

    encoder, sizes = EncoderSettings("tiny"), MacSettings(inner=InnerKind.LSTM, width=16, words=False)
    config = Config(data=data, encoder=encoder, training=TrainingSettings(epochs=1))
    Run(config.with_model_settings(sizes), run).train()
    model = talkative(encoder, sizes, GridScheme().with_thresholds(segment=0.75, node=0.6, edge=0.6))
    for folder in (run / "model", run / "seed-0" / "model"):
        shutil.rmtree(folder)
        model.save(folder, "# A test\n")


@pytest.fixture(scope="session")
def server(scratch: Path) -> Iterator[str]:
    """The address of a server."""
    from disconer.api import load  # noqa: PLC0415 (most tests do without torch)
    from disconer.serve.app import create_app  # noqa: PLC0415
    from disconer.serve.catalogue import Catalogue  # noqa: PLC0415
    from tests.serve.servers import listening  # noqa: PLC0415

    with listening(create_app(Catalogue({"run": load(scratch / "run")}))) as address:
        yield address.rstrip("/")
