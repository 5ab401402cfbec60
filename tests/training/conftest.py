"""Small data and a small configuration that train in a second."""

from pathlib import Path

import pytest
import torch

from disconer import write
from disconer.corpora.sample import sample
from disconer.encoders.settings import EncoderSettings
from disconer.models.settings import MacSettings
from disconer.training.config import Config, DataSettings, TrainingSettings


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a little of the sample corpus."""
    folder = tmp_path_factory.mktemp("data")
    for name, documents in sample().items():
        write(documents[:60], folder / f"{name}.jsonl")
    return folder


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def config(settings: Config) -> Config:
    return settings


@pytest.fixture(scope="session")
def settings(data: Path) -> Config:
    return Config(
        data=DataSettings(str(data / "train.jsonl"), str(data / "dev.jsonl")),
        encoder=EncoderSettings("tiny"),
        training=TrainingSettings(epochs=3, patience=0, head_rate=5e-3, encoder_rate=1e-3),
    ).with_model_settings(MacSettings(width=16))
