"""The scripts in examples/ do what they say."""

import runpy
from pathlib import Path

import pytest

import disconer
from disconer.corpora.sample import sample
from tests.documentation.blocks import ROOT


def test_spacys_span_categoriser_is_scored_and_finds_nothing_with_gaps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("spacy")
    documents = sample()
    disconer.write(documents["train"][:200], tmp_path / "train.jsonl")
    disconer.write(documents["test"][:40], tmp_path / "test.jsonl")
    script = runpy.run_path(str(ROOT / "examples" / "spancat.py"))
    script["main"](tmp_path)
    found = list(disconer.read(tmp_path / "spancat.jsonl"))
    assert [document.id for document in found] == [document.id for document in documents["test"][:40]]
    mentions = [mention for document in found for mention in document]
    assert mentions
    assert not any(mention.is_discontinuous for mention in mentions)
    assert "discontinuous mentions only             P     –  R   0.0  F1   0.0" in capsys.readouterr().out
