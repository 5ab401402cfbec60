"""A small report."""

import pytest

from disconer.corpora.sample import sample
from disconer.document import Document
from disconer.report.contents import Contents
from tests.report.invented import make_report


@pytest.fixture(scope="session")
def gold() -> list[Document]:
    return sample()["test"][:120]


@pytest.fixture(scope="session")
def contents(gold: list[Document]) -> Contents:
    return make_report(gold, {"Mac": 0.1, "Worse": 0.4, "Mac again": 0.1})
