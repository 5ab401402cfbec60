"""Models that an earlier disconer (commit 7b02ba7) wrote load and find what they found then.

`earlier/` holds a tiny model of every system, trained on the sample corpus, an exported one, and the predictions that
the commands of that commit wrote. What is no longer readable must not change in silence.
"""

from pathlib import Path

import pytest

from disconer import load, read

EARLIER = Path(__file__).with_name("earlier")


@pytest.mark.parametrize("name", ["mac", "bioe", "graph", "comb", "trans", "exported"])
def test_an_earlier_model_finds_what_it_found(name: str) -> None:
    expected = list(read(EARLIER / f"{name}.jsonl"))
    assert sum(map(len, expected)) >= 25
    recognizer = load(EARLIER / name, device="cpu", threads=1)
    for then, now in zip(expected, recognizer.pipe(expected), strict=True):
        assert [mention.key for mention in now] == [mention.key for mention in then]
        assert [mention.score for mention in now] == pytest.approx([mention.score for mention in then], abs=2e-3)
