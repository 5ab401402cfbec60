"""Servers for tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from disconer.api import load
from disconer.recognizer import Recognizer
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue


@pytest.fixture(scope="session")
def recognizer(model_folder: Path) -> Recognizer:
    return load(model_folder)


@pytest.fixture(scope="session")
def client(recognizer: Recognizer) -> Iterator[TestClient]:
    """A client of a server with one model, which finds a lot."""
    with TestClient(create_app(Catalogue({"talkative": recognizer})), base_url="http://localhost") as client:
        yield client
