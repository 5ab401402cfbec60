"""What several tests need: the real corpora, where they are at hand, and hypothesis' settings."""

import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Tests run side by side, and so do the processes they start: more threads would only get in each other's way.
os.environ["OMP_NUM_THREADS"] = "1"

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


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model directory with random weights and low thresholds, which finds all sorts of mentions everywhere."""
    import torch  # noqa: PLC0415 (most tests do without)

    from disconer.encoders.pretrained import pretrained  # noqa: PLC0415
    from disconer.encoders.settings import EncoderSettings  # noqa: PLC0415
    from disconer.models import trained  # noqa: PLC0415
    from disconer.models.mac import Mac  # noqa: PLC0415
    from disconer.models.settings import InnerKind, MacSettings  # noqa: PLC0415
    from disconer.schemes import GridScheme  # noqa: PLC0415

    torch.manual_seed(0)
    encoder_settings, sizes = (
        EncoderSettings("tiny"),
        MacSettings(width=16, inner=InnerKind.LSTM, longest_segment=3, prior=0.4),
    )
    encoder, reader = pretrained(encoder_settings)
    scheme = GridScheme().with_thresholds(segment=0.52, node=0.45, edge=0.4)
    labels = ("ADR", "Drug")
    model = Mac(encoder, labels, scheme, sizes)
    for module in (model.segment_pairs, model.edge_pairs, model.segment_classifier, model.edge_classifier):
        for parameter in module.parameters():
            torch.nn.init.normal_(parameter, std=0.15)
    folder = tmp_path_factory.mktemp("model") / "model"
    trained.save(trained.Trained(model, reader, labels, encoder_settings, sizes), folder, "# A test\n")
    return folder
