"""What several tests need: the real corpora, where they are at hand, and hypothesis' settings."""

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Tests run side by side, and so do the processes they start: more threads would only get in each other's way.
os.environ["OMP_NUM_THREADS"] = "1"
# What is our fault shows where it happened, also in processes that tests start.
os.environ["DISCONER_TRACEBACK"] = "1"

SHARED_CORPORA = Path(__file__).parents[2] / "shared" / "corpora"

# Machines that run tests are noisy: no example is too slow, and CI draws the same examples every time.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of real corpora, which are not part of the repository."""
    if not SHARED_CORPORA.is_dir():
        pytest.skip("the real corpora are not at hand")
    return SHARED_CORPORA


@pytest.fixture(scope="session")
def chia_brat(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Chia's 1,826 documents as their authors published them, in brat's format."""
    folder = tmp_path_factory.mktemp("chia")
    with zipfile.ZipFile(corpora / "chia" / "brat.zip") as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """A real browser."""
    from tests.browser import chromium, started  # noqa: PLC0415 (most tests do without)

    if chromium() is None:
        pytest.skip("there is no chromium here")
    with started() as browser:
        yield browser


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model directory with random weights and low thresholds, which finds all sorts of mentions everywhere."""
    from disconer.encoders.settings import EncoderSettings  # noqa: PLC0415 (most tests do without torch)
    from disconer.models.settings import InnerKind, MacSettings  # noqa: PLC0415
    from disconer.schemes import GridScheme  # noqa: PLC0415
    from tests.models.given import talkative  # noqa: PLC0415

    scheme = GridScheme().with_thresholds(segment=0.52, node=0.45, edge=0.4)
    folder = tmp_path_factory.mktemp("model") / "model"
    sizes = MacSettings(inner=InnerKind.LSTM, words=False)
    talkative(EncoderSettings("tiny"), sizes, scheme).save(folder, "# A test\n")
    return folder


@pytest.fixture(scope="session")
def exported_folder(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model, exported."""
    from disconer.cli import main  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("exported") / "fast"
    assert main(["export", str(model_folder), str(folder), "--quiet"]) == 0
    return folder
